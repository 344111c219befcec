package offline

import (
	"cmp"
	"slices"
	"strings"

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
	extra   map[string][]string // enum values beyond the first: "open or pending"
	not     map[string][]string // enum values that are not meant: "not closed"
	needed  bool                // what it finds is required
	depth   int                 // 0 for the tool that is meant, more for those that find what it needs
	via     []*toolFacts        // the tools that this one is called for
	named   bool                // a name says which one thing is meant
	literal bool                // an id says it
}

func newFilling(c *chain, f *toolFacts, toks []token) *filling {
	return &filling{c: c, f: f, toks: toks, used: make([]bool, len(toks)), said: make([]bool, len(toks)), args: map[string]any{}, extra: map[string][]string{}, not: map[string][]string{}}
}

// mark notes that tokens fill an argument.
func (s *filling) mark(i, j int) {
	for k := i; k < j; k++ {
		s.used[k], s.said[k] = true, true
	}
}

// fillAll gives the arguments what the clause says of them.
func (s *filling) fillAll() {
	for _, p := range s.f.params {
		if p.names() {
			s.fill(p) // a name may hold words that are values of others
		}
	}
	for _, p := range s.f.params {
		if !p.names() {
			s.fill(p)
		}
	}
}

// mostTools bounds the tools that are tried for a clause.
const mostTools = 16

// toolClause plans a clause with the tool whose call says all of it, with steps before that find what it needs: of several the one
// with the fewest steps, then the one that fits its words best.
func (c *chain) toolClause(toks []token) bool {
	lows := lowsOf(toks)
	var best *chain
	most, head := 0, c.head(toks)
	for i, r := range c.cat.rank(toks) {
		if i == mostTools {
			break
		}
		if len(c.s.views) > 0 && !r.tool.spoken(lows) && !r.tool.searches(lows) && !r.tool.changes() {
			continue // tables answer what no tool is named for
		}
		if r.nouns == 0 && !r.tool.hinted(toks) || r.tool.tabular() || !r.tool.wanted(toks) {
			continue
		}
		t := c.copied()
		if !t.callTool(r.tool, toks) {
			c.missing = cmp.Or(c.missing, t.missing)
			continue
		}
		fit := 2*b2i(r.tool.ordered(toks)) + b2i(r.tool.about(head) || r.tool.entity == c.cat.roles[head.lemma])
		if best == nil || fit > most || fit == most && len(t.steps) < len(best.steps) {
			best, most = t, fit
		}
		if len(c.s.views) > 0 {
			break
		}
	}
	if best == nil {
		return false
	}
	*c = *best
	return true
}

// changes reports whether a tool is one that changes something.
func (f *toolFacts) changes() bool { return !f.ReadOnly }

func lowsOf(toks []token) map[string]bool {
	low := map[string]bool{}
	for _, t := range toks {
		low[t.lemma], low[t.low] = true, true
	}
	return low
}

// searches reports whether the message says that the tool's things be searched: "find client X".
func (f *toolFacts) searches(low map[string]bool) bool {
	return slices.ContainsFunc(f.verbs, func(v string) bool { return low[v] && (v == "find" || v == "search" || v == "lookup") }) &&
		slices.ContainsFunc(f.nouns, func(n string) bool { return low[n] })
}

// wanted reports whether a tool that changes something is clearly asked for. Tools that only read always are.
func (f *toolFacts) wanted(toks []token) bool {
	if f.ReadOnly {
		return true
	}
	writes := false
	for _, v := range f.verbs {
		if !toolVerbs[v] {
			writes = true
			if slices.ContainsFunc(toks, func(t token) bool { return t.low == v }) {
				return true
			}
		}
		for _, w := range writeVerbs[v] {
			if slices.ContainsFunc(toks, func(t token) bool { return t.low == w }) {
				return true
			}
		}
		writes = writes || len(writeVerbs[v]) > 0
	}
	return !writes && !f.Destructive && len(f.verbs) > 0
}

// head is the first thing that a clause names: what is asked for, mostly.
func (c *chain) head(toks []token) token {
	for _, t := range toks {
		if t.kind == wordToken && (c.cat.nouns[t.lemma] || c.cat.roles[t.lemma] != "" || slices.ContainsFunc(nounAliases[t.lemma], func(a string) bool { return c.cat.nouns[a] })) {
			return t
		}
	}
	return token{}
}

// about reports whether a word is what the tool's rows are.
func (f *toolFacts) about(t token) bool {
	return t.lemma != "" && (f.entity == t.lemma || slices.Contains(nounAliases[t.lemma], f.entity))
}

// hinted reports whether a message names a tool that it does not speak of: its name, a value that it lists, a column that it has.
func (f *toolFacts) hinted(toks []token) bool {
	return slices.ContainsFunc(toks, func(t token) bool {
		if t.kind != wordToken {
			return false
		}
		return t.low == f.Name || slices.ContainsFunc(f.params, func(p param) bool {
			return slices.ContainsFunc(p.enum, func(e string) bool { return strings.EqualFold(e, t.text) })
		}) || slices.ContainsFunc(f.columns, func(c plan.ColumnInfo) bool { return t.lemma == c.Name })
	})
}

// ordered reports whether the message begins with what a tool that changes something does: move the deal, please close the ticket.
func (f *toolFacts) ordered(toks []token) bool {
	if f.ReadOnly {
		return false
	}
	for _, t := range toks {
		if t.kind == wordToken && !politeWords[t.low] && !stopWords[t.low] {
			return slices.ContainsFunc(f.verbs, func(v string) bool { return t.low == v || slices.Contains(writeVerbs[v], t.low) })
		}
	}
	return false
}

// callTool fills a tool's arguments and adds its step.
func (c *chain) callTool(f *toolFacts, toks []token) bool {
	s := newFilling(c, f, toks)
	s.useWords()
	words := slices.Clone(s.used)
	s.fillAll()
	if len(c.s.views) > 0 && !s.datesFit(words) {
		return false
	}
	each, ok := s.chainIDs()
	if !ok {
		return false
	}
	for _, p := range f.params {
		if _, have := s.args[p.name]; p.required && !have {
			if s.explained() {
				c.missing = cmp.Or(c.missing, "Which "+strings.Join(plan.NameWords(p.name), " ")+" do you mean?")
			}
			return false
		}
	}
	step := c.add(f.Name, s.args)
	c.steps[step].Each = each
	c.last, c.view = f, f.resultView()
	c.answers = append(c.answers, step)
	return s.rest()
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
		if w := s.f.words[stem(t.low)]; w >= s.c.known() && t.kind == wordToken {
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
	case p.dated():
		s.fillDate(p)
	case p.place():
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
			words := plan.FoldWords(e)
			if len(words) == 0 || !saysAt(s.toks, i, words) && !(len(words) == 1 && s.toks[i].lemma == plan.Singular(words[0])) || s.said[i] {
				continue
			}
			have, ok := s.args[p.name]
			switch {
			case s.denied(i):
				s.not[p.name] = append(s.not[p.name], e)
			case !ok:
				s.args[p.name] = e
			case !s.f.ReadOnly && !s.becomes(i):
				continue // what it is now, not what it is to be
			case !s.f.ReadOnly && have != e:
				s.freed(have)
				s.args[p.name] = e
			case have != e:
				s.extra[p.name] = append(s.extra[p.name], e)
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

// placeWords are what arguments that take places and currencies are called.
var placeWords = plan.WordSet("country region currency market state nation territory")

func (p param) place() bool {
	return slices.ContainsFunc(plan.NameWords(p.name), func(w string) bool { return placeWords[plan.Singular(w)] }) || strings.Contains(p.desc, "ISO country") || strings.Contains(p.desc, "ISO currency")
}

// fillPlace takes a country or currency: as a code where the argument wants codes.
func (s *filling) fillPlace(p param) {
	currency := strings.Contains(strings.ToLower(p.desc+p.name), "currency")
	code := strings.Contains(p.desc, "ISO") || strings.Contains(p.desc, "code")
	for i, t := range s.toks {
		if s.used[i] || t.kind != wordToken {
			continue
		}
		if currency {
			if c := currencyCode(t); c != "" {
				s.args[p.name] = c
				s.mark(i, i+1)
				return
			}
			continue
		}
		for j := min(i+3, len(s.toks)); j > i; j-- {
			if slices.ContainsFunc(s.toks[i:j], func(w token) bool { return w.kind != wordToken }) {
				continue
			}
			phrase := joinWords(s.toks[i:j])
			names := plan.Synonyms(phrase)
			if len(names) == 0 || len(phrase) <= 3 && phrase != strings.ToUpper(phrase) || !plan.IsPlace(phrase) {
				continue
			}
			value := phrase
			if code {
				value = plan.CountryCode(phrase)
			}
			if country, ok := plan.Demonym(t.low); ok && !code {
				value = country
			}
			if value == "" {
				continue
			}
			s.args[p.name] = value
			s.mark(i, j)
			return
		}
	}
}

var currencyNames = map[string]string{"dollar": "USD", "euro": "EUR", "pound": "GBP", "yen": "JPY", "franc": "CHF", "krone": "NOK", "yuan": "CNY", "rupee": "INR"}

var currencyCodes = plan.WordSet("usd eur gbp jpy chf nok sek dkk cny inr cad aud brl mxn pln czk huf try krw sgd hkd nzd zar")

// currencyCode gives the ISO code that a word means.
func currencyCode(t token) string {
	if currencyCodes[t.low] {
		return strings.ToUpper(t.low)
	}
	return currencyNames[t.lemma]
}

func capital(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }
