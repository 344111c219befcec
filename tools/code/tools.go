package code

import (
	"context"
	_ "embed" // phrases
	"encoding/json"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/table"
	"catena/tools"
	"catena/tools/code/workspace"
)

// Bounds of arguments. Schemas say them, so the registry refuses what is beyond before a handler sees it.
const (
	maxText      = 10_000   // a query or a question
	maxCode      = 64 << 10 // bytes of a snippet that similar ones are asked for
	maxHits      = 100      // of a search
	maxRows      = 10_000   // functions or files of one answer
	maxFiles     = 10_000   // paths of one call
	maxContext   = 20       // lines before and after what was found
	indexTimeout = 30 * time.Minute
	askTimeout   = 2 * time.Minute
)

type object = map[string]any

// Tools returns the tools, ready to be registered. They are safe for concurrent use until Close.
func (k *Toolkit) Tools() []tools.Tool {
	return tools.WithPhrases(tools.Outside(tools.Closed([]tools.Tool{
		k.ensureTool(), k.searchRepoTool(), k.askTool(), k.bundleTool(), k.cancelTool(),
		k.searchTool("semantic_search", "Search the code by meaning"), k.searchTool("search_code", "Search the code"),
		k.similarTool(), k.contextTool(), k.functionsTool(), k.dependentsTool(), k.complexityTool(),
	})), phrases)
}

// phrases are how people order these tools.
//
//go:embed phrases.txt
var phrases string

// spec is what the definition of a tool is made of.
type spec struct {
	name, title, description string
	in                       object // properties of the input schema
	required                 []string
	out                      object         // properties of the structured result
	columns                  []table.Column // of the table, nil for a tool without one
	writes                   bool           // the tool starts or stops work; all others only read
	reaches                  bool           // it asks a model or an embedder, which may be anywhere
	timeout                  time.Duration
	handler                  tools.Handler
	shape                    shape // of errors
}

// define makes a tool. Errors that the asker can mend become results in the tool's shape of errors.
func define(s spec) tools.Tool {
	in := object{"type": "object", "properties": s.in, "additionalProperties": false}
	if len(s.required) > 0 {
		in["required"] = s.required
	}
	out := object{"type": "object", "properties": s.out}
	yes, no, readOnly, open := true, false, !s.writes, s.reaches
	return tools.Tool{
		Toolset: Toolset, Timeout: s.timeout, Columns: s.columns, JSON: true,
		Def: mcp.Tool{Name: s.name, Title: s.title, Description: s.description, RawInputSchema: raw(in), RawOutputSchema: raw(out),
			Annotations: mcp.ToolAnnotation{Title: s.title, ReadOnlyHint: &readOnly, DestructiveHint: &no, IdempotentHint: &yes, OpenWorldHint: &open}},
		Handler: func(ctx context.Context, call tools.Call) (tools.Result, error) {
			res, err := s.handler(ctx, call)
			if err != nil {
				return failure(err, call.Tool, s.shape)
			}
			return res, nil
		},
	}
}

func raw(schema object) json.RawMessage {
	b, err := json.Marshal(schema)
	if err != nil {
		panic(fmt.Sprintf("a schema of the code tools: %v", err)) // maps of plain values always encode
	}
	return b
}

// text is the schema of a text of 1 to most characters.
func textSchema(description string, most int) object {
	return object{"type": "string", "description": description, "minLength": 1, "maxLength": most}
}

// whole is the schema of a whole number.
func whole(description string, least, most, otherwise int) object {
	return object{"type": "integer", "description": description, "minimum": least, "maximum": most, "default": otherwise}
}

// workspaceArg chooses among several workspaces. It is optional everywhere.
func workspaceArg() object {
	return textSchema("Which workspace: its folder or its index id. Without it the one that was indexed last.", workspace.MaxPath)
}

func indexArg() object {
	return textSchema("The index_id that ensure_repo_index gave.", workspace.MaxPath)
}

// contextArg is how many lines stand before and after what was found.
func contextArg() object {
	return whole("Lines of the file before and after what was found.", 0, maxContext, 5)
}

// Pieces of output schemas.
var (
	aText   = object{"type": "string"}
	aNumber = object{"type": "number"}
	aCount  = object{"type": "integer", "minimum": 0}
	aFlag   = object{"type": "boolean"}
	aList   = object{"type": "array"}
	texts   = object{"type": "array", "items": aText}
	anInfo  = object{"type": "object", "description": "The state of the index: state, indexed_at, snapshot, files, chunks ...",
		"properties": object{"state": aText, "index_id": aText, "indexed_at": aText, "snapshot": aText, "stale_since": aText, "files": aCount, "chunks": aCount}}
)

// answers is the output schema of the code intelligence tools: indexInfo, results and more.
func answers(more object) object {
	out := object{"indexInfo": anInfo, "results": object{"type": "array", "items": object{"type": "object"}},
		"handle": object{"type": "string", "description": "Names the same rows as a table for other tools' data arguments."}}
	for name, schema := range more {
		out[name] = schema
	}
	return out
}
