package code

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/table"
	"catena/tools"
	"catena/tools/code/index"
	"catena/tools/code/workspace"
)

var dependentColumns = []table.Column{{Name: "path", Type: table.Text}, {Name: "depth", Type: table.Int}, {Name: "test", Type: table.Bool}, {Name: "line", Type: table.Int},
	{Name: "via", Type: table.Text}, {Name: "function", Type: table.Text}}

func (k *Toolkit) dependentsTool() tools.Tool {
	return define(spec{
		name: "get_dependents", title: "Files that depend on something", shape: codeErrors, columns: dependentColumns, handler: k.dependents,
		description: "Lists the files that depend on a file, folder, package or module, on a function, method or type, or on an imported library: who imports or uses it, with line, depth and a risk level for changing it. " +
			"Use it to see which files depend on, import, call or use something, and what a change would break (impact, blast radius).",
		in: object{"filepath": textSchema(`A file or folder, as the index has it or a unique end of its path; the name of a module ("payment"), of a symbol ("Engine.Turn"), or of a library ("gin", "react").`, workspace.MaxPath),
			"depth": whole("Steps at most: 1 gives direct dependents only, 0 all.", 0, 100, 0), "limit": whole("Rows at most.", 1, maxRows, 500), "workspace": workspaceArg()},
		required: []string{"filepath"},
		out: answers(object{"filepath": aText, "kind": object{"type": "string", "enum": []any{"file", "folder", "symbol", "import"}, "description": "What filepath was taken for."}, "files": texts, "depth": aCount, "dependentCount": aCount, "directCount": aCount, "productionDependentCount": aCount,
			"testDependentCount": aCount, "testAssociations": texts, "riskLevel": aText, "riskReasoning": texts, "dependents": aList, "total": aCount, "truncated": aFlag, "notes": texts}),
	})
}

// dependents is the handler of get_dependents.
func (k *Toolkit) dependents(ctx context.Context, call tools.Call) (tools.Result, error) {
	r, err := k.current(ctx, call)
	if err != nil {
		return tools.Result{}, err
	}
	if !r.searchable() {
		return r.result(reply{text: "The index is empty, so nothing depends on anything."}), nil
	}
	s, err := r.subject(ctx, call.Text("filepath"))
	if err != nil {
		return tools.Result{}, err
	}
	impact := r.impactOf(s.target, s.files())
	all := s.list
	depth := call.Int("depth", 0)
	if depth > 0 {
		all = slices.DeleteFunc(all, func(d dependent) bool { return d.Depth > depth })
	}
	shown := all[:min(len(all), call.Int("limit", 500))]
	tab, err := dependentTable(shown)
	if err != nil {
		return tools.Result{}, err
	}
	results := make([]object, len(shown))
	for i, d := range shown {
		results[i] = object{"path": d.Path, "depth": d.Depth, "test": d.Test, "line": d.Line, "via": d.Via, "citation": cite(d.Path, max(d.Line, 1))}
		if d.within != "" {
			results[i]["function"] = d.within
		}
	}
	old := []object{}
	for _, d := range perFile(shown) {
		old = append(old, object{"filepath": d.Path, "isTestFile": d.Test, "depth": d.Depth})
	}
	more := object{"filepath": s.name(), "kind": s.kind, "files": append([]string{}, s.target.files...), "depth": depth, "dependentCount": len(perFile(all)), "directCount": impact.direct,
		"productionDependentCount": impact.production, "testDependentCount": impact.tests, "testAssociations": impact.named, "riskLevel": impact.level,
		"riskReasoning": impact.reasons, "dependents": old}
	return r.result(reply{text: s.text(impact), name: "dependents", title: "Files that depend on " + s.name(), results: results, more: more, table: tab, total: len(all),
		notes: s.notes, hide: s.hidden()}), nil
}

// note is a list of one note, or of none.
func note(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

func dependentTable(list []dependent) (*table.Table, error) {
	b := table.NewBuilder(dependentColumns...)
	for _, d := range list {
		line := table.NullValue
		if d.Line > 0 {
			line = whole64(d.Line)
		}
		if err := b.Append(table.TextValue(d.Path), whole64(d.Depth), table.BoolValue(d.Test), line, orNull(d.Via), orNull(d.within)); err != nil {
			return nil, fmt.Errorf("the table of dependents: %w", err)
		}
	}
	return b.Table(), nil
}

// impact is what depends on a target, counted, and how much a change of it may break.
type impact struct {
	own, beside                                 int // that import it themselves; that do not, but another file of their package does
	direct, directProduction, production, tests int
	named                                       []string // tests of its own files, by name and use; they need not import anything
	level                                       string   // low, medium, high or critical
	reasons                                     []string
}

// The rule of the risk level, as tools for code review have it: by the files outside of tests that import the target directly, up
// to 5 low, up to 15 medium, up to 30 high, more critical. It is one level higher when the target has no test, and one when a direct
// dependent has a function of cyclomatic complexity 15 or more, a common bound of linters.
var (
	riskLevels = []string{"low", "medium", "high", "critical"}
	riskBounds = []int{5, 15, 30}
)

const (
	complexDependent = 15
	riskSample       = 50 // direct dependents, and files of a folder, that are looked into
)

// impactOf counts dependents and rates a change of the target.
func (r *reading) impactOf(t target, all []index.Dependent) impact {
	out := impact{named: r.testsOf(t)}
	worst := 0
	for _, d := range all {
		switch {
		case d.Depth > 1:
		case d.Line > 0:
			out.own++
		default:
			out.beside++
		}
		switch {
		case d.Test:
			out.tests++
			continue
		case d.Depth == 1:
			if out.directProduction++; out.directProduction <= riskSample {
				worst = max(worst, r.worst(d.Path))
			}
		}
		out.production++
	}
	out.direct = out.own + out.beside
	level := 0
	for _, bound := range riskBounds {
		if out.directProduction > bound {
			level++
		}
	}
	out.reasons = []string{text.Count(out.directProduction, "direct dependent") + " outside of tests"}
	if len(t.files) > 0 && out.directProduction > 0 && out.tests == 0 && len(out.named) == 0 {
		level++
		out.reasons = append(out.reasons, "it has no test")
	}
	if worst >= complexDependent {
		level++
		out.reasons = append(out.reasons, fmt.Sprintf("a direct dependent has a function of cyclomatic complexity %d", worst))
	}
	out.level = riskLevels[min(level, len(riskLevels)-1)]
	return out
}

// testsOf lists the tests of a target's files.
func (r *reading) testsOf(t target) []string {
	seen := map[string]bool{}
	out := []string{}
	for _, f := range t.files[:min(len(t.files), riskSample)] {
		tests, err := r.snap.Tests(f)
		if err != nil {
			continue // a path of the same snapshot is always there
		}
		for _, x := range tests {
			if !seen[x.Path] {
				seen[x.Path] = true
				out = append(out, x.Path)
			}
		}
	}
	slices.Sort(out)
	return out
}

// text says the counts and the risk in a sentence or two.
func (p impact) text(t target) string {
	name, n := code(t.name()), p.production+p.tests
	if n == 0 && len(p.named) == 0 {
		return fmt.Sprintf("Nothing in the index depends on `%s`.", name)
	}
	if n == 0 {
		return fmt.Sprintf("Nothing but %s depends on `%s`.", text.Count(len(p.named), "test file"), name)
	}
	depend := text.Thousands(n) + " files depend"
	if n == 1 {
		depend = "1 file depends"
	}
	how := []string{text.Thousands(p.own) + " import it themselves"}
	if p.own == 1 {
		how[0] = "1 imports it itself"
	}
	if p.beside > 0 {
		how = append(how, text.Thousands(p.beside)+" only through their package")
	}
	if others := n - p.direct; others > 0 {
		how = append(how, text.Thousands(others)+" through others")
	}
	return fmt.Sprintf("%s on `%s`: %s. %s The risk of a change is %s.", depend, name, strings.Join(how, ", "), p.testsText(), p.level)
}

// testsText says how many of them are tests.
func (p impact) testsText() string {
	switch p.tests {
	case 0:
		return "None is a test."
	case 1:
		return "1 is a test."
	}
	return text.Thousands(p.tests) + " are tests."
}
