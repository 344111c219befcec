package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/tiktoken-go/tokenizer"

	"catena/chat"
	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/planner"
	"catena/planner/plan"
	"catena/table"
	"catena/tools"
	"catena/tools/crm"
	"catena/tools/data"
	"catena/tools/handle"
)

// bench is who asks.
var bench = access.Local("bench")

const question = "Show me the top 5 USA clients, analyze their revenue trends, and chart the revenue of each"

// fiveSteps is the plan of the task.
const fiveSteps = `{"title":"top clients and their revenue","steps":[
{"id":"s1","tool":"get_top_clients","args":{"region":"USA","limit":5}},
{"id":"s2","tool":"get_client_revenue","args":{"client_ids":{"$ref":"s1.rows[*].client_id"}}},
{"id":"s3","tool":"analyze_trend","args":{"data":{"$ref":"s2"},"value_column":"revenue_usd","group_column":"client"}},
{"id":"s4","tool":"query_table","args":{"data":{"$ref":"s2"},"select":["client",{"expr":"sum","column":"revenue_usd","as":"revenue"}],"group_by":["client"]}},
{"id":"s5","tool":"visualize_data","args":{"data":{"$ref":"s4"},"chart_type":"bar","x":"client","y":"revenue"}}],
"answer":[{"$ref":"s1"},{"$ref":"s3"},{"$ref":"s5"}]}`

// reactPrompt is the script's instruction: that of the paper's prompts and of the libraries that follow it, for tools with JSON arguments.
const reactPrompt = `Answer the question as well as you can. You may use these tools:
%s
Use this form:

Question: the question to answer
Thought: what to do next
Action: the tool to call, one of those above
Action Input: its arguments as one JSON object
Observation: what the tool gave
... (Thought, Action, Action Input and Observation may come again)
Thought: I know the answer
Final Answer: the answer to the question

Begin.

Question: %s
`

// script are the thoughts before each call of the task and before the answer.
var script = []string{
	"I need the five clients in the USA with the most revenue.",
	"I have the clients. Now I need the revenue of these five over time.",
	"I have the revenue by month. Now I can analyze the trend of each client.",
	"Next I need the total revenue of each client for the chart.",
	"Now I can draw a bar chart of these totals.",
	"I know the answer.",
}

// recorder is a model that gives the plan, and keeps what it was asked.
type recorder struct {
	answer  string
	prompts []planner.Prompt
	summary planner.Prompt
}

// Complete implements planner.Completer.
func (r *recorder) Complete(_ context.Context, p planner.Prompt) (planner.Completion, error) {
	r.prompts = append(r.prompts, p)
	return planner.Completion{Text: r.answer}, nil
}

// Write implements chat.Writer.
func (r *recorder) Write(_ context.Context, system, prompt string) (string, plan.Usage, error) {
	r.summary = planner.Prompt{System: system, Messages: []planner.Message{{Role: "user", Text: prompt}}}
	return "That is what the tables show.", plan.Usage{Calls: 1}, nil
}

// observed keeps the arguments with which the plan's steps called their tools.
type observed struct{ calls []tools.Call }

// task runs the five steps through a turn, and writes the script with what the tools give.
func task(ctx context.Context, codec tokenizer.Codec, show bool, f *figures) error {
	db, err := sqlite.Open(ctx, ":memory:", store.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	tables := handle.New(handle.Options{Store: db, Log: log})
	defer tables.Close()
	var seen observed
	reg := tools.NewRegistry(tools.Options{Tables: tables, Journal: db, Log: log, Render: data.Render, Hooks: tools.Hooks{
		Called: func(_ context.Context, c tools.Call, _ tools.Tool, _ tools.Result, _ error, _ time.Duration) {
			seen.calls = append(seen.calls, c)
		},
	}})
	sources, err := demoSources(ctx, tables)
	if err != nil {
		return err
	}
	kit := data.New(data.Options{Sources: sources, Tables: tables})
	if err := reg.Register(append(kit.Tools(), crm.Tools()...)...); err != nil {
		return err
	}
	model := &recorder{answer: fiveSteps}
	engine := chat.NewEngine(chat.Options{Planner: &planner.LLM{Completer: model}, Catalogue: reg,
		Executor: tools.NewExecutor(reg, tools.ExecutorOptions{Parallel: 1}), Sessions: db, Tables: kit, Writer: model, Log: log})
	resp, err := engine.Turn(ctx, bench, chat.Request{Message: question}, nil)
	if err != nil {
		return err
	}
	if resp.Outcome != chat.OutcomeAnswer || resp.Completeness.State == "partial" || len(seen.calls) != 5 || len(model.prompts) != 1 {
		return fmt.Errorf("the task was not done in one plan of five calls: %s, %d calls, %d prompts: %s", resp.Outcome, len(seen.calls), len(model.prompts), resp.Response)
	}
	if f.Plan, err = promptTokens(codec, model.prompts[0]); err == nil {
		f.Summary, err = promptTokens(codec, model.summary)
	}
	if err != nil {
		return err
	}
	transcript, err := react(ctx, reg, model.prompts[0].System, seen.calls)
	if err != nil {
		return err
	}
	for _, prompt := range transcript {
		n, err := codec.Count(prompt)
		if err != nil {
			return err
		}
		f.ReAct += n
	}
	f.Calls = len(transcript)
	f.Ratio, f.WithSummary = float64(f.Plan)/float64(f.ReAct), float64(f.Plan+f.Summary)/float64(f.ReAct)
	if show {
		fmt.Printf("=== Catena's prompt\n%s\n", model.prompts[0].System)
		for _, m := range model.prompts[0].Messages {
			fmt.Printf("--- %s\n%s\n", m.Role, m.Text)
		}
		fmt.Printf("=== the last prompt of the script\n%s\n", transcript[len(transcript)-1])
	}
	return nil
}

// react writes the script's prompts: one for each call and one for the answer.
func react(ctx context.Context, reg *tools.Registry, system string, calls []tools.Call) ([]string, error) {
	_, described, ok := strings.Cut(system, "\n# Tables\n") // and the tools, which follow them
	if !ok || !strings.Contains(described, "\n# Tools\n") {
		return nil, errors.New("the planner's prompt has no tables and tools")
	}
	prompt := fmt.Sprintf(reactPrompt, "\n# Tables\n"+described, question)
	prompts := []string{}
	for i, thought := range script {
		prompts = append(prompts, prompt)
		if i == len(calls) {
			break
		}
		c := calls[i]
		args, err := json.Marshal(c.Args)
		if err != nil {
			return nil, err
		}
		res, err := reg.Call(ctx, tools.Call{Caller: c.Caller, Tool: c.Tool, Args: c.Args})
		if err != nil || res.IsError {
			return nil, fmt.Errorf("%s: %s %w", c.Tool, res.Text, err)
		}
		prompt += fmt.Sprintf("Thought: %s\nAction: %s\nAction Input: %s\nObservation: %s\n", thought, c.Tool, args, observation(res))
	}
	return prompts, nil
}

// observation is what an MCP client's model reads of a result: the text, with the handle that later calls take a table by.
func observation(res tools.Result) string {
	if res.Handle != "" {
		return res.Text + "\nhandle: " + res.Handle
	}
	return res.Text
}

// demoSources are the demo's tables.
func demoSources(ctx context.Context, tables *handle.Tables) (*data.Sources, error) {
	sources := data.NewSources(tables, table.Limits{})
	asOf, err := crm.AsOf()
	if err != nil {
		return nil, err
	}
	demo, err := crm.Tables(ctx)
	for _, t := range demo {
		sources.Add(data.SourceTable{Name: t.Name, Table: t.Table, Source: "demo", AsOf: asOf, Trusted: true})
	}
	return sources, err
}
