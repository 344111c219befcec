package memory_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/tools"
	"catena/tools/memory"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type object = map[string]any

// rig is a registry with the tools over a store of its own.
type rig struct {
	t        testing.TB
	store    *sqlite.Store
	kit      *memory.Toolkit
	registry *tools.Registry
}

func newRig(t testing.TB, opt memory.Options) *rig {
	t.Helper()
	return newRigIn(t, ":memory:", opt)
}

// newRigIn is newRig over a file.
func newRigIn(t testing.TB, path string, opt memory.Options) *rig {
	t.Helper()
	s, err := sqlite.Open(context.Background(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return rigOn(t, s, opt)
}

func rigOn(t testing.TB, s *sqlite.Store, opt memory.Options) *rig {
	t.Helper()
	if opt.Store == nil {
		opt.Store = s
	}
	opt.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	kit, err := memory.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kit.Close() })
	r := tools.NewRegistry(tools.Options{Log: opt.Log})
	if err := r.Register(kit.Tools()...); err != nil {
		t.Fatal(err)
	}
	if err := r.RegisterLive(kit.Live()...); err != nil {
		t.Fatal(err)
	}
	if err := r.RegisterPrompts(kit.Prompts()...); err != nil {
		t.Fatal(err)
	}
	return &rig{t, s, kit, r}
}

// call calls a tool as a caller and returns the result with its structure as JSON has it.
func (r *rig) call(owner, tool string, args object) (tools.Result, object) {
	r.t.Helper()
	res, err := r.registry.Call(context.Background(), tools.Call{Caller: access.Caller{ID: owner}, Tool: tool, Args: args, Approve: true})
	if err != nil {
		r.t.Fatal(tool, err)
	}
	raw, err := json.Marshal(res.Structured)
	if err != nil {
		r.t.Fatal(err)
	}
	var s object
	if err := json.Unmarshal(raw, &s); err != nil {
		r.t.Fatalf("%s gave %s: %v", tool, raw, err)
	}
	return res, s
}

// keep stores a text and returns its id.
func (r *rig) keep(owner, content string, tags ...any) string {
	r.t.Helper()
	res, s := r.call(owner, "store_memory", object{"content": content, "tags": tags})
	if res.IsError {
		r.t.Fatal(res.Text)
	}
	return s["memory_id"].(string)
}

// keepAll stores many texts, several at a time.
func (r *rig) keepAll(owner string, n int, text func(i int) string) {
	r.t.Helper()
	var wg sync.WaitGroup
	for part := range 32 {
		wg.Go(func() {
			for i := part; i < n; i += 32 {
				content := text(i)
				m := memory.Memory{ID: fmt.Sprintf("mem_%s_%s", owner, content), Namespace: "default", Content: content}
				if _, _, err := r.store.AddMemory(context.Background(), owner, m, memory.IndexOf(content, nil), 1e9); err != nil {
					r.t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// search returns the contents that were found, best first.
func (r *rig) search(owner, query string) []string {
	r.t.Helper()
	res, s := r.call(owner, "search_memory", object{"query": query})
	if res.IsError {
		r.t.Fatal(res.Text)
	}
	var out []string
	for _, x := range s["results"].([]any) {
		out = append(out, x.(object)["content"].(string))
	}
	return out
}

func equal(t testing.TB, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestRememberAndFind(t *testing.T) {
	r := newRig(t, memory.Options{})
	const monday = "Globex prefers calls on Monday."
	r.keep("ann", monday, "clients")
	r.keep("ann", "Initech pays its invoices late.")
	r.keep("ann", "The paymentService runs on port 8080; its owner is the billing_team.")
	r.keep("bob", "Globex is a secret of Bob's.")
	tests := []struct {
		query string
		want  []string
	}{
		{"Globex calls Monday", []string{monday}},
		{"what do I know about Globex?", []string{monday}},
		{"who called Globex", []string{monday}},
		{"Globx", []string{monday}},
		{"mondya", []string{monday}},
		{"clients", []string{monday}},
		{"invoicing", []string{"Initech pays its invoices late."}},
		{"pay", []string{"Initech pays its invoices late.", "The paymentService runs on port 8080; its owner is the billing_team."}},
		{"billing", []string{"The paymentService runs on port 8080; its owner is the billing_team."}},
		{"payment_service", []string{"The paymentService runs on port 8080; its owner is the billing_team."}},
		{"secret", nil},
		{`AND OR NEAR( * "`, nil},
		{"???", nil},
	}
	for _, test := range tests {
		equal(t, test.query, r.search("ann", test.query), test.want)
	}
}
