package memory_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"catena/internal/access"
	"catena/internal/store"
	"catena/tools"
	"catena/tools/memory"
)

func TestDuplicates(t *testing.T) {
	r := newRig(t, memory.Options{})
	id := r.keep("ann", "Globex prefers calls on Monday.", "client")
	res, s := r.call("ann", "store_memory", object{"content": "globex PREFERS calls,  on Monday", "tags": []any{"CLIENT", "calls"}})
	equal(t, "id", s["memory_id"], any(id))
	equal(t, "duplicate", s["duplicate"], any(true))
	equal(t, "tags", s["tags"], any([]any{"client", "calls"}))
	if !strings.Contains(res.Text, "known already") {
		t.Error(res.Text)
	}
	equal(t, "found by the new tag", len(r.search("ann", "calls")), 1)
	if other := r.keep("bob", "Globex prefers calls on Monday."); other == id {
		t.Error("bob got ann's memory")
	}
	if other := r.keep("ann", "Globex prefers calls on Tuesday."); other == id {
		t.Error("another day is not the same")
	}
	_, s = r.call("ann", "store_memory", object{"content": "Globex preferred a call on Monday"})
	near, _ := s["similar"].([]any)
	if s["duplicate"] != false || len(near) != 1 || near[0].(object)["memory_id"] != id {
		t.Error("similar:", s)
	}
}

func TestUpdateSupersedes(t *testing.T) {
	r := newRig(t, memory.Options{})
	id := r.keep("ann", "Globex prefers calls on Monday.", "client")
	res, s := r.call("ann", "update_memory", object{"memory_id": id, "content": "Globex prefers mail on Friday."})
	if res.IsError || s["version"] != 2.0 {
		t.Fatal(res.Text, s)
	}
	equal(t, "the tags stay", s["tags"], any([]any{"client"}))
	equal(t, "old words", r.search("ann", "Monday"), []string(nil))
	equal(t, "new words", r.search("ann", "Friday"), []string{"Globex prefers mail on Friday."})
	_, s = r.call("ann", "export_memories", nil)
	former := s["memories"].([]any)[0].(object)["former_versions"].([]any)
	if len(former) != 1 || former[0].(object)["content"] != "Globex prefers calls on Monday." || former[0].(object)["superseded_at"] == "" {
		t.Error("former versions:", former)
	}
	other := r.keep("ann", "Initech pays late.")
	res, _ = r.call("ann", "update_memory", object{"memory_id": other, "content": "Globex prefers MAIL on Friday"})
	equal(t, "the text of another", res.Code, "MEMORY_DUPLICATE")
	res, _ = r.call("ann", "update_memory", object{"memory_id": other})
	equal(t, "nothing to change", res.Code, "MEMORY_INVALID")
}

func TestConcurrentUpdates(t *testing.T) {
	r := newRig(t, memory.Options{})
	id := r.keep("ann", "start")
	const n = 40
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			_, err := r.registry.Call(context.Background(), tools.Call{Caller: access.Caller{ID: "ann"}, Tool: "update_memory",
				Args: object{"memory_id": id, "content": fmt.Sprintf("text number %d", i)}})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	_, s := r.call("ann", "export_memories", nil)
	m := s["memories"].([]any)[0].(object)
	said := map[any]bool{m["content"]: true}
	for _, f := range m["former_versions"].([]any) {
		said[f.(object)["content"]] = true
	}
	equal(t, "texts that are kept", len(said), n+1)
	equal(t, "version", m["version"], any(float64(n+1)))
}

func TestDelete(t *testing.T) {
	forgotten := map[string]int{}
	r := newRig(t, memory.Options{Forget: func(_ context.Context, owner string) error {
		forgotten[owner]++
		return nil
	}})
	id := r.keep("ann", "Globex prefers calls.")
	r.call("ann", "update_memory", object{"memory_id": id, "content": "Globex prefers mail."})
	res, err := r.registry.Call(context.Background(), tools.Call{Caller: access.Caller{ID: "ann"}, Tool: "delete_memory", Args: object{"memory_id": id}})
	if err != nil || res.Code != tools.CodeApproval {
		t.Fatal("without approval:", res.Code, err)
	}
	for _, bad := range []struct{ owner, id string }{{"bob", id}, {"ann", "mem_nothing"}, {"ann", "'; DROP TABLE memories; --"}, {"ann", "\x00\xff"}} {
		res, s := r.call(bad.owner, "delete_memory", object{"memory_id": bad.id})
		if res.Code != "MEMORY_NOT_FOUND" || s["code"] != "MEMORY_NOT_FOUND" || s["hint"] == "" || s["error"] == "" {
			t.Error(bad, res.Text, s)
		}
	}
	if res, _ := r.call("ann", "delete_memory", object{"memory_id": id}); res.IsError {
		t.Fatal(res.Text)
	}
	equal(t, "forgotten", forgotten["ann"], 2)
	equal(t, "found", r.search("ann", "Globex"), []string(nil))
	_, s := r.call("ann", "export_memories", nil)
	equal(t, "exported", s["total"], any(0.0))
	res, _ = r.call("ann", "update_memory", object{"memory_id": id, "content": "back"})
	equal(t, "changing what is gone", res.Code, "MEMORY_NOT_FOUND")
}

// TestDeleteIsNotLeftHalfDone fails before and after the memory goes, and repeats the call.
func TestDeleteIsNotLeftHalfDone(t *testing.T) {
	failing, calls := 1, 0
	r := newRig(t, memory.Options{Forget: func(context.Context, string) error {
		if calls++; calls == failing {
			return errors.New("the disk is full")
		}
		return nil
	}})
	id := r.keep("ann", "Globex prefers calls.")
	remove := func() (tools.Result, error) {
		return r.registry.Call(context.Background(), tools.Call{Caller: access.Caller{ID: "ann"}, Tool: "delete_memory", Args: object{"memory_id": id}, Approve: true})
	}
	if _, err := remove(); err == nil {
		t.Error("no error though the copies stayed")
	}
	equal(t, "still there", len(r.search("ann", "Globex")), 1)
	failing, calls = 2, 0
	if _, err := remove(); err == nil {
		t.Error("no error though new copies stayed")
	}
	equal(t, "gone", len(r.search("ann", "Globex")), 0)
	calls, failing = 0, 0
	res, err := remove()
	if err != nil || res.Code != "MEMORY_NOT_FOUND" || calls == 0 {
		t.Error("the repeated call:", res.Text, err, calls)
	}
}

// TestCancelledDelete cancels deletions at any time: a memory is never gone without its copies.
func TestCancelledDelete(t *testing.T) {
	var mu sync.Mutex
	forgotten := map[string]int{}
	r := newRigIn(t, filepath.Join(t.TempDir(), "s.db"), memory.Options{Forget: func(ctx context.Context, owner string) error {
		mu.Lock()
		defer mu.Unlock()
		forgotten[owner]++
		return ctx.Err()
	}})
	for i := range 60 {
		owner := fmt.Sprint("owner", i)
		id := r.keep(owner, "Globex prefers calls.")
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i)*100*time.Microsecond)
		res, err := r.registry.Call(ctx, tools.Call{Caller: access.Caller{ID: owner}, Tool: "delete_memory", Args: object{"memory_id": id}, Approve: true})
		cancel()
		var gone error
		times, whole := 0, false
		for range 1000 { // one that has begun goes on behind the call
			mu.Lock()
			times = forgotten[owner]
			mu.Unlock()
			_, gone = r.store.GetMemory(context.Background(), owner, id)
			if whole = times == 0 && gone == nil || times == 2 && gone != nil; whole {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if !whole {
			t.Errorf("after %d ms/10: %v %v; gone: %v, forgotten %d times", i, res.Text, err, gone, times)
		}
	}
}

// TestNoTagsIsAList holds the shape for clients that read JSON.
func TestNoTagsIsAList(t *testing.T) {
	r := newRig(t, memory.Options{})
	id := r.keep("ann", "Globex prefers calls.")
	_, s := r.call("ann", "update_memory", object{"memory_id": id, "content": "Globex prefers mail."})
	equal(t, "after a change", s["tags"], any([]any{}))
	_, s = r.call("ann", "store_memory", object{"content": "Globex prefers mail"})
	equal(t, "a duplicate", s["tags"], any([]any{}))
}

func TestBadInput(t *testing.T) {
	r := newRig(t, memory.Options{})
	eleven := make([]any, 11)
	for i := range eleven {
		eleven[i] = fmt.Sprint("tag", i)
	}
	tests := []struct {
		name, tool string
		args       object
		code       string
	}{
		{"empty", "store_memory", object{"content": ""}, tools.CodeInvalidArguments},
		{"missing", "store_memory", object{}, tools.CodeInvalidArguments},
		{"spaces", "store_memory", object{"content": " \n\t"}, "MEMORY_INVALID"},
		{"NUL", "store_memory", object{"content": "a\x00b"}, "MEMORY_INVALID"},
		{"not UTF-8", "store_memory", object{"content": "a\xffb"}, "MEMORY_INVALID"},
		{"too long", "store_memory", object{"content": strings.Repeat("x", 16<<10+1)}, tools.CodeInvalidArguments},
		{"too many bytes", "store_memory", object{"content": strings.Repeat("ö", 10<<10)}, "MEMORY_INVALID"},
		{"eleven tags", "store_memory", object{"content": "x", "tags": eleven}, tools.CodeInvalidArguments},
		{"a long tag", "store_memory", object{"content": "x", "tags": []any{strings.Repeat("x", 51)}}, tools.CodeInvalidArguments},
		{"an empty tag", "store_memory", object{"content": "x", "tags": []any{"  "}}, "MEMORY_INVALID"},
		{"an odd namespace", "store_memory", object{"content": "x", "namespace": "a b"}, tools.CodeInvalidArguments},
		{"an empty query", "search_memory", object{"query": "  "}, "MEMORY_INVALID"},
		{"a query with NUL", "search_memory", object{"query": "a\x00"}, "MEMORY_INVALID"},
		{"a huge query", "search_memory", object{"query": strings.Repeat("x", 64<<10+1)}, tools.CodeInvalidArguments},
		{"no limit", "search_memory", object{"query": "x", "limit": 0.0}, tools.CodeInvalidArguments},
		{"a large limit", "search_memory", object{"query": "x", "limit": 21.0}, tools.CodeInvalidArguments},
		{"after nothing", "list_memories", object{"after": "mem_x"}, "MEMORY_NOT_FOUND"},
	}
	for _, test := range tests {
		res, _ := r.call("ann", test.tool, test.args)
		if !res.IsError || res.Code != test.code || res.Text == "" {
			t.Errorf("%s: %q %s", test.name, res.Code, res.Text)
		}
	}
	_, s := r.call("ann", "list_memories", nil)
	equal(t, "stored", s["total"], any(0.0))
	r.keep("ann", strings.Repeat("x", 16<<10), "a, b", "c;d", `e"f`)
}

func TestFull(t *testing.T) {
	r := newRig(t, memory.Options{Most: 1})
	r.keep("ann", "one")
	res, _ := r.call("ann", "store_memory", object{"content": "two"})
	equal(t, "code", res.Code, "MEMORY_FULL")
	r.keep("bob", "one")
}

// TestStoreGone closes the store under the tools.
func TestStoreGone(t *testing.T) {
	r := newRig(t, memory.Options{})
	id := r.keep("ann", "Globex prefers calls.")
	if err := r.store.Close(); err != nil {
		t.Fatal(err)
	}
	for tool, args := range map[string]object{
		"store_memory": {"content": "x"}, "search_memory": {"query": "Globex"}, "list_memories": {}, "export_memories": {},
		"update_memory": {"memory_id": id, "content": "x"}, "delete_memory": {"memory_id": id},
	} {
		_, err := r.registry.Call(context.Background(), tools.Call{Caller: access.Caller{ID: "ann"}, Tool: tool, Args: args, Approve: true})
		if !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s: %v", tool, err)
		}
	}
}

// A change of the text alone gives a list of tags as well, and bad arguments say what is wrong and what to do.
func TestUpdateShapes(t *testing.T) {
	r := newRig(t, memory.Options{})
	_, s := r.call("ann", "store_memory", object{"content": "the demo is on Thursday"})
	if _, s = r.call("ann", "update_memory", object{"memory_id": s["memory_id"], "content": "the demo is on Friday"}); s["tags"] == nil {
		t.Errorf("tags are %v", s["tags"])
	}
	if res, s := r.call("ann", "update_memory", object{"content": 1}); !res.IsError || s["error"] == nil || s["hint"] == nil || s["code"] != "invalid_arguments" {
		t.Errorf("bad arguments give %v", s)
	}
}
