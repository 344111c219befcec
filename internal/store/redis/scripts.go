package redis

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"hash/fnv"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"catena/internal/store"
	"catena/internal/store/backend"
)

//go:embed lua/*.lua
var luaFiles embed.FS

// script is one of the files in lua, with lib.lua before it.
func script(name string) *redis.Script {
	lib, err := luaFiles.ReadFile("lua/lib.lua")
	if err != nil {
		panic(err) // built in
	}
	own, err := luaFiles.ReadFile("lua/" + name + ".lua")
	if err != nil {
		panic(err)
	}
	sc := redis.NewScript(string(lib) + string(own))
	sources[sc.Hash()] = string(lib) + string(own)
	return sc
}

// sources are the texts of the scripts by their hash.
var sources = map[string]string{}

var (
	startRun      = script("start_run")
	appendEvents  = script("append_events")
	finishRun     = script("finish_run")
	dropRun       = script("drop_run")
	takeLock      = script("take_lock")
	dropLock      = script("drop_lock")
	unlock        = script("unlock")
	acquireLease  = script("acquire")
	renewLease    = script("renew")
	markLease     = script("mark")
	dueLeases     = script("due")
	beginCall     = script("begin")
	endCall       = script("end")
	createSession = script("create_session")
	appendTurn    = script("append_turn")
	setTitle      = script("set_title")
	emptySession  = script("empty_session")
	reserveTable  = script("reserve_table")
	forgetTables  = script("forget_tables")
	putTable      = script("put_table")
	addTable      = script("add_table")
	dropTable     = script("drop_table")
	replaceTurn   = script("replace_turn")
	saveState     = script("save_state")
	reopenRun     = script("reopen_run")
	cancelRun     = script("cancel_run")
	lastTurns     = script("turns")
	indexTable    = script("index_table")
	tidyTables    = script("tidy_tables")
	takeRate      = script("take_rate")
	takePlace     = script("take_place")
	tidyPlaces    = script("tidy_places")
)

// answer is what a script said: a word, then what belongs to it.
type answer []any

func (a answer) word() string {
	if len(a) == 0 {
		return ""
	}
	word, _ := a[0].(string)
	return word
}

// number is the i-th value, 0 where there is none.
func (a answer) number(i int) uint64 {
	if i >= len(a) {
		return 0
	}
	n, _ := a[i].(int64)
	return uint64(n)
}

func (a answer) text(i int) string {
	if i >= len(a) {
		return ""
	}
	text, _ := a[i].(string)
	return text
}

// list is the i-th value as texts.
func (a answer) list(i int) []string {
	if i >= len(a) {
		return nil
	}
	values, _ := a[i].([]any)
	out := make([]string, 0, len(values))
	for _, v := range values {
		if text, ok := v.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

// run runs a script, and judge turns its answer into an error.
func (s *Store) run(ctx context.Context, sc *redis.Script, keys []string, judge func(a answer, again bool) error, args ...any) error {
	return s.retry(ctx, func(ctx context.Context, again bool) error {
		a, err := sc.Run(ctx, s.client, keys, args...).Slice()
		if err != nil {
			return err
		}
		return judge(a, again)
	})
}

// job is a script to run among others.
type job struct {
	script *redis.Script
	keys   []string
	args   []any
}

// runAll runs scripts and further commands in one trip. They may be on several servers, so none may depend on another; after an error
// that passes all are sent again. more may be nil. judge turns the answer of the i-th into an error.
func (s *Store) runAll(ctx context.Context, jobs []job, more func(p redis.Pipeliner), judge func(i int, a answer, again bool) error) error {
	return s.retry(ctx, func(ctx context.Context, again bool) error {
		p := s.client.Pipeline()
		cmds := make([]*redis.Cmd, len(jobs))
		for i, j := range jobs {
			cmds[i] = p.EvalSha(ctx, j.script.Hash(), j.keys, j.args...)
		}
		if more != nil {
			more(p)
		}
		if err := s.exec(ctx, p); err != nil {
			return err
		}
		for i, cmd := range cmds {
			a, err := cmd.Slice()
			if err == nil {
				err = judge(i, a, again)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// exec sends a pipeline. Scripts that a server does not know are sent again in full. The error is the first one; a key that is not
// there is none.
func (s *Store) exec(ctx context.Context, p redis.Pipeliner) error {
	cmds, _ := p.Exec(ctx) // the error is one of the commands'
	for _, c := range cmds {
		script, ok := c.(*redis.Cmd)
		if ok && redis.HasErrorPrefix(c.Err(), "NOSCRIPT") {
			args := slices.Clone(c.Args())
			sha, _ := args[1].(string)
			args[0], args[1] = "eval", sources[sha]
			val, err := s.client.Do(ctx, args...).Result()
			script.SetVal(val)
			script.SetErr(err)
		}
		if err := c.Err(); err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
	}
	return nil
}

// unexpected is the error for a script's answer that nobody knows.
func unexpected(a answer) error { return fmt.Errorf("store: a script answered %q", a.word()) }

// runAnswer judges the answers that all scripts of a run have in common.
func runAnswer(a answer, run string, carried uint64) error {
	switch a.word() {
	case "ok":
		return nil
	case "missing":
		return backend.Missing("run", run)
	case "finished":
		return backend.Finished(run)
	case "fenced":
		return &store.LeaseError{Run: run, Held: carried, Epoch: a.number(1)}
	}
	return unexpected(a)
}

// newToken tells one write from another: see lua/lib.lua.
func newToken() string { return rand.Text()[:8] }

// leaseShards is over how many keys the index of leases is spread.
const leaseShards = 16

// key is a key of what kind and id name: everything of one kind and id has one hash tag. Ids are escaped, as they may hold braces.
func (s *Store) key(kind, id, rest string) string {
	return s.prefix() + ":{" + kind + ":" + url.QueryEscape(id) + "}" + rest
}

func (s *Store) sessionKey(id string) string   { return s.key("session", id, "") }
func (s *Store) turnsKey(id string) string     { return s.key("session", id, ":turns") }
func (s *Store) runsKey(id string) string      { return s.key("session", id, ":runs") }
func (s *Store) tablesKey(id string) string    { return s.key("session", id, ":tables") }
func (s *Store) runKey(id string) string       { return s.key("run", id, "") }
func (s *Store) eventsKey(id string) string    { return s.key("run", id, ":events") }
func (s *Store) callsKey(id string) string     { return s.key("run", id, ":calls") }
func (s *Store) tableKey(handle string) string { return s.key("table", handle, "") }
func (s *Store) cacheKey(key string) string    { return s.key("cache", key, "") }

// sessionsKey indexes the sessions of an owner.
func (s *Store) sessionsKey(owner string) string { return s.key("owner", owner, ":sessions") }

// ownerTables are the keys that count an owner's tables: by age, by end, and their sizes.
func (s *Store) ownerTables(owner string) []string {
	return []string{s.key("owner", owner, ":tables"), s.key("owner", owner, ":ends"), s.key("owner", owner, ":sizes")}
}

// leaseKey indexes the leases of some runs, by the time at which they may have run out.
func (s *Store) leaseKey(shard uint32) string {
	return s.key("leases", strconv.FormatUint(uint64(shard), 10), "")
}

func shardOf(run string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(run)) // never fails
	return h.Sum32() % leaseShards
}

func millis(d time.Duration) int64 { return max(d.Milliseconds(), 1) }

// micros reads a time as it is stored.
func micros(text string) time.Time {
	n, _ := strconv.ParseInt(text, 10, 64) // written by this package; 1970 otherwise
	return time.UnixMicro(n).UTC()
}
