package langchain

import (
	"encoding/json"
	"slices"
	"strings"
)

// callPart is a tool call that a model made by its provider's own protocol instead of writing a plan, or a piece of one
// in a stream. No tools are declared to models, and some call them all the same: what they call is a plan, too.
type callPart struct {
	index          int
	id, name, args string // args is JSON
}

// maxCalls bounds the calls of one answer; the plan language bounds steps by itself.
const maxCalls = 512

// joinCalls adds pieces to the calls that they belong to.
func joinCalls(calls, parts []callPart) []callPart {
	for _, p := range parts {
		at := slices.IndexFunc(calls, func(c callPart) bool { return c.index == p.index })
		if at < 0 && len(calls) < maxCalls {
			calls = append(calls, p)
		}
		if at >= 0 {
			calls[at].id += p.id
			calls[at].name += p.name
			calls[at].args += p.args
		}
	}
	return calls
}

// callsText writes calls as a text that plan.Parse reads; "" for none. Arguments that are no JSON stay a text, for the
// parser to judge.
func callsText(calls []callPart) string {
	if len(calls) == 0 {
		return ""
	}
	list := make([]object, len(calls))
	for i, c := range calls {
		var args any = c.args
		switch {
		case strings.TrimSpace(c.args) == "":
			args = object{}
		case json.Valid([]byte(c.args)):
			args = json.RawMessage(c.args)
		}
		list[i] = object{"name": c.name, "arguments": args}
		if c.id != "" {
			list[i]["id"] = c.id
		}
	}
	return string(encode(object{"tool_calls": list}))
}

// openaiCall is a call as OpenAI's protocol has it.
type openaiCall struct {
	Index    int    `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// callParts reads calls, whole or in pieces. In a stream index tells them apart; a whole answer has them in order.
func callParts(calls []openaiCall, whole bool) []callPart {
	var out []callPart
	for i, c := range calls {
		p := callPart{index: c.Index, id: c.ID, name: c.Function.Name, args: string(c.Function.Arguments)}
		var text string
		if json.Unmarshal(c.Function.Arguments, &text) == nil {
			p.args = text // as the protocol says; some servers send the object itself
		}
		if whole {
			p.index = i
		}
		out = append(out, p)
	}
	return out
}
