package redis

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"catena/internal/store/backend"
)

// A call's journal is three fields of its run's hash: b and the step, what it began with; e and the step, how it ended; n and the
// step, how often it was begun.

// begun is what a call began with.
type begun struct {
	Tool     string `json:"tool"`
	Hash     string `json:"hash"`
	ReadOnly bool   `json:"read_only,omitempty"`
	At       int64  `json:"at"` // microseconds since 1970
	Token    string `json:"token"`
}

// ended is how a call ended; what it gave follows its line.
type ended struct {
	Status string `json:"status"`
	Took   int64  `json:"took"` // microseconds
	Kept   bool   `json:"kept,omitempty"`
}

// Begin journals that a tool is about to be called. A step that is begun again counts one more attempt.
func (s *Store) Begin(ctx context.Context, run, step, tool, argsHash string, readOnly bool) error {
	record, err := json.Marshal(begun{Tool: tool, Hash: argsHash, ReadOnly: readOnly, At: s.opts.Now().UnixMicro(), Token: newToken()})
	if err != nil {
		return err
	}
	keep := func(p redis.Pipeliner) {
		if strings.HasPrefix(run, backend.DirectRun) {
			p.PExpire(ctx, s.callsKey(run), s.opts.KeepCalls)
		}
	}
	carried := s.held.Epoch(run)
	begin := job{beginCall, []string{s.runKey(run), s.callsKey(run)}, []any{carried, step, record}}
	err = s.runAll(ctx, []job{begin}, keep, func(_ int, a answer, _ bool) error { return runAnswer(a, run, carried) })
	return s.held.Lose(run, err)
}

// End journals that a call returned, or could not, with what it gave (nil: nothing is kept). One without a Begin gives
// fs.ErrNotExist.
func (s *Store) End(ctx context.Context, run, step, status string, took time.Duration, result []byte) error {
	record, err := json.Marshal(ended{Status: status, Took: took.Microseconds(), Kept: result != nil})
	if err != nil {
		return err
	}
	record = append(append(record, '\n'), result...)
	carried := s.held.Epoch(run)
	err = s.run(ctx, endCall, []string{s.runKey(run), s.callsKey(run)}, func(a answer, _ bool) error {
		if a.word() == "no call" {
			return backend.Missing("call", run+"/"+step)
		}
		return runAnswer(a, run, carried)
	}, carried, step, record)
	return s.held.Lose(run, err)
}

// journaled is a step of a run that was called.
type journaled struct {
	step     string
	begun    begun
	attempts int
	ended    ended
	result   []byte
}

// journal reads what a run called, in the order of its beginnings.
func (s *Store) journal(ctx context.Context, run string) ([]journaled, error) {
	var all map[string]string
	err := s.retry(ctx, func(ctx context.Context, _ bool) (err error) {
		all, err = s.client.HGetAll(ctx, s.callsKey(run)).Result()
		return err
	})
	if err != nil {
		return nil, err
	}
	var calls []journaled
	for field, value := range all {
		step, ok := strings.CutPrefix(field, "b")
		if !ok {
			continue
		}
		c := journaled{step: step, ended: ended{Status: "started"}}
		if err := json.Unmarshal([]byte(value), &c.begun); err != nil {
			return nil, fmt.Errorf("store: the journal of run %s, step %s: %w", run, step, err)
		}
		if c.attempts, err = strconv.Atoi(all["n"+step]); err != nil {
			return nil, fmt.Errorf("store: the journal of run %s, step %s: %w", run, step, err)
		}
		if end := all["e"+step]; end != "" {
			line, result, _ := strings.Cut(end, "\n")
			if err := json.Unmarshal([]byte(line), &c.ended); err != nil {
				return nil, fmt.Errorf("store: the journal of run %s, step %s: %w", run, step, err)
			}
			if c.ended.Kept {
				c.result = []byte(result)
			}
		}
		calls = append(calls, c)
	}
	slices.SortFunc(calls, func(a, b journaled) int {
		return cmp.Or(cmp.Compare(a.begun.At, b.begun.At), cmp.Compare(a.step, b.step))
	})
	return calls, nil
}

// Calls gives each step of a run that was called, with its last call and how often it was begun. An error of each ends it and is
// returned.
func (s *Store) Calls(ctx context.Context, run string, each func(step, tool, argsHash, status string, attempts int, result []byte) error) error {
	calls, err := s.journal(ctx, run)
	if err != nil {
		return err
	}
	for _, c := range calls {
		if err := each(c.step, c.begun.Tool, c.begun.Hash, c.ended.Status, c.attempts, c.result); err != nil {
			return err
		}
	}
	return nil
}

// Unfinished lists the tools of a run that were called, may have changed something, and never reported back: their outcome is
// unknown.
func (s *Store) Unfinished(ctx context.Context, run string) ([]string, error) {
	calls, err := s.journal(ctx, run)
	if err != nil {
		return nil, err
	}
	var tools []string
	for _, c := range calls {
		if !c.begun.ReadOnly && (c.ended.Status == "started" || c.ended.Status == "unknown") {
			tools = append(tools, c.begun.Tool)
		}
	}
	return tools, nil
}
