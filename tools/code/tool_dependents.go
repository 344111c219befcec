package code

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"catena/table"
	"catena/tools"
	"catena/tools/code/index"
)

var dependentColumns = []table.Column{{Name: "path", Type: table.Text}, {Name: "depth", Type: table.Int}, {Name: "test", Type: table.Bool}, {Name: "line", Type: table.Int},
	{Name: "via", Type: table.Text}}

func (k *Toolkit) dependentsTool() tools.Tool {
	return define(spec{
		name: "get_dependents", title: "Files that depend on a file", shape: codeErrors, columns: dependentColumns, handler: k.dependents,
		description: "Lists the files that depend on a file, folder, package or module: who imports it, directly and through others, with depth, tests apart and a risk level for changing it. " +
			"Use it to see which files depend on, import or use a module, and what a change would break (impact, blast radius).",
		in: object{"filepath": text(`The file or folder as the index has it, a unique end of its path, or the name of a module: "payment".`, maxPath),
			"depth": whole("Steps at most: 1 gives direct dependents only, 0 all.", 0, 100, 0), "limit": whole("Files at most.", 1, maxRows, 500), "workspace": workspaceArg()},
		required: []string{"filepath"},
		out: answers(object{"filepath": aText, "files": texts, "depth": aCount, "dependentCount": aCount, "directCount": aCount, "productionDependentCount": aCount,
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
	t, err := r.find(call.Text("filepath"))
	if err != nil {
		return tools.Result{}, err
	}
	all, err := r.dependentsOf(ctx, t)
	if err != nil {
		return tools.Result{}, err
	}
	impact := r.impactOf(t, all)
	depth := call.Int("depth", 0)
	if depth > 0 {
		all = slices.DeleteFunc(all, func(d index.Dependent) bool { return d.Depth > depth })
	}
	shown := all[:min(len(all), call.Int("limit", 500))]
	tab, err := dependentTable(shown)
	if err != nil {
		return tools.Result{}, err
	}
	results, old := make([]object, len(shown)), make([]object, len(shown))
	for i, d := range shown {
		results[i] = object{"path": d.Path, "depth": d.Depth, "test": d.Test, "line": d.Line, "via": d.Via, "citation": cite(d.Path, max(d.Line, 1))}
		old[i] = object{"filepath": d.Path, "isTestFile": d.Test, "depth": d.Depth}
	}
	more := object{"filepath": t.name(), "files": t.files, "depth": depth, "dependentCount": len(all), "directCount": impact.direct,
		"productionDependentCount": impact.production, "testDependentCount": impact.tests, "testAssociations": impact.named, "riskLevel": impact.level,
		"riskReasoning": impact.reasons, "dependents": old}
	return r.result(reply{text: impact.text(t), name: "dependents", title: "Files that depend on " + t.name(), results: results, more: more, table: tab, total: len(all),
		notes: note(t.note)}), nil
}

// note is a list of one note, or of none.
func note(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// dependentsOf lists what depends on any file of a target and is none of them, by the shortest way.
func (r *reading) dependentsOf(ctx context.Context, t target) ([]index.Dependent, error) {
	own := make(map[string]bool, len(t.files))
	for _, f := range t.files {
		own[f] = true
	}
	nearest := map[string]index.Dependent{}
	for _, f := range representatives(t.files) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list, err := r.snap.Dependents(f)
		if err != nil {
			return nil, err
		}
		for _, d := range list {
			if old, ok := nearest[d.Path]; !own[d.Path] && (!ok || d.Depth < old.Depth) {
				nearest[d.Path] = d
			}
		}
	}
	out := make([]index.Dependent, 0, len(nearest))
	for _, d := range nearest {
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b index.Dependent) int {
		if a.Test != b.Test {
			return map[bool]int{false: -1, true: 1}[a.Test]
		}
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), strings.Compare(a.Path, b.Path))
	})
	return out, nil
}

// representatives leaves one file of each folder of Go: a package is imported as a whole, so the others have the same dependents.
// A test stands for its folder only where there is nothing else.
func representatives(files []string) []string {
	var out []string
	at := map[string]int{}
	for _, f := range files {
		dir := path.Dir(f)
		i, ok := at[dir]
		switch {
		case !strings.HasSuffix(f, ".go"):
			out = append(out, f)
		case !ok:
			at[dir] = len(out)
			out = append(out, f)
		case strings.HasSuffix(out[i], "_test.go"):
			out[i] = f
		}
	}
	return out
}

func dependentTable(list []index.Dependent) (*table.Table, error) {
	b := table.NewBuilder(dependentColumns...)
	for _, d := range list {
		line := table.NullValue
		if d.Line > 0 {
			line = whole64(d.Line)
		}
		if err := b.Append(table.TextValue(d.Path), whole64(d.Depth), table.BoolValue(d.Test), line, orNull(d.Via)); err != nil {
			return nil, fmt.Errorf("the table of dependents: %w", err)
		}
	}
	return b.Table(), nil
}

// impact is what depends on a target, counted, and how much a change of it may break.
type impact struct {
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
		if d.Depth == 1 {
			out.direct++
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
	level := 0
	for _, bound := range riskBounds {
		if out.directProduction > bound {
			level++
		}
	}
	out.reasons = []string{plural(out.directProduction, "direct dependent") + " outside of tests"}
	if out.directProduction > 0 && out.tests == 0 && len(out.named) == 0 {
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
		return fmt.Sprintf("Nothing but %s depends on `%s`.", plural(len(p.named), "test file"), name)
	}
	depend := thousands(n) + " files depend"
	if n == 1 {
		depend = "1 file depends"
	}
	return fmt.Sprintf("%s on `%s`: %s directly, %s through others, %s among them. The risk of a change is %s.", depend, name, thousands(p.direct), thousands(n-p.direct),
		plural(p.tests, "test"), p.level)
}
