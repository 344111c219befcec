package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/tiktoken-go/tokenizer"

	"catena/bench/sets"
	"catena/planner"
	"catena/planner/offline"
	"catena/planner/plan"
	"catena/tools"
	"catena/tools/data"
)

// schemas measures the tools' share of a prompt.
func schemas(ctx context.Context, codec tokenizer.Codec, o *sets.Options, f *figures) error {
	catalogue, err := catalogueOfTools(o)
	if err != nil {
		return err
	}
	queries, err := toolQueries(o)
	if err != nil {
		return err
	}
	f.Tools = len(catalogue)
	for _, t := range catalogue {
		raw, err := jsonOf(t)
		if err != nil {
			return err
		}
		n, err := codec.Count(string(raw))
		if err != nil {
			return err
		}
		f.AllSchemas += n
	}
	model := &recorder{answer: `{"refuse":"only the prompt is of interest"}`}
	llm := &planner.LLM{Completer: model, Shortlist: offline.Shortlist}
	total := 0
	for _, q := range queries {
		model.prompts = nil
		if _, err := llm.Plan(ctx, plan.Request{Message: q, Tools: catalogue}); err != nil {
			return err
		}
		_, described, _ := strings.Cut(model.prompts[0].System, "\n# Tools\n")
		described += strings.TrimSuffix(model.prompts[0].Messages[0].Text, q+"\n") // those that fit the message
		n, err := codec.Count(described)
		if err != nil {
			return err
		}
		total += n
	}
	f.Schemas = float64(total) / float64(max(len(queries), 1))
	f.SchemasFewer = 1 - f.Schemas/float64(f.AllSchemas)
	return nil
}

// catalogueOfTools are the data tools and as many of a public pool of MCP servers' tools as make catalogueOf.
func catalogueOfTools(o *sets.Options) ([]plan.Tool, error) {
	rows, err := sets.Lines[struct {
		ID          string          `json:"id"`
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"inputSchema"`
	}](o.Path("retrieval", "livemcpbench", "tools.jsonl"), 0)
	if err != nil {
		return nil, err
	}
	reg := tools.NewRegistry(tools.Options{})
	if err := reg.Register(data.New(data.Options{Tables: reg.Tables()}).Tools()...); err != nil {
		return nil, err
	}
	list := reg.Planning(bench)
	for _, r := range rows {
		if len(list) == catalogueOf {
			break
		}
		server, _, _ := strings.Cut(r.ID, "::")
		list = append(list, plan.Tool{Name: server + "__" + r.Name, Toolset: server, Description: r.Description, InputSchema: r.Schema})
	}
	return list, nil
}
