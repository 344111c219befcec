package code

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/tools"
	"catena/tools/code/index"
	"catena/tools/code/workspace"
)

func (k *Toolkit) complexityTool() tools.Tool {
	return define(spec{
		name: "get_complexity", title: "Complexity of functions", shape: codeErrors, columns: functionColumns, handler: k.complexity,
		description: "Measures the complexity of functions: cyclomatic, cognitive, Halstead volume, difficulty, effort and bugs, lines, nesting; the worst first, of some files or of all. " +
			"Use it to find the most complex functions, or to see how complex files are.",
		in: object{
			"files": object{"type": "array", "maxItems": maxFiles, "items": object{"anyOf": []any{object{"type": "string", "maxLength": workspace.MaxPath}, object{"type": "object"}}},
				"description": "Files, folders or functions: paths, names, or rows that have a path. Without it the whole workspace."},
			"limit":     whole("Functions at most.", 1, maxRows, 50),
			"sort_by":   object{"type": "string", "description": "What the worst is measured by.", "enum": slices.Sorted(maps.Keys(measures)), "default": "cyclomatic"},
			"threshold": object{"type": "number", "description": "Only functions with at least this much of what they are sorted by.", "minimum": 0},
			"workspace": workspaceArg(),
		},
		out: answers(object{"summary": object{"type": "object"}, "violations": aList, "total": aCount, "truncated": aFlag, "notes": texts}),
	})
}

// complexity is the handler of get_complexity.
func (k *Toolkit) complexity(ctx context.Context, call tools.Call) (tools.Result, error) {
	r, err := k.current(ctx, call)
	if err != nil {
		return tools.Result{}, err
	}
	list, notes, err := r.chosen(ctx, call.Args["files"])
	if err != nil {
		return tools.Result{}, err
	}
	measure := call.Text("sort_by")
	files := map[string]bool{}
	for _, d := range list {
		files[d.path] = true
	}
	if least, ok := number(call.Args["threshold"]); ok {
		of := measures[measure]
		list = slices.DeleteFunc(list, func(d declaration) bool { return of(d.symbol.Metrics) < least })
	}
	byWorst(list, measure)
	shown := list[:min(len(list), call.Int("limit", 50))]
	tab, err := functionTable(shown)
	if err != nil {
		return tools.Result{}, err
	}
	results := make([]object, len(shown))
	for i, d := range shown {
		results[i] = d.measured()
	}
	said := "There are no functions in the index to measure."
	if len(shown) > 0 {
		d := shown[0]
		said = fmt.Sprintf("%s in %s measured; the worst is `%s` at %s: cyclomatic %d, cognitive %d.", text.Count(len(list), "function"), text.Count(len(files), "file"),
			code(qualified(d.symbol)), cite(d.path, d.symbol.Start), d.symbol.Metrics.Cyclomatic, d.symbol.Metrics.Cognitive)
	}
	return r.result(reply{text: said, name: "complexity", title: "Complexity of functions, the worst first", results: results, table: tab, total: len(list), notes: notes, hide: detailsBut(measure),
		more: object{"summary": summary(list, len(files)), "violations": violations(list)}}), nil
}

// detailColumns are in the table, by its handle, and in the structured result, but not in answers: few people read them, and a row
// must fit on a line.
var detailColumns = []string{"package", "language", "halstead_difficulty", "halstead_effort", "halstead_bugs", "parameters", "nesting", "exported", "test"}

// detailsBut are the details without what the functions are sorted by.
func detailsBut(measure string) []string {
	return slices.DeleteFunc(slices.Clone(detailColumns), func(name string) bool { return name == measure })
}

// maxLoose bounds the names of one call that are no paths of the index and must be looked for.
const maxLoose = 200

// chosen lists the functions with a body of what the files argument names, of everything without one.
func (r *reading) chosen(ctx context.Context, arg any) ([]declaration, []string, error) {
	given, _ := arg.([]any)
	if len(given) == 0 || !r.searchable() {
		list, err := r.measuredFunctions(ctx, index.Filter{}, nil)
		return list, nil, err
	}
	c := choice{r: r, paths: map[string]bool{}, names: map[string]bool{}}
	for _, v := range given {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if name := rowPath(v); name != "" {
			c.add(name)
		}
	}
	if len(c.paths) == 0 && len(c.names) == 0 {
		if c.first == nil {
			c.first = &fault{code: CodeBadArgument, text: "files names nothing", hint: `Give paths, such as ["engine.go"], or rows with a path`}
		}
		return nil, nil, c.first
	}
	if len(c.unknown) > 0 {
		c.notes = append(c.notes, "Not in the index: "+enumerate(c.unknown, 5)+".")
	}
	list, err := r.measuredFunctions(ctx, index.Filter{}, func(d declaration) bool {
		return c.paths[d.path] || len(c.names) > 0 && (c.names[strings.ToLower(d.symbol.Name)] || c.names[strings.ToLower(qualified(d.symbol))])
	})
	return list, slices.Compact(c.notes), err
}

// choice gathers the files and functions that names mean.
type choice struct {
	r              *reading
	paths, names   map[string]bool
	notes, unknown []string
	loose          int
	first          error // of the first name that means nothing
}

func (c *choice) add(name string) {
	if c.r.snap.Has(name) {
		c.paths[name] = true
		return
	}
	if c.loose++; c.loose > maxLoose {
		c.unknown = append(c.unknown, brief(name))
		return
	}
	t, err := c.r.find(name)
	switch {
	case err == nil:
		c.notes = append(c.notes, note(t.note)...)
		for _, f := range t.files {
			c.paths[f] = true
		}
	case len(c.r.declared(name)) > 0:
		c.names[strings.ToLower(name)] = true
	default:
		if c.first == nil {
			c.first = err
		}
		c.unknown = append(c.unknown, brief(name))
	}
}

// rowPath is the path in one item of the files argument: a text, or a record of a table that has a path.
func rowPath(v any) string {
	switch x := v.(type) {
	case string:
		return strings.TrimSpace(x)
	case map[string]any:
		for _, key := range []string{"path", "filepath", "file", "function", "name"} {
			if s, ok := x[key].(string); ok && strings.TrimSpace(s) != "" {
				return strings.TrimSpace(s)
			}
		}
	}
	return ""
}

// measured is a function with its measures as clients read it.
func (d declaration) measured() object {
	s, m := d.symbol, d.symbol.Metrics
	return object{"function": qualified(s), "path": d.path, "line": s.Start, "end_line": s.End, "citation": cite(d.path, s.Start), "package": d.file.Package, "language": d.file.Language,
		"cyclomatic": m.Cyclomatic, "cognitive": m.Cognitive, "halstead_volume": round(m.Halstead.Volume), "halstead_difficulty": round(m.Halstead.Difficulty),
		"halstead_effort": round(m.Halstead.Effort), "halstead_bugs": round(m.Halstead.Bugs), "lines": m.Lines, "parameters": m.Params, "nesting": m.Nesting, "exported": s.Exported, "test": d.file.Test}
}

// Bounds beyond which the former code tools reported a violation: 15 as a warning, twice as much as an error.
const complexityBound = 15

// summary counts over all functions that were asked for, in the former tools' names.
func summary(list []declaration, files int) object {
	sum, worst, warnings, errs := 0, 0, 0, 0
	for _, d := range list {
		c := d.symbol.Metrics.Cyclomatic
		sum, worst = sum+c, max(worst, c)
		switch severity(d) {
		case "error":
			errs++
		case "warning":
			warnings++
		}
	}
	mean := 0.0
	if len(list) > 0 {
		mean = round(float64(sum) / float64(len(list)))
	}
	return object{"filesAnalyzed": files, "functions": len(list), "avgComplexity": mean, "maxComplexity": worst, "violationCount": warnings + errs,
		"bySeverity": object{"error": errs, "warning": warnings}}
}

func severity(d declaration) string {
	m := d.symbol.Metrics
	switch worst := max(m.Cyclomatic, m.Cognitive); {
	case worst >= 2*complexityBound:
		return "error"
	case worst >= complexityBound:
		return "warning"
	}
	return ""
}

// violations are the ten worst functions beyond the bound, in the former tools' shape.
func violations(list []declaration) []object {
	out := []object{}
	for _, d := range list {
		s, m := d.symbol, d.symbol.Metrics
		if len(out) == 10 || severity(d) == "" {
			continue
		}
		metric, value := "cyclomatic", m.Cyclomatic
		if m.Cognitive > value {
			metric, value = "cognitive", m.Cognitive
		}
		out = append(out, object{"filepath": d.path, "symbolName": s.Name, "symbolType": string(s.Kind), "startLine": s.Start, "endLine": s.End, "complexity": value,
			"metricType": metric, "threshold": complexityBound, "severity": severity(d), "language": d.file.Language,
			"message": fmt.Sprintf("%s complexity %d is beyond %d", metric, value, complexityBound)})
	}
	return out
}

// number is a JSON number of an argument.
func number(v any) (float64, bool) {
	switch x := v.(type) {
	case float64:
		return x, true
	case json.Number:
		f, err := x.Float64()
		return f, err == nil
	}
	return 0, false
}
