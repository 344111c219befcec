package code

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"catena/tools"
	"catena/tools/code/codetest"
	"catena/tools/code/workspace"
)

// told checks an error's shape for a family of tools and returns it.
func told(t *testing.T, res tools.Result, tool, code string) map[string]any {
	t.Helper()
	m := structured(t, res)
	if !res.IsError || m["code"] != code || res.Code != strings.ToLower(code) {
		t.Fatalf("%s: got %v (%s), want %s", tool, m, res.Code, code)
	}
	for _, key := range []string{"error", "hint"} {
		if s, _ := m[key].(string); len(s) < 10 || !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") && !strings.HasSuffix(s, `"`) {
			t.Errorf("%s: the %s is no sentence: %q", tool, key, s)
		}
	}
	_, named := m["tool"]
	if want := slices.Contains([]string{"semantic_search", "search_code", "find_similar", "get_files_context", "list_functions", "get_dependents", "get_complexity"}, tool); named != want {
		t.Errorf("%s: the error names its tool: %v, want %v", tool, named, want)
	}
	return m
}

// intelligence are the tools over the current workspace, with arguments that are right.
var intelligence = map[string]string{"semantic_search": `{"query":"money"}`, "search_code": `{"query":"money"}`, "find_similar": `{"code":"x := 1"}`,
	"get_files_context": `{"filepath":"mail.go"}`, "list_functions": `{}`, "get_dependents": `{"filepath":"payment"}`, "get_complexity": `{}`}

func TestNeverIndexed(t *testing.T) {
	k := cook(t, market)
	for tool, args := range intelligence {
		m := told(t, k.call(tool, args), tool, CodeIndexNotFound)
		if info, _ := m["indexInfo"].(map[string]any); info["state"] != workspace.NeverIndexed || !strings.Contains(m["hint"].(string), "ensure_repo_index") {
			t.Errorf("%s: %v", tool, m)
		}
	}
}

func TestAutoIndex(t *testing.T) {
	k := cook(t, market, func(o *Options) { o.AutoIndex = true })
	if got := column(t, k.call("list_functions", `{"pattern":"Refund"}`), "path"); !slices.Equal(got, []string{"payment/ledger.go"}) {
		t.Errorf("got %v", got)
	}
}

// An index that is being made says how far it is; one that is stopped says that.
func TestIndexing(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	k := cook(t, market, func(o *Options) {
		first := true
		o.Embed = func(ctx context.Context, texts []string) ([][]float32, error) {
			if first {
				first = false
				close(entered)
				select {
				case <-leave:
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}
			return make([][]float32, len(texts)), errors.New("no vectors today")
		}
	})
	done := make(chan tools.Result, 1)
	go func() { done <- k.call("ensure_repo_index", `{"path":"."}`) }()
	<-entered
	id := k.kit.workspaces.List(ann.ID)[0].IndexID
	m := told(t, k.call("ask_index", `{"index_id":"`+id+`","question":"what?"}`), "ask_index", CodeIndexNotReady)
	if info := m["indexInfo"].(map[string]any); info["state"] != workspace.Indexing || info["reindexInProgress"] != true || !strings.Contains(m["error"].(string), "%") {
		t.Errorf("got %v", m)
	}
	waits := make(chan tools.Result, 1) // the code intelligence tools wait a while for a first index
	go func() { waits <- k.call("search_code", `{"query":"money"}`) }()
	if m := structured(t, k.call("cancel", `{"operation_id":"`+id+`"}`)); m["status"] != workspace.Cancelled || m["ok"] != true {
		t.Errorf("cancel: %v", m)
	}
	close(leave)
	told(t, <-done, "ensure_repo_index", CodeCancelled)
	told(t, <-waits, "search_code", CodeIndexNotReady)
	told(t, k.call("search_repo", `{"index_id":"`+id+`","query":"x"}`), "search_repo", CodeIndexNotReady)
}

func TestStates(t *testing.T) {
	c := &clock{at: time.Now()}
	k := cook(t, market, func(o *Options) { o.Now = c.now })
	codetest.Age(t, k.root)
	k.index()
	info := func(res tools.Result) map[string]any {
		t.Helper()
		if res.IsError {
			t.Fatal(res.Text)
		}
		m, _ := structured(t, res)["indexInfo"].(map[string]any)
		return m
	}
	fresh := k.call("list_functions", `{}`)
	if m := info(fresh); m["state"] != workspace.Fresh || len(fresh.Notes) > 0 || !fresh.AsOf.IsZero() {
		t.Errorf("fresh: %v %v", m, fresh.Notes)
	}
	codetest.Put(t, k.root, map[string]string{"late.go": "package main\n\nfunc late() {}\n"})
	c.at = c.at.Add(time.Hour)
	stale := k.call("list_functions", `{}`)
	if m := info(stale); m["state"] != workspace.Stale || m["stale_since"] == nil || stale.AsOf.IsZero() || !strings.Contains(strings.Join(stale.Notes, " "), "stale") {
		t.Errorf("stale: %v %v", m, stale.Notes)
	}
	k.index()
	if got := column(t, k.call("list_functions", `{"pattern":"late"}`), "function"); !slices.Equal(got, []string{"late"}) {
		t.Errorf("after indexing anew: %v", got)
	}
	if err := os.RemoveAll(k.root); err != nil {
		t.Fatal(err)
	}
	c.at = c.at.Add(time.Hour)
	gone := k.call("list_functions", `{}`)
	if m := info(gone); m["state"] != workspace.Gone || !strings.Contains(strings.Join(gone.Notes, " "), "not there any more") || gone.Table.NumRows() == 0 {
		t.Errorf("gone: %v %v", m, gone.Notes)
	}
}

func TestEmpty(t *testing.T) {
	k := cook(t, nil)
	id := k.index()
	for tool, args := range intelligence {
		res := k.call(tool, args)
		m := structured(t, res)
		if info, _ := m["indexInfo"].(map[string]any); res.IsError || info["state"] != workspace.Empty || !strings.Contains(strings.Join(res.Notes, " "), "empty") {
			t.Errorf("%s over an empty index: %s %v", tool, res.Text, m)
		}
	}
	if m := structured(t, k.call("ask_index", `{"index_id":"`+id+`","question":"what is here?"}`)); m["found"] != false {
		t.Errorf("ask_index over an empty index: %v", m)
	}
}

func TestErrors(t *testing.T) {
	k := cook(t, market)
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(k.root, "way-out")); err != nil {
		t.Fatal(err)
	}
	id := k.index()
	for _, c := range []struct{ tool, args, code string }{
		{"ensure_repo_index", `{"path":"` + filepath.ToSlash(outside) + `"}`, workspace.CodePathNotAllowed},
		{"ensure_repo_index", `{"path":"way-out"}`, workspace.CodePathNotAllowed},
		{"ensure_repo_index", `{"path":"../../etc"}`, workspace.CodePathNotAllowed},
		{"ensure_repo_index", `{"path":"nowhere"}`, workspace.CodePathNotFound},
		{"ensure_repo_index", `{"path":"main.go"}`, workspace.CodeNotAFolder},
		{"ensure_repo_index", `{"path":".","rev":"v1.0.0"}`, CodeRevisionUnknown},
		{"search_repo", `{"index_id":"nope","query":"x"}`, CodeIndexNotFound},
		{"search_repo", `{"index_id":"../../etc/passwd","query":"x"}`, CodeIndexNotFound},
		{"search_repo", `{"index_id":"` + id + `","query":"  "}`, CodeBadArgument},
		{"ask_index", `{"index_id":"\u0000\n'; drop table","question":"x"}`, CodeIndexNotFound},
		{"ask_index", `{"index_id":"` + id + `","question":" \n "}`, CodeBadArgument},
		{"get_repo_bundle", `{"index_id":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}`, CodeIndexNotFound},
		{"cancel", `{"operation_id":"%2e%2e"}`, CodeIndexNotFound},
		{"search_code", `{"query":"x","workspace":"` + filepath.ToSlash(outside) + `"}`, workspace.CodePathNotAllowed},
		{"search_code", `{"query":"x","path":"nowhere"}`, CodeFileUnknown},
		{"find_similar", `{"code":"\n"}`, CodeBadArgument},
		{"get_files_context", `{}`, CodeBadArgument},
		{"get_files_context", `{"filepath":"ledgr.go"}`, CodeFileUnknown},
		{"get_dependents", `{"filepath":"/etc/passwd"}`, workspace.CodePathNotAllowed},
		{"get_dependents", `{"filepath":"../../../etc/passwd"}`, workspace.CodePathNotAllowed},
		{"get_dependents", `{"filepath":"server/\u0000.go"}`, CodeBadArgument},
		{"get_complexity", `{"files":["nothing.go"]}`, CodeFileUnknown},
		{"get_complexity", `{"files":[{"client":"Globex"}]}`, CodeBadArgument},
	} {
		m := told(t, k.call(c.tool, c.args), c.tool, c.code)
		if strings.Contains(m["error"].(string)+m["hint"].(string), outside) && !strings.Contains(c.args, filepath.ToSlash(outside)) {
			t.Errorf("%s %s tells where a link leads: %v", c.tool, c.args, m)
		}
	}
	if res := k.call("list_functions", `{}`); res.IsError || !strings.Contains(strings.Join(res.Notes, " "), "failed") {
		t.Errorf("an index that was asked for and failed hides the one that is there: %s %v", res.Text, res.Notes)
	}
	if m := structured(t, k.call("get_files_context", `{"filepath":"ledgr.go"}`)); !strings.Contains(m["hint"].(string), "payment/ledger.go") {
		t.Errorf("the nearest path is not named: %v", m)
	}
}

// A limit is told, with how many there are.
func TestLimits(t *testing.T) {
	k := cook(t, market)
	k.index()
	res := k.call("get_complexity", `{"limit":2}`)
	m := structured(t, res)
	if res.Table.NumRows() != 2 || res.Total != 6 || m["total"] != 6.0 || m["truncated"] != true {
		t.Errorf("%d rows of %d: %v", res.Table.NumRows(), res.Total, m["total"])
	}
	many := `["payment/ledger.go"` + strings.Repeat(`,"nowhere.go"`, maxFiles-1) + `]`
	if res := k.call("get_complexity", `{"files":`+many+`}`); res.IsError || res.Table.NumRows() != 2 || !strings.Contains(strings.Join(res.Notes, " "), "more") {
		t.Errorf("%d names: %s %v", maxFiles, res.Text, res.Notes)
	}
	if res := k.call("list_functions", `{"limit":6}`); res.Total != 0 || structured(t, res)["truncated"] != nil {
		t.Errorf("nothing was cut, and the total is %d", res.Total)
	}
	for tool, args := range map[string]string{"search_code": `{"query":"x","limit":0}`, "search_repo": `{"index_id":"x","query":"x","k":1000000}`, "get_complexity": `{"limit":-1}`,
		"find_similar": `{"code":"x","limit":101}`, "list_functions": `{"pattern":"` + strings.Repeat("a", 501) + `"}`} {
		if res := k.call(tool, args); !res.IsError || res.Code != tools.CodeInvalidArguments {
			t.Errorf("%s %.60s: %s", tool, args, res.Text)
		}
	}
	if res := k.call("find_similar", `{"code":"`+strings.Repeat("é", maxCode-10)+`"}`); !res.IsError || res.Code != strings.ToLower(CodeBadArgument) {
		t.Errorf("a snippet of too many bytes: %s", res.Text)
	}
}

// An embedder that fails costs the vectors, not the answer.
func TestEmbedderFails(t *testing.T) {
	calls := 0
	k := cook(t, market, func(o *Options) {
		o.Embed = func(_ context.Context, texts []string) ([][]float32, error) {
			calls++
			if len(texts) == 1 && strings.HasPrefix(texts[0], "money") {
				return nil, errors.New("down")
			}
			out := make([][]float32, len(texts))
			for i, s := range texts {
				out[i] = []float32{float32(len(s)), 1}
			}
			return out, nil
		}
	})
	k.index()
	res := k.call("search_code", `{"query":"money"}`)
	if res.IsError || res.Table.NumRows() == 0 || !strings.Contains(strings.Join(res.Notes, " "), "embedder") {
		t.Errorf("%s %v", res.Text, res.Notes)
	}
	before := calls
	for range 3 {
		if res := k.call("search_code", `{"query":"letters"}`); len(res.Notes) > 0 {
			t.Errorf("notes: %v", res.Notes)
		}
	}
	if calls != before+1 {
		t.Errorf("the same query was embedded %d times", calls-before)
	}
}
