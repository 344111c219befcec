package code

import (
	"context"
	"log/slog"
	"path"
	"slices"
	"strings"

	"catena/tools/code/index"
	"catena/tools/code/parse"
)

// log is where the toolkit says what its callers need not know.
func (k *Toolkit) log() *slog.Logger {
	if k.opt.Log != nil {
		return k.opt.Log
	}
	return slog.Default()
}

// find gives the files that a path or name in an argument means.
func (r *reading) find(given string) (target, error) {
	a := atlas{root: r.root(), has: r.snap.Has, places: r.places, declares: func(name string) []string {
		var files []string
		for _, d := range r.declared(name) {
			if d.Symbol.Container == "" && !slices.Contains(files, d.Path) {
				files = append(files, d.Path)
			}
		}
		return files
	}}
	return a.find(given)
}

func (r *reading) places() []place {
	files := r.snap.Files()
	out := make([]place, len(files))
	for i, f := range files {
		out[i] = place{path: f.Path, pkg: f.Package, test: f.Test}
	}
	return out
}

// lines are lines of a file as they were indexed; "" for those that are not there.
func (r *reading) lines(path string, from, to int) string {
	if to < from || to < 1 {
		return ""
	}
	text, err := r.snap.Lines(path, from, to)
	if err != nil {
		return "" // a path of the same snapshot is always there
	}
	return text
}

// maxDeclared bounds the declarations of one name that are looked at.
const maxDeclared = 200

// declared lists the symbols that a name means: Turn, Engine.Turn, or (*Engine).Turn; exactly so first, whatever the case
// otherwise. Containers may be left out from the left.
func (r *reading) declared(name string) []index.Declared {
	name = strings.NewReplacer("(", "", ")", "", "*", "", "::", ".", "#", ".", "`", "").Replace(strings.TrimSpace(name))
	if name == "" || strings.ContainsAny(name, " /?[\t\n") {
		return nil
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	list := r.snap.Named(last)
	var exact, loose []index.Declared
	for _, d := range list[:min(len(list), maxDeclared)] {
		full := qualified(&d.Symbol)
		if in := path.Base(path.Dir(d.Path)) + "." + full; strings.EqualFold(in, name) {
			full = in // io.Copy, by the folder's name
		}
		switch {
		case full == name || strings.HasSuffix(full, "."+name):
			exact = append(exact, d)
		case strings.EqualFold(full, name) || strings.HasSuffix(strings.ToLower(full), "."+strings.ToLower(name)):
			loose = append(loose, d)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return loose
}

// meta is what Files knows of each file, by path.
func (r *reading) meta() map[string]*index.FileSummary {
	files := r.snap.Files()
	out := make(map[string]*index.FileSummary, len(files))
	for i := range files {
		out[files[i].Path] = &files[i]
	}
	return out
}

// declaration is a symbol with what is known of its file; both are only to be read.
type declaration struct {
	path   string
	symbol *parse.Symbol
	file   *index.FileSummary
}

// measuredFunctions are the functions that have a body, with their measures, by path and line; keep nil takes all.
func (r *reading) measuredFunctions(ctx context.Context, f index.Filter, keep func(declaration) bool) ([]declaration, error) {
	if !r.searchable() {
		return nil, nil
	}
	f.Tests = true
	list, _, err := r.snap.Functions(ctx, f)
	if err != nil {
		return nil, err
	}
	meta := r.meta()
	out := make([]declaration, 0, len(list))
	for i := range list {
		if d := (declaration{list[i].Path, &list[i].Symbol, meta[list[i].Path]}); keep == nil || keep(d) {
			out = append(out, d)
		}
	}
	return out, nil
}

// worst is the highest cyclomatic complexity of a file's functions.
func (r *reading) worst(path string) int {
	list, _, err := r.snap.Functions(context.Background(), index.Filter{Path: path, Tests: true, By: "cyclomatic", Limit: 1})
	if err != nil || len(list) == 0 {
		return 0
	}
	return list[0].Symbol.Metrics.Cyclomatic
}

// use is a place that uses a symbol.
type use struct {
	path   string
	line   int
	text   string // of the line
	within string // the function it is in; "" outside of all
	call   bool
	test   bool
}

// Bounds of a search for uses.
const (
	maxUsers = 400 // files that are looked into
	maxUses  = 200
)

// uses lists the places that use a symbol: in its own file and package, and in the files that import it. Names are compared, and
// the qualifier where there is one, so that another symbol of the same name may be among them: confidence says so.
func (r *reading) uses(ctx context.Context, d index.Declared) ([]use, error) {
	deps, err := r.snap.Dependents(d.Path)
	if err != nil {
		return nil, err
	}
	files, seen := []string{d.Path}, map[string]bool{d.Path: true}
	add := func(p string) {
		if !seen[p] {
			seen[p] = true
			files = append(files, p)
		}
	}
	for _, f := range r.snap.Files() {
		if path.Dir(f.Path) == path.Dir(d.Path) {
			add(f.Path)
		}
	}
	for _, x := range deps {
		if x.Depth == 1 {
			add(x.Path)
		}
	}
	var out []use
	for _, p := range files[:min(len(files), maxUsers)] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := r.snap.File(p)
		if err != nil {
			return nil, err
		}
		out = append(out, r.usesIn(f, d)...)
		if len(out) >= maxUses {
			return out[:maxUses], nil
		}
	}
	return out, nil
}

// usesIn lists the lines of one file that use a symbol. The index knows the chunk; the line is found in its text.
func (r *reading) usesIn(f index.FileInfo, d index.Declared) []use {
	var out []use
	seen := map[int]bool{}
	for _, ref := range f.Refs {
		if ref.Name != d.Symbol.Name {
			continue
		}
		i := slices.IndexFunc(f.Chunks, func(c parse.Chunk) bool { return c.Start <= ref.Line && ref.Line <= c.End })
		if i < 0 {
			continue
		}
		c := f.Chunks[i]
		for n, text := range strings.Split(r.lines(f.Path, c.Start, c.End), "\n") {
			line := c.Start + n
			own := f.Path == d.Path && line >= max(d.Symbol.DocStart, 1) && line <= d.Symbol.Start && (d.Symbol.DocStart > 0 || line == d.Symbol.Start)
			if seen[line] || own || !usesName(text, ref) {
				continue
			}
			seen[line] = true
			out = append(out, use{path: f.Path, line: line, text: strings.TrimSpace(text), within: enclosing(f, line), call: ref.Call, test: f.Test})
		}
	}
	slices.SortFunc(out, func(a, b use) int { return a.line - b.line })
	return out
}

// usesName reports whether a line uses the name as a whole word, called where the reference is a call, and not in a comment alone.
func usesName(line string, ref parse.Ref) bool {
	trimmed := strings.TrimSpace(line)
	for _, mark := range []string{"//", "#", "*", "/*"} {
		if strings.HasPrefix(trimmed, mark) {
			return false
		}
	}
	for from := 0; ; {
		i := strings.Index(line[from:], ref.Name)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(ref.Name)
		from = end
		if start > 0 && nameByte(line[start-1]) || end < len(line) && nameByte(line[end]) {
			continue
		}
		rest := strings.TrimLeft(line[end:], " \t")
		if !ref.Call || strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, "<") || strings.HasPrefix(rest, "!") || strings.HasPrefix(rest, "{") {
			return true
		}
	}
}

func nameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// enclosing is the innermost function, method or type around a line.
func enclosing(f index.FileInfo, line int) string {
	name, size := "", 0
	for _, s := range f.Symbols {
		if s.Start <= line && line <= s.End && (name == "" || s.End-s.Start < size) && s.Kind != parse.Variable && s.Kind != parse.Constant {
			name, size = qualified(&s), s.End-s.Start
		}
	}
	return name
}
