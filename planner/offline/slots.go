package offline

import (
	"slices"

	"catena/planner/plan"
)

// filling is the arguments of one tool as a clause gives them.
type filling struct {
	c       *chain
	f       *toolFacts
	toks    []token
	used    []bool // tokens that are explained
	said    []bool // those of them that fill an argument
	args    map[string]any
	given   map[string]bool     // those of args that were said by their names
	extra   map[string][]string // enum values beyond the first: "open or pending"
	not     map[string][]string // enum values that are not meant: "not closed"
	needed  bool                // what it finds is required
	depth   int                 // 0 for the tool that is meant, more for those that find what it needs
	via     []*toolFacts        // the tools that this one is called for
	named   bool                // a name says which one thing is meant
	literal bool                // an id says it
}

func newFilling(c *chain, f *toolFacts, toks []token) *filling {
	return &filling{c: c, f: f, toks: toks, used: make([]bool, len(toks)), said: make([]bool, len(toks)), args: map[string]any{}, given: map[string]bool{}}
}

// mark notes that tokens fill an argument.
func (s *filling) mark(i, j int) {
	for k := i; k < j; k++ {
		s.used[k], s.said[k] = true, true
	}
}

// fillAll gives the arguments what the clause says of them.
func (s *filling) fillAll() {
	for i := range s.f.params {
		if p := &s.f.params[i]; p.named && !s.given[p.name] {
			s.fill(*p) // a name may hold words that are values of others
		}
	}
	for i := range s.f.params {
		if p := &s.f.params[i]; !p.named && !s.given[p.name] {
			s.fill(*p)
		}
	}
}

func (f *toolFacts) resultView() *view {
	if len(f.columns) == 0 {
		return nil
	}
	f.shown.Do(func() { f.result = f.newResultView() })
	return f.result
}

func (f *toolFacts) newResultView() *view {
	info := plan.TableInfo{Name: f.entity, Rows: 1000, Columns: slices.Clone(f.columns)}
	for i := range info.Columns {
		info.Columns[i].Distinct = 100
	}
	return newView(info)
}

// useWords marks the words that only say which tool is meant.
func (s *filling) useWords() {
	for i, t := range s.toks {
		if w := s.f.words[t.stem]; w >= s.c.known() && t.kind == wordToken {
			s.used[i] = true
		}
		for _, alias := range nounAliases[t.lemma] {
			if s.f.words[stem(alias)] >= 2 {
				s.used[i] = true
			}
		}
		for _, v := range s.f.verbs {
			if slices.Contains(writeVerbs[v], t.low) {
				s.used[i] = true
			}
		}
	}
}

// known is the weight from which a word of a tool explains a word of the message: beside tables only words of its name do,
// since tables would answer the rest better.
func (c *chain) known() float64 {
	if len(c.s.views) > 0 {
		return 2
	}
	return 1
}

// fill gives an argument what the clause says of it.
func (s *filling) fill(p param) {
	switch {
	case len(p.enum) > 0:
		s.fillEnum(p)
	case p.typ == "integer" || p.typ == "number":
		s.fillNumber(p)
	case p.entity != "":
		s.fillID(p)
	case p.dated:
		s.fillDate(p)
	case p.place:
		s.fillPlace(p)
	case p.typ == "string" || p.typ == "":
		s.fillText(p)
	case p.typ == "boolean":
		if i := slices.IndexFunc(s.toks, func(t token) bool { return slices.Contains(p.words[:min(2, len(p.words))], t.lemma) }); i >= 0 {
			s.args[p.name] = true
		}
	}
}

func (c *chain) fillEnums(f *toolFacts, toks []token, args map[string]any) {
	s := newFilling(c, f, toks)
	s.args = args
	for _, p := range f.params {
		if len(p.enum) > 0 {
			s.fillEnum(p)
		}
	}
}

// fillEnum gives an argument the values of its list that the clause names.
func (s *filling) fillEnum(p param) {
	for i := range s.toks {
		for _, e := range p.enum {
			words, lemma := p.folded[e].words, p.folded[e].lemma
			if len(words) == 0 || s.said[i] || !saysAt(s.toks, i, words) && (lemma == "" || s.toks[i].lemma != lemma) {
				continue
			}
			have, ok := s.args[p.name]
			switch {
			case s.denied(i):
				s.not = with(s.not, p.name, e)
			case !ok:
				s.args[p.name] = e
			case !s.f.ReadOnly && !s.becomes(i):
				continue // what it is now, not what it is to be
			case !s.f.ReadOnly && have != e:
				s.freed(have)
				s.args[p.name] = e
			case have != e:
				s.extra = with(s.extra, p.name, e)
			}
			s.mark(i, min(i+len(words), len(s.toks)))
		}
	}
}

// freed takes back the words of a value.
func (s *filling) freed(value any) {
	text, _ := value.(string)
	words := plan.FoldWords(text)
	for i := range s.toks {
		if saysAt(s.toks, i, words) {
			for k := i; k < i+len(words); k++ {
				s.used[k], s.said[k] = false, false
			}
		}
	}
}

// becomes reports whether the words before a token say that something is to be what follows: as won, to won.
func (s *filling) becomes(i int) bool {
	return i > 0 && (s.toks[i-1].low == "as" || s.toks[i-1].low == "to" || s.toks[i-1].low == "into" || s.toks[i-1].text == "=")
}

// deniers stand before what is not meant.
var deniers = plan.WordSet("not non isn't aren't wasn't weren't never without except excluding besides")

// denied reports whether the words before a token say that it is not meant. What denies is explained by it.
func (s *filling) denied(i int) bool {
	for k := i - 1; k >= max(0, i-2); k-- {
		if deniers[s.toks[k].low] {
			s.used[k] = true
			return true
		}
		if s.toks[k].low != "yet" && s.toks[k].low != "been" && s.toks[k].kind != markToken {
			return false
		}
	}
	return false
}

func (s *filling) fillNumber(p param) {
	for i, t := range s.toks {
		if t.kind != numberToken || s.used[i] || len(t.text) == 4 && t.text >= "1900" && t.text <= "2100" {
			continue
		}
		near := false
		for k := max(0, i-2); k <= i+2 && k < len(s.toks); k++ {
			near = near || slices.Contains(p.words, s.toks[k].lemma) || s.toks[k].low == "top" || s.toks[k].low == "first"
		}
		single := len(slices.DeleteFunc(slices.Clone(s.f.params), func(o param) bool { return o.typ != "integer" && o.typ != "number" })) == 1
		if near || single {
			s.args[p.name] = asNumber(t.num)
			s.mark(i, i+1)
			return
		}
	}
}

// with adds a value to a list of a map, which is made where it is nil.
func with(m map[string][]string, key, value string) map[string][]string {
	if m == nil {
		m = map[string][]string{}
	}
	m[key] = append(m[key], value)
	return m
}
