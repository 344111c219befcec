package planner

import (
	"encoding/json"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/planner/signature"
)

// listing is the tools of a prompt. Core and Brief do not depend on the message, so that an endpoint can keep what a
// prompt begins with; Found are others that fit the message, and stand beside it.
type listing struct {
	Types  []string    // types that arguments of several tools share
	Core   []briefTool // with a sentence and what they give
	Brief  []briefTool // one line each
	Found  []briefTool // with all that is said of them
	Hidden int         // tools that are left out
	SQL    bool        // a tool takes a statement

	writer signature.Writer
	shown  []plan.Tool
	left   int // bytes that the stable part still has
}

type briefTool struct {
	Name, Description string
	From              string // the server that wrote all of this, "" for a tool of ours
	Destructive       bool
	Input, Output     string
}

// size is about how many bytes a tool takes in a prompt.
func (t briefTool) size() int {
	return len(t.Name) + len(t.Description) + len(t.From) + len(t.Input) + len(t.Output) + 24
}

// The bounds of a listing, in bytes of its text, and of what is written of a single tool.
const (
	coreBytes  = 3400
	briefBytes = 4200
	foundBytes = 8000
	maxFound   = 12 // tools

	coreText  = 160  // of a description
	briefText = 60   // of one that has one line
	foundText = 600  // of one that fits the message
	argText   = 90   // of an argument's description
	maxArgs   = 1500 // of all arguments
	maxResult = 300  // of what is said about a result
)

// list chooses the tools of a prompt: all of them where there is room, else ours, and of the others those that fit
// the message. in are the names of tools that an earlier plan called, which are in whatever the message says.
func (l *LLM) list(req plan.Request, in map[string]bool) *listing {
	out := &listing{left: coreBytes + briefBytes}
	stable := stableTools(req)
	var schemas []json.RawMessage
	for _, t := range stable {
		if !takesSQL(t) { // of which one argument is written
			schemas = append(schemas, t.InputSchema)
		}
	}
	out.writer.Show(schemas)
	for i := 0; i < len(stable) && len(out.shown) < l.maxTools() && out.add(stable[i]); i++ {
	}
	out.Types = out.writer.Types()
	out.find(l, req, in)
	return out
}

// stableTools are the tools that a prompt may begin with, the most used first: the one that takes statements; those
// that give what the tables have, too; the others that compute; the rest of ours; and those of servers where all fit.
func stableTools(req plan.Request) []plan.Tool {
	columns := map[string]bool{}
	for _, t := range req.Tables {
		for _, c := range t.Columns {
			columns[c.Name] = true
		}
	}
	out := slices.Clone(req.Tools)
	if len(out) > DefaultMaxTools {
		out = slices.DeleteFunc(out, func(t plan.Tool) bool { return serverOf(t) != "" })
	}
	ranks := make(map[string]int, len(out))
	for _, t := range out {
		ranks[t.Name] = rankOf(t, columns)
	}
	slices.SortStableFunc(out, func(a, b plan.Tool) int { return ranks[a.Name] - ranks[b.Name] })
	return out
}

func rankOf(t plan.Tool, columns map[string]bool) int {
	const alike = 2 // columns: one may be chance
	shared := 0
	for _, c := range resultColumns(t.OutputSchema) {
		if columns[c] {
			shared++
		}
	}
	switch {
	case t.Name == tableTool:
		return 0
	case serverOf(t) != "":
		return 4
	case t.Toolset == dataTools:
		return 2
	case shared >= alike:
		return 1
	}
	return 3
}

// dataTools is the toolset of query_table and what else computes with tables.
const dataTools = "data"

// add puts a tool behind those that are there already, and reports whether there was room.
func (o *listing) add(t plan.Tool) bool {
	d := o.describe(t, coreText, 0)
	if room := o.left - briefBytes; len(o.Brief) == 0 && d.size() <= room {
		o.Core = append(o.Core, d)
	} else {
		o.left = min(o.left, briefBytes) // those that follow are brief, too, so that their order holds
		d.Description, d.Output = clause(d.Description, briefText), ""
		if d.size() > o.left {
			return false
		}
		o.Brief = append(o.Brief, d)
	}
	o.left -= d.size()
	o.shown = append(o.shown, t)
	o.SQL = o.SQL || t.Name == tableTool && takesSQL(t)
	return true
}

// find adds tools that fit the message.
func (o *listing) find(l *LLM, req plan.Request, in map[string]bool) {
	rest := o.without(req.Tools)
	if len(rest) == 0 {
		return
	}
	n := min(l.maxTools(), maxFound)
	chosen := l.choose(req.Message, rest, max(n-len(in), n/2))
	left := foundBytes
	for _, t := range rest {
		fits := slices.ContainsFunc(chosen, func(c plan.Tool) bool { return c.Name == t.Name })
		if len(o.Found) >= n || !in[t.Name] && !fits {
			continue
		}
		d := o.describe(t, foundText, argText)
		if left -= d.size(); left >= 0 {
			o.Found = append(o.Found, d)
			o.shown = append(o.shown, t)
		}
	}
	o.Hidden = len(req.Tools) - len(o.shown)
}

// without are the tools that are not listed.
func (o *listing) without(tools []plan.Tool) []plan.Tool {
	there := make(map[string]bool, len(o.shown))
	for _, t := range o.shown {
		there[t.Name] = true
	}
	return slices.DeleteFunc(slices.Clone(tools), func(t plan.Tool) bool { return there[t.Name] })
}

// describe writes a tool, with so many bytes of its description and of each argument's.
func (o *listing) describe(t plan.Tool, text, arg int) briefTool {
	d := briefTool{Name: t.Name, From: serverOf(t), Destructive: t.Destructive}
	d.Description = clause(oneLine(t.Description), text)
	opt := signature.Options{Describe: arg, Most: maxArgs}
	if t.Name == tableTool && takesSQL(t) {
		opt.Only, d.Description = []string{sqlArgument}, ""
	}
	d.Input = o.writer.Args(t.InputSchema, opt)
	d.Output = shorten(describeResult(t.OutputSchema), maxResult)
	return d
}

// The arguments of a tool that takes a statement. Its grammar in JSON is another way to say the same, which plans may
// use and no prompt spells out: models write SQL best.
const (
	sqlArgument = "sql"
	sqlTables   = "tables" // names for tables, which follow from the statement
)

func takesSQL(t plan.Tool) bool {
	fields := topFields(t.InputSchema)
	return slices.Contains(fields, sqlArgument) && slices.Contains(fields, sqlTables)
}

// clause is a text up to the end of the last sentence that fits into n bytes; where the first does not, the beginning
// of it.
func clause(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if end := strings.LastIndex(s[:n], ". "); end > 0 {
		return s[:end+1]
	}
	for _, mark := range []string{": ", "; ", ", ", " "} {
		if end := strings.LastIndex(s[:n], mark); end > n/2 {
			return s[:end] + "…"
		}
	}
	return shorten(s, n)
}

// serverOf names the server that a tool is of, "" for our own: its name is <server>__<tool>.
func serverOf(t plan.Tool) string {
	if server, _, ok := strings.Cut(t.Name, "__"); ok && server == t.Toolset {
		return server
	}
	return ""
}

// describeResult says what a tool gives: a table with the columns that its schema promises, or an object's fields. It
// is empty where nothing is known but that it is a table.
func describeResult(raw json.RawMessage) string {
	fields := topFields(raw)
	if !slices.Contains(fields, "columns") || !slices.Contains(fields, "rows") {
		return strings.Join(fields, ", ")
	}
	if columns := resultColumns(raw); len(columns) > 0 {
		return "a table with the columns " + strings.Join(columns, ", ")
	}
	return ""
}

// resultColumns are the columns that a schema promises of a table.
func resultColumns(raw json.RawMessage) []string {
	var s struct {
		Properties struct {
			Rows struct {
				Items json.RawMessage `json:"items"`
			} `json:"rows"`
		} `json:"properties"`
	}
	if json.Unmarshal(raw, &s) != nil {
		return nil
	}
	return topFields(s.Properties.Rows.Items)
}
