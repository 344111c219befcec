// Command tokens counts the prompt tokens of Catena's planning beside those of other ways to have a model call tools,
// in the vocabulary o200k_base as github.com/tiktoken-go/tokenizer embeds it.
//
//	go -C bench run ./tokens [-data DIR] [-show] [-json]
//
// The first figure is a task of five steps over the demo CRM: the best clients, their revenue, its trend, its sum by
// client, a chart. Catena plans it by one call. The ReAct script (Yao et al., 2023) is the same task step by step: six
// calls, each with the same tools, every thought, action and observation so far, the observations being what Catena's
// own tools give an MCP client as text. Both are told the same tools in the same words. The script's prompt is
// reactPrompt and its thoughts are in script, in react.go; -show prints all of it. The tables' cells that Catena's
// closing summary shows to the model are counted apart, since a summary may be turned off: ratio is without,
// ratio_with_summary with it.
//
// The second figure is the tokens of the tools in a prompt when there are 500: Catena's shortlist beside all of them
// as the JSON that an API with tool calls is sent (name, description, schema), mean over the questions. DIR holds
// retrieval/livemcpbench, whose first tools fill up the catalogue beside the data tools; without -data there is no
// second figure.
//
// The third figures are the parts of a prompt for one question, over the demo, over one CSV file and with 500 tools
// (with -data), and how much of it two questions one after the other share: endpoints read again from their cache what
// a prompt begins with.
//
// The bars: ratio at most 0.20; 90 % fewer tokens for tools; prompts of at most 4,000, 3,000 and 6,000 tokens, of
// which questions over the same data share 95 %. The schema of an answer is counted apart: it is a field of a request
// and no part of its text.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/tiktoken-go/tokenizer"

	"catena/bench/sets"
	"catena/planner"
)

// figures are what the program measures.
type figures struct {
	Plan         int     `json:"plan_tokens"`  // prompt tokens of Catena's one call
	Summary      int     `json:"summary"`      // of the closing summary's call
	ReAct        int     `json:"react_tokens"` // of all calls of the script
	Calls        int     `json:"react_calls"`
	Ratio        float64 `json:"ratio"`
	WithSummary  float64 `json:"ratio_with_summary"`
	Tools        int     `json:"tools,omitempty"`         // in the catalogue
	Schemas      float64 `json:"schema_tokens,omitempty"` // in the prompt, mean
	AllSchemas   int     `json:"all_schema_tokens,omitempty"`
	SchemasFewer float64 `json:"schemas_fewer,omitempty"` // share that is not sent
	// Prompts are the prompts for single questions, by what they are asked over.
	Prompts map[string]measured `json:"prompts"`
}

// Bars.
const (
	mostRatio   = 0.20
	leastFewer  = 0.90
	catalogueOf = 500
)

func main() {
	o := sets.Flags("tokens", "the folder retrieval; none leaves the second figure out")
	show := flag.Bool("show", false, "print the prompts of both")
	flag.Parse()
	f, err := run(context.Background(), o, *show)
	o.End(f, err)
}

func run(ctx context.Context, o *sets.Options, show bool) (figures, error) {
	var f figures
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return f, err
	}
	if err := task(ctx, codec, show, &f); err != nil {
		return f, err
	}
	fmt.Printf("five steps, prompt tokens (o200k_base)\n  Catena, one plan            %7d\n  Catena, closing summary     %7d\n  ReAct, %d calls              %7d\n  plan / ReAct %.3f (bar %.2f)   plan and summary / ReAct %.3f\n",
		f.Plan, f.Summary, f.Calls, f.ReAct, f.Ratio, mostRatio, f.WithSummary)
	var missed []error
	if f.Ratio > mostRatio {
		missed = append(missed, fmt.Errorf("ratio is %.3f, above %.2f", f.Ratio, mostRatio))
	}
	if o.Data != "" {
		if err := schemas(ctx, codec, o, &f); err != nil {
			return f, err
		}
		fmt.Printf("tools in a prompt, tokens\n  all %d as JSON             %7d\n  Catena's shortlist, mean    %7.0f\n  %.1f %% fewer (bar %.0f %%)\n", f.Tools, f.AllSchemas, f.Schemas, 100*f.SchemasFewer, 100*leastFewer)
		if f.SchemasFewer < leastFewer {
			missed = append(missed, fmt.Errorf("%.1f %% fewer tokens for tools, less than %.0f %%", 100*f.SchemasFewer, 100*leastFewer))
		}
	}
	over, err := prompts(ctx, codec, o, &f)
	return f, errors.Join(append(missed, err, errors.Join(over...))...)
}

// promptTokens counts the texts of a prompt. What an API adds around each message is left out, on both sides.
func promptTokens(codec tokenizer.Codec, p planner.Prompt) (int, error) {
	n, err := codec.Count(p.System)
	for _, m := range p.Messages {
		k, merr := codec.Count(m.Text)
		n, err = n+k, errors.Join(err, merr)
	}
	schema, serr := codec.Count(string(p.Schema)) // structured output: endpoints put it into the prompt
	return n + schema, errors.Join(err, serr)
}
