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
	"catena/planner/wireschema"
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

// TestIntegrationGrammarsByTool: they make a grammar of the schemas of a prompt's tools, too, in both forms; one plan of each tool
// is taken, and slips are not.
func TestIntegrationGrammarsByTool(t *testing.T) {
	tools := []wireschema.Tool{
		{Name: "none", Args: json.RawMessage(`{"type":"object"}`)},
		{Name: "query_table", Only: []string{"sql"}, Args: json.RawMessage(`{"properties":{"sql":{"type":"string"}}}`)},
		{Name: "top", Args: json.RawMessage(`{"properties":{"n":{"type":"integer"},"by":{"enum":["a","b"]}},"required":["n"]}`)},
		{Name: "draw", Args: json.RawMessage(`{"properties":{"data":{"type":"string","format":"table-ref"},"axis":{"anyOf":[{"type":"string"},
			{"type":"object","properties":{"column":{"type":"string"}},"required":["column"]}]},"marks":{"type":"array","items":{"type":"number"}},
			"any":{},"open":{"type":"object"}},"required":["data"]}`)},
	}
	byTool, strict := schemasOf(tools, 1)
	step := func(tool, args, rest string) string {
		return `{"steps":[{"id":"s1","tool":"` + tool + `","args":` + args + rest + `}]}`
	}
	good := []string{
		step("none", `{}`, ""), step("query_table", `{"sql":"SELECT 1"}`, ""), step("top", `{"n":3,"by":"a"}`, ""),
		step("top", `{"n":{"ref":"each"}}`, `,"each":{"ref":"s0.rows[*].n"}`),
		step("draw", `{"data":{"ref":"s0"},"axis":{"column":"x"},"marks":[1.5]}`, `,"when":{"ref":"s0.row_count","op":"gt","value":0}`),
		step("draw", `{"data":"clients","any":"x","open":{"a":[1]}}`, ""), `{"more_tools":"weather"}`, `{"refuse":"no"}`,
	}
	bad := []string{step("nothing", `{}`, ""), step("none", `{"x":1}`, ""), step("top", `{"n":"3"}`, ""), step("top", `{"n":3,"by":"c"}`, ""), step("draw", `{}`, "")}
	if out, err := runGrammars(t, byTool, good, bad); err != nil {
		t.Errorf("by tool: %v\n%s", err, out)
	}
	head, tail := `{"more_tools":null,"title":"t","confidence":null,"clarify":null,"refuse":null,"steps":[`, `],"answer":null}`
	good = []string{
		head + `{"id":"s1","tool":"top","args":{"n":3,"by":null},"each":null,"when":null}` + tail,
		head + `{"id":"s1","tool":"draw","args":{"data":{"ref":"s0"},"axis":{"column":"x"},"marks":null,"any":"1","open":null},"each":null,"when":null}` + tail,
	}
	bad = []string{head + `{"id":"s1","tool":"top","args":{"n":3},"each":null,"when":null}` + tail, head + `{"id":"s1","tool":"none","args":{"x":1},"each":null,"when":null}` + tail}
	if out, err := runGrammars(t, strict, good, bad); err != nil {
		t.Errorf("strict: %v\n%s", err, out)
	}
}
