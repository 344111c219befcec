package redis

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"catena/internal/store"
)

func TestParseRedis(t *testing.T) {
	tests := []struct {
		address string
		want    redisServer
	}{
		{"redis://h", redisServer{scheme: "redis", hosts: []string{"h:6379"}, prefix: "catena"}},
		{"redis://ann@h:7000/3?prefix=test-1", redisServer{scheme: "redis", hosts: []string{"h:7000"}, user: "ann", db: 3, prefix: "test-1"}},
		{"rediss://[::1]:7000", redisServer{scheme: "rediss", hosts: []string{"[::1]:7000"}, tls: true, prefix: "catena"}},
		{"redis://[::1]", redisServer{scheme: "redis", hosts: []string{"[::1]:6379"}, prefix: "catena"}},
		{"redis+sentinel://a,b:1/main/2?tls=true", redisServer{
			scheme: "redis+sentinel", hosts: []string{"a:26379", "b:1"}, master: "main", db: 2, tls: true, prefix: "catena",
		}},
		{"redis+cluster://a:1,b,c:3", redisServer{scheme: "redis+cluster", hosts: []string{"a:1", "b:6379", "c:3"}, cluster: true, prefix: "catena"}},
	}
	for _, test := range tests {
		got, err := parse(test.address)
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(redisServer{})); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", test.address, err, diff)
		}
	}
}

func TestParseRedisRefuses(t *testing.T) {
	tests := map[string]string{
		"/var/lib/catena":                    "write redis://host:6379/0",
		"http://h":                           "the address begins with \"http\"",
		"redis://":                           "the address has no host",
		"redis://a,b":                        "takes one host",
		"redis://ann:secret@h":               "holds a password; use store.password",
		"redis://h:port":                     `the host "h:port"`,
		"redis://h:0":                        `the host "h:0"`,
		"redis://h/x":                        `the database "x"`,
		"redis+cluster://h/1":                "none for a cluster",
		"redis+sentinel://h":                 "names no master",
		"redis://h?timeout=3":                "there are tls=true and prefix=NAME",
		"redis://h?prefix={a}":               "there are tls=true and prefix=NAME",
		"redis+cluster://a,,b":               "the address has no host",
		"redis+cluster://a?prefix=%zz":       "cannot be read",
		"redis+sentinel://a/m/1/2":           `the database "1/2"`,
		"redis://h?prefix=*":                 "there are tls=true and prefix=NAME",
		"redis://" + strings.Repeat("h:", 9): "write host:port",
	}
	for address, want := range tests {
		err := Check(address)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
}

// Whatever an id holds, all keys of a session have one hash tag, and so have those of a run; ids never meet.
func FuzzKeys(f *testing.F) {
	for _, id := range []string{"", "ses_1", "{", "}", "a}b{c", "é", "a:b", "{a}"} {
		f.Add(id, "run_1")
	}
	s := &Store{server: redisServer{prefix: "catena"}}
	tag := func(key string) string {
		_, rest, _ := strings.Cut(key, "{")
		tag, _, ok := strings.Cut(rest, "}")
		if !ok || tag == "" {
			return "no tag: " + key
		}
		return tag
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, keys := range [][]string{
			{s.sessionKey(a), s.turnsKey(a), s.runsKey(a), s.tablesKey(a)}, {s.runKey(a), s.eventsKey(a), s.callsKey(a)}, append(s.ownerTables(a), s.sessionsKey(a)),
		} {
			for _, key := range keys {
				if tag(key) != tag(keys[0]) {
					t.Errorf("%q and %q are in two slots", key, keys[0])
				}
			}
		}
		if a != b && (s.runKey(a) == s.runKey(b) || s.eventsKey(a) == s.runKey(b) || s.turnsKey(a) == s.sessionKey(b)) {
			t.Errorf("%q and %q meet", a, b)
		}
	})
}

// TestServerErrors: what a server may answer says what to do, and whether another try makes sense.
func TestServerErrors(t *testing.T) {
	s := &Store{server: redisServer{scheme: "redis", hosts: []string{"h:6379"}}}
	ctx := context.Background()
	tests := []struct {
		text, want string
		passes     bool
	}{
		{"OOM command not allowed when used memory > 'maxmemory'.", "is out of memory; raise its maxmemory", false},
		{"READONLY You can't write against a read only replica.", "takes no writes", true},
		{"MOVED 3999 127.0.0.1:6381", "is a node of a cluster; write redis+cluster://", false},
		{"NOAUTH Authentication required.", "wants a password; set store.password", false},
		{"WRONGPASS invalid username-password pair or user is disabled.", "check store.password", false},
		{"NOPERM User x has no permissions to run the 'evalsha' command", "forbids its user", false},
		{"MISCONF Errors writing to the AOF file: No space left on device", "cannot write to its disk", false},
		{"LOADING Redis is loading the dataset in memory", "is still reading its data", true},
		{"CLUSTERDOWN Hash slot not served", "has parts that no node serves", true},
		{"MASTERDOWN Link with MASTER is down", "has lost its master", true},
		{"ERR max number of clients reached", "no connection left", true},
		{"ERR something else", "refused; see its log", false},
	}
	for _, test := range tests {
		err := error(redisAnswer(test.text))
		if passing(err) != test.passes {
			t.Errorf("%s: passing is %v", test.text, !test.passes)
		}
		var server *store.ServerError
		err = s.explain(ctx, err)
		if !errors.As(err, &server) || !strings.Contains(err.Error(), "store: redis://h:6379 ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.text, err, test.want)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.explain(ended, context.Canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
	if err := s.explain(ctx, redis.ErrClosed); !errors.Is(err, store.ErrClosed) {
		t.Errorf("a closed client: %v", err)
	}
}

// redisAnswer is an error that a server answered.
type redisAnswer string

func (e redisAnswer) Error() string { return string(e) }
func (redisAnswer) RedisError()     {}

// Nobody listens: that is told within the time that the settings give, with what to do.
func TestServerAway(t *testing.T) {
	began := time.Now()
	_, err := Open(context.Background(), "redis://127.0.0.1:1", "", store.Options{BusyTimeout: 300 * time.Millisecond})
	var server *store.ServerError
	if !errors.As(err, &server) || !server.Unknown || !strings.Contains(err.Error(), "does not answer; start it, or check store.url") {
		t.Errorf("%v", err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}
