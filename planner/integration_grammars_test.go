//go:build integration

package planner

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"catena/planner/plan"
)

// runGrammars has testdata/grammars/check.py make grammars of a schema. Python is $PYTHON, or python3; the source of
// llama-cpp-python is $LLAMA_CPP_PYTHON, or what .ci/run puts into .bin/grammars. With $XGRAMMAR set xgrammar is asked too.
func runGrammars(t *testing.T, schema json.RawMessage, good, bad []string) (string, error) {
	t.Helper()
	archive := os.Getenv("LLAMA_CPP_PYTHON")
	if archive == "" {
		found, err := filepath.Glob("../.bin/grammars/llama_cpp_python-*.tar.gz")
		if err != nil || len(found) == 0 {
			t.Fatal("there is no source of llama-cpp-python; run: pip download --no-deps --no-binary llama-cpp-python llama-cpp-python -d .bin/grammars")
		}
		archive = found[0]
	}
	task, err := json.Marshal(map[string]any{"schema": schema, "good": good, "bad": bad})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), cmp.Or(os.Getenv("PYTHON"), "python3"), "../internal/e2e/testdata/grammars/check.py", archive)
	if os.Getenv("XGRAMMAR") != "" {
		cmd.Args = append(cmd.Args, "xgrammar")
	}
	cmd.Stdin = bytes.NewReader(task)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestIntegrationGrammars: the servers of local models make a grammar of the schema for plans, with and without a request for
// more tools, and the grammar takes plans in the wire form.
func TestIntegrationGrammars(t *testing.T) {
	p, err := plan.Parse(`{"title":"Top clients","steps":[
		{"id":"s1","tool":"get_top_clients","args":{"region":"USA","limit":5}},
		{"id":"s2","tool":"get_client_revenue","args":{"client_ids":{"$ref":"s1.rows[*].client_id"}},"when":{"$ref":"s1.row_count","op":"gt","value":0}},
		{"id":"s3","tool":"show","args":{"name":{"$ref":"each"},"in":{"$concat":["a",{"$ref":"s1.row_count"}]}},"each":{"$ref":"s1.rows[*].name"}}],
		"answer":[{"$ref":"s1"},{"$ref":"s2"}]}`, plan.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	good := []string{string(p.Wire()), `{"refuse":"There is no weather here."}`}
	bad := []string{`[]`, `{"steps":[{"id":"s1"}]}`, `{"steps":[{"id":"s1","tool":"a","args":{},"when":{"ref":"s1"}}]}`}
	for _, hidden := range []int{0, 5} {
		if out, err := runGrammars(t, planSchema(hidden), good, bad); err != nil {
			t.Errorf("with %d hidden tools: %v\n%s", hidden, err, out)
		}
	}
	former := bytes.ReplaceAll(planSchema(0), []byte(`"ref"`), []byte(`"$ref"`))
	if out, err := runGrammars(t, former, nil, nil); err == nil || !strings.Contains(out, "llama.cpp: makes no grammar") {
		t.Errorf("a schema with properties called $ref is taken: the check finds nothing (%v)\n%s", err, out)
	}
}
