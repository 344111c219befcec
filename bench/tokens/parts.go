package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/tiktoken-go/tokenizer"

	"catena/bench/sets"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/planner"
	"catena/planner/offline"
	"catena/planner/plan"
	"catena/table"
	"catena/table/load"
	"catena/tools"
	"catena/tools/crm"
	"catena/tools/data"
	"catena/tools/handle"
)

// world is what the prompts of one figure are made over.
type world struct {
	name      string
	bar       int // tokens of the largest prompt
	tools     []plan.Tool
	tables    []plan.TableInfo
	values    plan.Values
	questions []string
}

// measured are the figures of one world.
type measured struct {
	Parts  map[string]float64 `json:"parts"`   // tokens, mean over the questions
	Most   int                `json:"most"`    // tokens of the largest prompt, its schema apart
	Schema int                `json:"schema"`  // tokens of the largest schema of any plan
	ByTool int                `json:"by_tool"` // of the largest schema of its tools, strict where that is larger
	Prefix float64            `json:"prefix"`  // share of a prompt that it shares with the one before, the least
}

// The bars of prompts.
const (
	mostDemo    = 4000
	mostCSV     = 3000
	mostHundred = 6000
	leastPrefix = 0.95
)

// noon is when the questions are asked.
var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// demoQuestions ask for different things of the same data.
var demoQuestions = []string{
	question,
	"total revenue by region in 2025",
	"which industries have the highest gross margin?",
	"open urgent tickets by assignee, oldest first",
	"share of revenue of each segment, as a chart",
	"how did orders develop from month to month in Germany?",
	"top 3 clients of each region by revenue",
	"clients without a ticket this year",
	"why did revenue change between Q1 and Q2 2026?",
	"are there outliers in first response times?",
}

// csvQuestions are about the table of oneCSV.
var csvQuestions = []string{
	"average price by category",
	"how many orders were returned in March?",
	"the ten largest orders",
	"share of each category of the total",
	"compare returned and kept orders",
}

// oneCSV is a small export, as people upload them.
func oneCSV() string {
	var out strings.Builder
	out.WriteString("order_id,ordered_at,category,item,price_eur,quantity,returned\n")
	for i := range 200 {
		fmt.Fprintf(&out, "%d,2026-%02d-%02d,%s,item %d,%d.%02d,%d,%v\n", 1000+i, 1+i%9, 1+i%28,
			[]string{"books", "games", "tools", "toys"}[i%4], i%37, 5+i%90, i%100, 1+i%6, i%11 == 0)
	}
	return out.String()
}

// prompts measures the prompts of all worlds, and says which bars they miss.
func prompts(ctx context.Context, codec tokenizer.Codec, o *sets.Options, f *figures) ([]error, error) {
	db, err := sqlite.Open(ctx, ":memory:", store.Options{})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	tables := handle.New(handle.Options{Store: db, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	defer tables.Close()
	worlds, err := worldsOf(ctx, tables, o)
	if err != nil {
		return nil, err
	}
	f.Prompts = map[string]measured{}
	var missed []error
	for _, w := range worlds {
		m, err := w.measure(ctx, codec)
		if err != nil {
			return nil, err
		}
		f.Prompts[w.name] = m
		m.tell(w)
		if m.Most > w.bar {
			missed = append(missed, fmt.Errorf("a prompt over %s has %d tokens, more than %d", w.name, m.Most, w.bar))
		}
		if w.tables != nil && m.Prefix < leastPrefix {
			missed = append(missed, fmt.Errorf("prompts over %s share %.1f %%, less than %.0f %%",
				w.name, 100*m.Prefix, 100*leastPrefix))
		}
	}
	return missed, nil
}

func (m measured) tell(w world) {
	fmt.Printf("a prompt over %s, tokens: %d at most (bar %d); %.1f %% shared by two questions\n",
		w.name, m.Most, w.bar,
		100*m.Prefix)
	fmt.Printf("  beside it a schema of any plan %d, of its tools %d at most\n", m.Schema, m.ByTool)
	names := make([]string, 0, len(m.Parts))
	for name := range m.Parts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Printf("  %-12s %7.0f\n", name, m.Parts[name])
	}
}

func worldsOf(ctx context.Context, tables *handle.Tables, o *sets.Options) ([]world, error) {
	demo, err := demoSources(ctx, tables)
	if err != nil {
		return nil, err
	}
	demoWorld, err := newWorld(ctx, "the demo", mostDemo, demo, tables, crm.Tools(), demoQuestions)
	if err != nil {
		return nil, err
	}
	file, err := load.Bytes([]byte(oneCSV()), "orders.csv", table.Limits{})
	if err != nil {
		return nil, err
	}
	upload := data.NewSources(tables, table.Limits{})
	upload.Add(data.SourceTable{Name: "orders", Table: file.Table, Source: "orders.csv"})
	csvWorld, err := newWorld(ctx, "one CSV", mostCSV, upload, tables, nil, csvQuestions)
	if err != nil || o.Data == "" {
		return []world{demoWorld, csvWorld}, err
	}
	many, err := catalogueOfTools(o)
	if err != nil {
		return nil, err
	}
	queries, err := toolQueries(o)
	if err != nil {
		return nil, err
	}
	const few = 20
	return []world{demoWorld, csvWorld, {name: fmt.Sprintf("%d tools", len(many)), bar: mostHundred, tools: many,
		questions: queries[:min(few, len(queries))]}}, nil
}

func newWorld(ctx context.Context, name string, bar int, sources *data.Sources, tables *handle.Tables,
	more []tools.Tool, questions []string) (world, error) {
	kit := data.New(data.Options{Sources: sources, Tables: tables})
	reg := tools.NewRegistry(tools.Options{Tables: tables})
	if err := reg.Register(append(kit.Tools(), more...)...); err != nil {
		return world{}, err
	}
	infos, err := kit.Describe(ctx, bench, "")
	return world{name: name, bar: bar, tools: reg.Planning(bench), tables: infos, values: kit.Values(ctx, bench, ""),
		questions: questions}, err
}

// measure asks a model that only notes its prompts.
func (w world) measure(ctx context.Context, codec tokenizer.Codec) (measured, error) {
	model := &recorder{answer: `{"refuse":"only the prompt is of interest"}`}
	llm := &planner.LLM{Completer: model, Shortlist: offline.Shortlist}
	m := measured{Parts: map[string]float64{}, Prefix: 1}
	var before []uint
	for _, q := range w.questions {
		model.prompts = nil
		req := plan.Request{Message: q, Tools: w.tools, Tables: w.tables, Values: w.values, Now: noon}
		if _, err := llm.Plan(ctx, req); err != nil {
			return m, err
		}
		p := model.prompts[0]
		ids, err := w.count(codec, p, &m)
		if err != nil {
			return m, err
		}
		if before != nil {
			m.Prefix = min(m.Prefix, float64(shared(before, ids))/float64(max(len(ids), len(before))))
		}
		before = ids
	}
	return m, nil
}

// count adds the tokens of a prompt's parts, and gives those of its text.
func (w world) count(codec tokenizer.Codec, p planner.Prompt, m *measured) ([]uint, error) {
	schema, err := codec.Count(string(p.Schema))
	if err != nil {
		return nil, err
	}
	m.Schema = max(m.Schema, schema)
	for _, raw := range []json.RawMessage{p.ByTool, p.Strict} {
		n, err := codec.Count(string(raw))
		if err != nil {
			return nil, err
		}
		m.ByTool = max(m.ByTool, n)
	}
	all := p.System
	for name, text := range partsOf(p) {
		n, err := codec.Count(text)
		if err != nil {
			return nil, err
		}
		m.Parts[name] += float64(n) / float64(len(w.questions))
	}
	m.Parts["schema"] += float64(schema) / float64(len(w.questions))
	for _, message := range p.Messages {
		all += "\n" + message.Text
	}
	ids, _, err := codec.Encode(all)
	m.Most = max(m.Most, len(ids))
	return ids, err
}

// partsOf cuts a prompt at its headings.
func partsOf(p planner.Prompt) map[string]string {
	parts := map[string]string{}
	for i, text := range strings.Split(p.System, "\n# ") {
		name := "rules"
		if i > 0 {
			name, _, _ = strings.Cut(text, "\n")
		}
		parts[strings.ToLower(name)] += text
	}
	for _, m := range p.Messages {
		parts["message"] += m.Text
	}
	return parts
}

// shared counts the tokens with which two prompts begin.
func shared(a, b []uint) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// longest bounds the questions of the set with many tools, in bytes: one of them is a paper.
const longest = 1000

// toolQueries are the questions of the set with many tools.
func toolQueries(o *sets.Options) ([]string, error) {
	path := o.Path("retrieval", "livemcpbench", "SPLIT", "queries.jsonl")
	rows, err := sets.Lines[struct{ Query string }](path, o.Limit)
	out := make([]string, 0, len(rows))
	for _, r := range rows {
		if len(r.Query) <= longest {
			out = append(out, r.Query)
		}
	}
	return out, err
}

// jsonOf is a tool as an API with tool calls is sent it.
func jsonOf(t plan.Tool) ([]byte, error) {
	return json.Marshal(map[string]any{"type": "function", "function": map[string]any{
		"name": t.Name, "description": t.Description, "parameters": t.InputSchema}})
}
