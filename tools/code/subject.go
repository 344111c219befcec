package code

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/tools/code/index"
)

// What people ask dependents of.
const (
	aFile    = "file"
	aFolder  = "folder"
	aSymbol  = "symbol"
	anImport = "import" // of something that is not in the index
)

// dependent is a file that depends on something, or a function in it that uses a symbol.
type dependent struct {
	index.Dependent
	within string // the function that uses the symbol; "" outside of all, and where no symbol was asked for
}

// subject is what dependents were asked of, and the dependents.
type subject struct {
	target
	kind  string
	list  []dependent // by depth, those with a line of their own first
	notes []string
	uses  int // lines that use the symbol
}

// files are the dependents, each file once.
func (s subject) files() []index.Dependent { return perFile(s.list) }

// perFile leaves the first of each file.
func perFile(list []dependent) []index.Dependent {
	out := make([]index.Dependent, 0, len(list))
	seen := make(map[string]bool, len(list))
	for _, d := range list {
		if !seen[d.Path] {
			seen[d.Path] = true
			out = append(out, d.Dependent)
		}
	}
	return out
}

// text says who depends on it.
func (s subject) text(p impact) string {
	if s.kind != aSymbol {
		return p.text(s.target)
	}
	n := p.production + p.tests
	if n == 0 {
		return fmt.Sprintf("Nothing in the index uses `%s`.", code(s.name()))
	}
	use := text.Thousands(n) + " files use"
	if n == 1 {
		use = "1 file uses"
	}
	return fmt.Sprintf("%s `%s`, on %s. %s The risk of a change is %s.", use, code(s.name()), text.Count(s.uses, "line"), p.testsText(), p.level)
}

// hidden are the columns that say nothing about it.
func (s subject) hidden() []string {
	if s.kind == aSymbol {
		return []string{"depth", "via"}
	}
	return []string{"function"}
}

// subject finds what somebody asks the dependents of, in this order: a file or folder as the index has it; a symbol, where it is
// written as one is (Engine.Turn, Settle(), the function settle); a file or folder by its name; something imported from outside;
// a symbol of any writing. The error is a *fault.
func (r *reading) subject(ctx context.Context, given string) (subject, error) {
	name, said := symbolName(given)
	if _, exact := r.exactly(given); !exact {
		if list := r.declared(name); len(list) > 0 && (said || written(name) && list[0].Symbol.Name == lastName(name)) {
			return r.users(ctx, name, list)
		}
	}
	t, err := r.find(given)
	if err == nil {
		return r.importers(ctx, t)
	}
	var f *fault
	if !errors.As(err, &f) || f.code != CodeFileUnknown && f.code != CodeAmbiguous {
		return subject{}, err
	}
	if s, ok := r.outside(given); ok {
		return s, nil
	}
	if list := r.meant(name); f.code == CodeFileUnknown && len(list) > 0 {
		return r.users(ctx, name, list)
	}
	if f.code == CodeFileUnknown {
		f.text = fmt.Sprintf("the index has no file, folder, package or symbol %q, and nothing imports it", brief(given))
	}
	return subject{}, err
}

// exactly reports whether a file or folder has just this path.
func (r *reading) exactly(given string) (string, bool) {
	p := path.Clean(strings.TrimSpace(given))
	if r.snap.Has(p) {
		return p, true
	}
	_, ok := below(r.places(), p)
	return p, ok
}

// symbolWords say that a symbol is named; they are no part of the name.
var symbolWords = regexp.MustCompile(`(?i)^(?:functions?|methods?|func|class|types?|struct|interface|symbol|constant|variable)\s+|\s+(?:functions?|methods?|func|class|type|struct|interface|symbol|constant|variable)$|\(\)$`)

var articles = regexp.MustCompile(`(?i)^(?:the|our|my|this|that)\s+`)

// symbolName takes away what is around a symbol's name, and reports whether the words say that it is one.
func symbolName(given string) (name string, said bool) {
	name = articles.ReplaceAllString(strings.Trim(strings.TrimSpace(given), "\"'`"), "")
	bare := strings.Trim(symbolWords.ReplaceAllString(name, ""), " \"'`")
	return bare, bare != name && bare != ""
}

// written reports whether a name looks as symbols do and names of folders seldom: with a capital, an underscore, a container.
func written(name string) bool {
	return strings.ContainsAny(name, "_.:#(") || strings.ToLower(name) != name
}

// lastName is a symbol's name without its container.
func lastName(name string) string { return name[strings.LastIndexAny(name, ".:#")+1:] }

// importers are the dependents of files.
func (r *reading) importers(ctx context.Context, t target) (subject, error) {
	s := subject{target: t, kind: aFile, notes: note(t.note)}
	if t.folder != "" {
		s.kind = aFolder
	}
	list, err := r.dependentsOf(ctx, t)
	s.list = plainDependents(list)
	return s, err
}

// outside are the dependents of something that is imported and not in the index; false when nothing imports it.
func (r *reading) outside(given string) (subject, bool) {
	name := bareName(given)
	list, imports := r.snap.Importers(name)
	if len(imports) == 0 {
		return subject{}, false
	}
	s := subject{target: target{called: name}, kind: anImport, list: plainDependents(byNearness(list))}
	what := "the import " + imports[0]
	if len(imports) == 1 {
		s.called = imports[0]
	} else {
		what = fmt.Sprintf("%d imports: %s", len(imports), enumerate(imports, 5))
	}
	s.notes = []string{fmt.Sprintf("%q was taken for %s, which is not in the index itself.", brief(given), what)}
	return s, true
}

func plainDependents(list []index.Dependent) []dependent {
	out := make([]dependent, len(list))
	for i, d := range list {
		out[i].Dependent = d
	}
	return out
}

// maxMeant bounds the symbols of one name whose uses are looked for.
const maxMeant = 3

// users are the functions and files that use a symbol, one row for each.
func (r *reading) users(ctx context.Context, name string, list []index.Declared) (subject, error) {
	taken := list[:min(len(list), maxMeant)]
	s := subject{kind: aSymbol, target: target{called: qualified(&taken[0].Symbol)}}
	var at []string
	seen := map[string]bool{}
	for _, d := range taken {
		at = append(at, cite(d.Path, d.Symbol.Start))
		if !slices.Contains(s.target.files, d.Path) {
			s.target.files = append(s.target.files, d.Path)
		}
		uses, err := r.uses(ctx, d)
		if err != nil {
			return subject{}, err
		}
		if len(uses) == maxUses {
			s.notes = append(s.notes, fmt.Sprintf("It is used on more than %d lines; only these were looked at.", maxUses))
		}
		for _, u := range uses {
			if u.path == d.Path && u.within == qualified(&d.Symbol) {
				continue // it calls itself
			}
			s.uses++
			key := u.path + "\x00" + u.within
			if seen[key] {
				continue
			}
			seen[key] = true
			s.list = append(s.list, dependent{index.Dependent{Path: u.path, Depth: 1, Line: u.line, Test: u.test, Via: d.Path}, u.within})
		}
	}
	slices.SortFunc(s.list, func(a, b dependent) int { return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) })
	said := fmt.Sprintf("%q was taken for the %s %s, declared at %s.", brief(name), taken[0].Symbol.Kind, s.called, at[0])
	if len(list) > 1 {
		said = fmt.Sprintf("%q was taken for %s of that name, declared at %s.", brief(name), text.Count(len(taken), "symbol"), strings.Join(at, ", "))
	}
	if len(list) > len(taken) {
		said += fmt.Sprintf(" There are %d more.", len(list)-len(taken))
	}
	s.notes = append([]string{said, "Uses are found by name in the files that can see the symbol; files that depend on these in turn are not listed."}, s.notes...)
	return s, nil
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
	return byNearness(out), nil
}

// byNearness orders dependents by depth, those with an import of their own before the other files of their package, then by path.
func byNearness(list []index.Dependent) []index.Dependent {
	own := map[bool]int{true: 0, false: 1}
	slices.SortFunc(list, func(a, b index.Dependent) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(own[a.Line > 0], own[b.Line > 0]), strings.Compare(a.Path, b.Path))
	})
	return list
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
