package runs

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"catena/chat"
	"catena/chat/chattest"
	"catena/internal/store"
)

// A run that cannot be taken over, since its record cannot be read or its caller had a scope that there is no more, ends after some looks, and says so.
func TestTakeoverGivesUp(t *testing.T) {
	for name, request := range map[string]string{
		"no JSON":  `{"message":"to`,
		"no scope": `{"message":"top","at":"2026-12-24T18:00:00Z","caller":{"id":"ann","scopes":["of:another:age"]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			ctx := t.Context()
			err := errors.Join(w.Store.CreateSession(ctx, "ann", "ses_1", "it", chattest.Clock), w.Store.StartRun(ctx, "ann", "run_1", "ses_1", []byte(request), nil, chattest.Clock))
			if err != nil {
				t.Fatal(err)
			}
			r := New(w.engine(), former{w.Store, []string{"run_1"}}, Options{Log: w.opts.Log})
			for i := range maxTakeovers {
				on, ended, err := r.Recover(ctx)
				if last := i == maxTakeovers-1; on != 0 || (ended == 1) != last || (err == nil) != last {
					t.Fatal(i, on, ended, err)
				}
				if i < maxTakeovers-1 {
					if _, err := w.Store.AcquireLease(ctx, "run_1"); err != nil && !errors.Is(err, store.ErrLeased) {
						t.Fatal(err)
					}
				}
			}
			resp, err := r.Wait(ctx, chattest.Ann, "run_1")
			if err != nil || resp.Error == nil || resp.Error.Code != codeInterrupted {
				t.Fatalf("%v %+v", err, resp.Error)
			}
			events, err := follow(ctx, r, "run_1", 0)
			if err != nil || strings.Join(types(events), " ") != chat.RunError {
				t.Error(err, types(events))
			}
			turns, err := w.engine().Turns(ctx, chattest.Ann, "ses_1", 10)
			if err != nil || len(turns) != 1 || turns[0].Outcome != chat.OutcomeError {
				t.Errorf("%v %+v", err, turns)
			}
			info, err := r.Get(ctx, chattest.Ann, "run_1")
			if data, jsonErr := json.Marshal(info); err != nil || jsonErr != nil || !strings.Contains(string(data), codeInterrupted) {
				t.Errorf("%v %v %s", err, jsonErr, data)
			}
		})
	}
}
