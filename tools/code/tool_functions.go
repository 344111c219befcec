package code

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/table"
	"catena/tools"
	"catena/tools/code/index"
	"catena/tools/code/parse"
	"catena/tools/code/redact"
	"catena/tools/code/workspace"
)

var listedColumns = []table.Column{{Name: "function", Type: table.Text}, {Name: "path", Type: table.Text}, {Name: "line", Type: table.Int}, {Name: "kind", Type: table.Text},
	{Name: "signature", Type: table.Text}, {Name: "exported", Type: table.Bool}, {Name: "cyclomatic", Type: table.Int}, {Name: "cognitive", Type: table.Int}, {Name: "lines", Type: table.Int}}

// symbolKinds are what list_functions can list beside functions and methods.
var symbolKinds = []any{"function", "method", "class", "interface", "type", "enum", "constant", "variable", "module", "any"}

func (k *Toolkit) functionsTool() tools.Tool {
	return define(spec{
		name: "list_functions", title: "List functions", shape: codeErrors, columns: listedColumns, handler: k.functions,
		description: "Lists the functions and methods of the current workspace by name: a part of it, a pattern with * or a regular expression, with path:line, signature and complexity. " +
			"Use it to list functions, methods, classes or symbols, all of them or those called something.",
		in: object{"pattern": object{"type": "string", "description": "Part of the name, handle*, or a regular expression; without it all.", "maxLength": 500},
			"symbolType": object{"type": "string", "description": "What to list; functions and methods unless told.", "enum": symbolKinds},
			"path":       textSchema("Only this file or folder.", workspace.MaxPath), "language": textSchema("Only this language.", 40), "limit": whole("Rows at most.", 1, maxRows, 100), "workspace": workspaceArg()},
		out: answers(object{"method": aText, "total": aCount, "truncated": aFlag, "hasMore": aFlag, "notes": texts}),
	})
}

// functions is the handler of list_functions.
func (k *Toolkit) functions(ctx context.Context, call tools.Call) (tools.Result, error) {
	r, err := k.current(ctx, call)
	if err != nil {
		return tools.Result{}, err
	}
	prefix, err := r.prefix(call.Text("path"))
	if err != nil {
		return tools.Result{}, err
	}
	given := strings.TrimSpace(call.Text("pattern"))
	pattern, notes := patternOf(given)
	shown, total, err := r.named(ctx, index.Named{Pattern: pattern, Kinds: kindsOf(call.Text("symbolType")), PathPrefix: prefix,
		Language: strings.ToLower(strings.TrimSpace(call.Text("language"))), Limit: call.Int("limit", 100)})
	if err != nil {
		return tools.Result{}, err
	}
	tab, err := listedTable(shown)
	if err != nil {
		return tools.Result{}, err
	}
	results := make([]object, len(shown))
	for i, d := range shown {
		results[i] = d.listed()
	}
	said := text.Count(total, "function")
	if given != "" {
		verb := "match"
		if total == 1 {
			verb = "matches"
		}
		said += fmt.Sprintf(" %s `%s`", verb, code(brief(given)))
	}
	return r.result(reply{text: said + ".", name: "functions_found", title: "Functions", results: results, table: tab, total: total, notes: notes,
		more: object{"method": "symbols", "hasMore": total > len(shown)}}), nil
}

// kindsOf are the kinds of symbols that a symbolType lists; nil for all.
func kindsOf(symbolType string) []parse.SymbolKind {
	switch symbolType {
	case "":
		return []parse.SymbolKind{parse.Function, parse.Method}
	case "any":
		return nil
	}
	return []parse.SymbolKind{parse.SymbolKind(symbolType)}
}

// named lists symbols, and says how many there are in all.
func (r *reading) named(ctx context.Context, q index.Named) ([]declaration, int, error) {
	if !r.searchable() {
		return nil, 0, nil
	}
	list, total, err := r.snap.Symbols(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	meta := r.meta()
	out := make([]declaration, len(list))
	for i := range list {
		out[i] = declaration{list[i].Path, &list[i].Symbol, meta[list[i].Path]}
	}
	return out, total, nil
}

var (
	plainName = regexp.MustCompile(`^[\w.:$-]+$`)
	plainGlob = regexp.MustCompile(`^[\w.:$?*-]*$`) // a name with wildcards
)

// patternOf writes a pattern as the index reads it: a part of a name without regard to case, a name with * and ?, or a regular
// expression (RE2, so that none takes long). What is none of them is looked for as it is, and a note says so.
func patternOf(given string) (string, []string) {
	given = strings.ToValidUTF8(strings.ReplaceAll(given, "\n", " "), "")
	switch {
	case given == "" || plainName.MatchString(given):
		return given, nil
	case len(given) > 2 && given[0] == '/' && strings.HasSuffix(given, "/"):
		given = given[1 : len(given)-1]
	case plainGlob.MatchString(given) && !strings.Contains(given, ".*"):
		return "/(?i)^(?:.*\\.)?" + strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(given)) + "$/", nil
	}
	if _, err := regexp.Compile("(?i)" + given); err != nil {
		return "/(?i)" + regexp.QuoteMeta(given) + "/", []string{"The pattern is no regular expression, so names that hold it as it is were looked for."}
	}
	return "/(?i)" + given + "/", nil
}

func qualified(s *parse.Symbol) string {
	if s.Container == "" {
		return s.Name
	}
	return s.Container + "." + s.Name
}

// listed is a declaration as clients of list_functions read it.
func (d declaration) listed() object {
	s := d.symbol
	hit := index.Hit{Path: d.path, Start: s.Start, End: s.End, Language: d.file.Language, Symbol: qualified(s), Kind: s.Kind, Signature: s.Signature}
	out := object{"function": qualified(s), "path": d.path, "line": s.Start, "end_line": s.End, "citation": cite(d.path, s.Start), "kind": string(s.Kind),
		"signature": redact.Text(s.Signature), "exported": s.Exported, "language": d.file.Language, "content": redact.Text(s.Signature), "metadata": metadata(hit)}
	if s.Metrics != nil {
		out["cyclomatic"], out["cognitive"], out["lines"] = s.Metrics.Cyclomatic, s.Metrics.Cognitive, s.Metrics.Lines
	}
	return out
}

func listedTable(list []declaration) (*table.Table, error) {
	b := table.NewBuilder(listedColumns...)
	for _, d := range list {
		s := d.symbol
		cyclomatic, cognitive, lines := table.NullValue, table.NullValue, whole64(s.End-s.Start+1)
		if s.Metrics != nil {
			cyclomatic, cognitive = whole64(s.Metrics.Cyclomatic), whole64(s.Metrics.Cognitive)
		}
		if err := b.Append(table.TextValue(qualified(s)), table.TextValue(d.path), whole64(s.Start), table.TextValue(string(s.Kind)), table.TextValue(brief(redact.Text(s.Signature))),
			table.BoolValue(s.Exported), cyclomatic, cognitive, lines); err != nil {
			return nil, fmt.Errorf("the table of functions: %w", err)
		}
	}
	return b.Table(), nil
}

// functionTable is functions with their complexity.
func functionTable(list []declaration) (*table.Table, error) {
	b := table.NewBuilder(functionColumns...)
	for _, d := range list {
		s, m := d.symbol, d.symbol.Metrics
		if err := b.Append(table.TextValue(qualified(s)), table.TextValue(d.path), whole64(s.Start), orNull(d.file.Package), table.TextValue(d.file.Language), whole64(m.Cyclomatic),
			whole64(m.Cognitive), table.FloatValue(round(m.Halstead.Volume)), table.FloatValue(round(m.Halstead.Difficulty)), table.FloatValue(round(m.Halstead.Effort)),
			table.FloatValue(round(m.Halstead.Bugs)), whole64(m.Lines), whole64(m.Params), whole64(m.Nesting), table.BoolValue(s.Exported), table.BoolValue(d.file.Test)); err != nil {
			return nil, fmt.Errorf("the table of complexity: %w", err)
		}
	}
	return b.Table(), nil
}

// byWorst orders functions by a measure, the worst first.
func byWorst(list []declaration, measure string) {
	of := measures[cmp.Or(measure, "cyclomatic")]
	slices.SortFunc(list, func(a, b declaration) int {
		ma, mb := a.symbol.Metrics, b.symbol.Metrics
		return cmp.Or(cmp.Compare(of(mb), of(ma)), cmp.Compare(mb.Cyclomatic, ma.Cyclomatic), cmp.Compare(mb.Cognitive, ma.Cognitive),
			strings.Compare(a.path, b.path), cmp.Compare(a.symbol.Start, b.symbol.Start))
	})
}

// measures are what functions can be ordered by.
var measures = map[string]func(*parse.Metrics) float64{
	"cyclomatic":          func(m *parse.Metrics) float64 { return float64(m.Cyclomatic) },
	"cognitive":           func(m *parse.Metrics) float64 { return float64(m.Cognitive) },
	"halstead_volume":     func(m *parse.Metrics) float64 { return m.Halstead.Volume },
	"halstead_difficulty": func(m *parse.Metrics) float64 { return m.Halstead.Difficulty },
	"halstead_effort":     func(m *parse.Metrics) float64 { return m.Halstead.Effort },
	"halstead_bugs":       func(m *parse.Metrics) float64 { return m.Halstead.Bugs },
	"lines":               func(m *parse.Metrics) float64 { return float64(m.Lines) },
	"nesting":             func(m *parse.Metrics) float64 { return float64(m.Nesting) },
	"parameters":          func(m *parse.Metrics) float64 { return float64(m.Params) },
}
