package index

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"catena/tools/code/parse"
)

// Declared is a symbol with the file that declares it.
type Declared struct {
	Path   string
	Symbol parse.Symbol
	Rank   float64 // of the file
}

const maxPattern = 1 << 10 // bytes

// PatternError says that a pattern cannot be used.
type PatternError struct {
	Pattern string
	Err     error
}

func (e *PatternError) Error() string {
	return fmt.Sprintf("the pattern %q cannot be used: %v", e.Pattern, e.Err)
}
func (e *PatternError) Unwrap() error { return e.Err }

// Named says which symbols Symbols lists. The zero value fits all, and lists none of them.
type Named struct {
	Pattern    string             // see Symbols
	Kinds      []parse.SymbolKind // nil for all
	PathPrefix string             // a file, or a folder and all below it; "" for all
	Language   string             // "" for all
	Limit      int                // at most so many are listed, 10,000 at most
}

// Symbols lists the symbols whose qualified name (Engine.Turn) fits a pattern: the empty pattern fits all; /.../ is a regular
// expression (RE2, so its time is bounded); a pattern with * or ? is a glob over the whole of it or of the name alone; any other
// is looked for in it, whatever the case. The best ranked files come first, whole names before parts. At most q.Limit are
// returned, and how many there are in all. A pattern that does not parse is a *PatternError.
func (s *Snapshot) Symbols(ctx context.Context, q Named) ([]Declared, int, error) {
	fits, err := matcher(q.Pattern)
	if err != nil {
		return nil, 0, err
	}
	type found struct {
		file   int32
		symbol uint32
		grade  int
	}
	var list []found
	for i, f := range s.list {
		if i%512 == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		v := f.view
		if q.Language != "" && v.language(f.file) != q.Language || q.PathPrefix != "" && !within(f.path(), path.Clean(q.PathPrefix)) {
			continue
		}
		for k := v.fileSymbols[f.file]; k < v.fileSymbols[f.file+1]; k++ {
			if len(q.Kinds) > 0 && !slices.Contains(q.Kinds, parse.SymbolKind(v.str.at(v.symbolKind[k]))) {
				continue
			}
			if grade := fits(v.str.at(v.symbolName[k]), v.str.at(v.symbolContainer[k])); grade > 0 {
				list = append(list, found{int32(i), k, grade})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.grade, a.grade), cmp.Compare(s.graph.rank[b.file], s.graph.rank[a.file]))
	})
	shown := list[:min(len(list), max(min(q.Limit, 10_000), 0))]
	out := make([]Declared, 0, len(shown))
	for _, x := range shown {
		f := s.list[x.file]
		out = append(out, Declared{Path: f.path(), Symbol: f.view.symbol(x.symbol), Rank: s.graph.rank[x.file]})
	}
	return out, len(list), nil
}

// matcher grades a symbol: 0 does not fit, 1 in part, 2 the whole name.
func matcher(pattern string) (func(name, container string) int, error) {
	if len(pattern) > maxPattern {
		return nil, &PatternError{Pattern: pattern[:64] + "...", Err: fmt.Errorf("it has %d bytes; %d are allowed", len(pattern), maxPattern)}
	}
	qualified := func(name, container string) string {
		if container == "" {
			return name
		}
		return container + "." + name
	}
	switch {
	case pattern == "":
		return func(string, string) int { return 1 }, nil
	case len(pattern) > 2 && pattern[0] == '/' && strings.HasSuffix(pattern, "/"):
		re, err := regexp.Compile(pattern[1 : len(pattern)-1])
		if err != nil {
			return nil, &PatternError{Pattern: pattern, Err: err}
		}
		return func(name, container string) int { return int(flag(re.MatchString(qualified(name, container)), 1)) }, nil
	case strings.ContainsAny(pattern, "*?["):
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, &PatternError{Pattern: pattern, Err: err}
		}
		return func(name, container string) int {
			whole, _ := path.Match(pattern, qualified(name, container)) // the pattern was checked
			alone, _ := path.Match(pattern, name)
			return int(flag(whole || alone, 1))
		}, nil
	}
	low := strings.ToLower(pattern)
	return func(name, container string) int {
		q := strings.ToLower(qualified(name, container))
		switch {
		case q == low || strings.EqualFold(name, pattern):
			return 2
		case strings.Contains(q, low):
			return 1
		}
		return 0
	}, nil
}

// Filter narrows Functions. The zero value means all.
type Filter struct {
	Pattern                     string // as in Symbols
	PathPrefix, Path, Language  string
	MinCyclomatic, MinCognitive int
	Tests                       bool   // those of tests, too
	By                          string // cyclomatic, cognitive, effort, lines or rank, highest first; "" by path and line
	Limit                       int    // 0 means all
}

// Functions lists functions and methods that have a body, with their metrics, and how many fit in all. A pattern that does not
// parse is a *PatternError; an unknown Path is a *PathError.
func (s *Snapshot) Functions(ctx context.Context, q Filter) ([]Function, int, error) {
	fits, err := matcher(q.Pattern)
	if err != nil {
		return nil, 0, err
	}
	list := s.list
	first := 0
	if q.Path != "" {
		i, err := s.find(q.Path)
		if err != nil {
			return nil, 0, err
		}
		first, list = int(i), s.list[i:i+1]
	}
	var out []Function
	for i, f := range list {
		if i%512 == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		if !q.allows(f) {
			continue
		}
		v := f.view
		for k := v.fileSymbols[f.file]; k < v.fileSymbols[f.file+1]; k++ {
			if m := v.symbolMetrics[k]; m == 0 || int(v.metrics[(m-1)*metricInts]) < q.MinCyclomatic || int(v.metrics[(m-1)*metricInts+1]) < q.MinCognitive {
				continue
			}
			if fits(v.str.at(v.symbolName[k]), v.str.at(v.symbolContainer[k])) > 0 {
				out = append(out, Function{Path: f.path(), Symbol: v.symbol(k), Rank: s.graph.rank[first+i]})
			}
		}
	}
	if by := orders[q.By]; by != nil {
		slices.SortStableFunc(out, func(a, b Function) int { return cmp.Compare(by(&b), by(&a)) })
	}
	all := len(out)
	if q.Limit > 0 {
		out = out[:min(len(out), q.Limit)]
	}
	return out, all, nil
}

var orders = map[string]func(*Function) float64{
	"cyclomatic": func(f *Function) float64 { return float64(f.Symbol.Metrics.Cyclomatic) },
	"cognitive":  func(f *Function) float64 { return float64(f.Symbol.Metrics.Cognitive) },
	"effort":     func(f *Function) float64 { return f.Symbol.Metrics.Halstead.Effort },
	"lines":      func(f *Function) float64 { return float64(f.Symbol.Metrics.Lines) },
	"rank":       func(f *Function) float64 { return f.Rank },
}

func (q *Filter) allows(f fileRef) bool {
	return (q.Tests || !f.has(flagTest)) &&
		(q.PathPrefix == "" || within(f.path(), path.Clean(q.PathPrefix)) || strings.HasPrefix(f.path(), q.PathPrefix)) &&
		(q.Language == "" || f.view.language(f.file) == q.Language)
}
