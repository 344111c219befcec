package server

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A client that waits for an answer when the server stops is told that its run goes on, and where; the run is not cancelled.
func TestStopping(t *testing.T) {
	for path, tc := range map[string]struct{ body, want string }{
		"/api/v1/chat":         {`{"message":"slow"}`, `"run_id":"run_1"`},
		"/v1/chat/completions": {`{"messages":[{"role":"user","content":"slow"}]}`, `/api/v1/runs/run_1`},
	} {
		t.Run(path, func(t *testing.T) {
			s, _, runs := newTest(t, func(o *Options) { o.Grace = 2 * time.Second })
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			ended := make(chan error, 1)
			go func() { ended <- s.Serve(ctx, l) }()
			go func() {
				for runs.count() == 0 {
					time.Sleep(time.Millisecond)
				}
				stop()
			}()
			resp, err := http.Post("http://"+l.Addr().String()+path, "application/json", strings.NewReader(tc.body))
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			var body json.RawMessage
			if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
				t.Fatal(err)
			}
			h := resp.Header
			if resp.StatusCode != http.StatusServiceUnavailable || h.Get("Retry-After") == "" || h.Get("X-Run-Id") != "run_1" || h.Get("X-Should-Retry") != "false" ||
				!strings.Contains(string(body), tc.want) || !strings.Contains(string(body), `"closing"`) {
				t.Errorf("%d %v %s", resp.StatusCode, h, body)
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
			if runs.cancelled("run_1") {
				t.Error("the run was cancelled")
			}
		})
	}
}

func (f *fakeRuns) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n
}

func (f *fakeRuns) cancelled(run string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.runs[run].stopped
}
