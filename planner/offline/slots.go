package offline

import (
	"cmp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// filling is the arguments of one tool as a clause gives them.
type filling struct {
	c     *chain
	f     *toolFacts
	toks  []token
	used  []bool
	args  map[string]any
	extra map[string][]string // enum values beyond the first: "open or pending"
}

// toolClause plans a clause with the tool that fits it best, with steps before it that find what it needs.
func (c *chain) toolClause(toks []token) bool {
	lows := lowsOf(toks)
	for i, r := range c.cat.rank(toks) {
		if i == 8 {
			break
		}
		if len(c.s.views) > 0 && !r.tool.spoken(lows) && !r.tool.searches(lows) && !r.tool.changes() {
			continue // tables answer what no tool is named for
		}
		if r.nouns == 0 && !slices.ContainsFunc(toks, func(t token) bool { return t.low == r.tool.Name }) || r.tool.tabular() || !r.tool.wanted(toks) {
			continue
		}
		saved := len(c.steps)
		if c.callTool(r.tool, toks) {
			return true
		}
		c.steps = c.steps[:saved]
	}
	return false
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
		for _, w := range writeVerbs[v] {
			if slices.ContainsFunc(toks, func(t token) bool { return t.low == w }) {
				return true
			}
		}
		writes = writes || len(writeVerbs[v]) > 0
	}
	return !writes && !f.Destructive && len(f.verbs) > 0
}

// callTool fills a tool's arguments and adds its step.
func (c *chain) callTool(f *toolFacts, toks []token) bool {
	s := &filling{c: c, f: f, toks: toks, used: make([]bool, len(toks)), args: map[string]any{}, extra: map[string][]string{}}
	s.useWords()
	words := slices.Clone(s.used)
	for _, p := range f.params {
		s.fill(p)
	}
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
	s := &filling{c: c, f: f, toks: toks, used: make([]bool, len(toks)), args: args, extra: map[string][]string{}}
	for _, p := range f.params {
		if len(p.enum) > 0 {
			s.fillEnum(p)
		}
	}
}

func (s *filling) fillEnum(p param) {
	for i := range s.toks {
		for _, e := range p.enum {
			words := plan.FoldWords(e)
			if len(words) == 0 || !saysAt(s.toks, i, words) && !(len(words) == 1 && s.toks[i].lemma == plan.Singular(words[0])) {
				continue
			}
			for k := i; k < min(i+len(words), len(s.toks)); k++ {
				s.used[k] = true
			}
			if have, ok := s.args[p.name]; !ok {
				s.args[p.name] = e
			} else if have != e {
				s.extra[p.name] = append(s.extra[p.name], e)
			}
		}
	}
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
			s.args[p.name], s.used[i] = asNumber(t.num), true
			return
		}
	}
}

// fillID takes a token that has the shape of the argument's ids.
func (s *filling) fillID(p param) {
	shape := p.shape
	if shape == nil {
		shape = s.c.cat.shapeOf(p.entity)
	}
	if shape == nil {
		return
	}
	var found []any
	for i, t := range s.toks {
		if shape.MatchString(t.text) {
			s.used[i] = true
			found = append(found, t.text)
		}
	}
	switch {
	case len(found) == 0:
	case p.typ == "array":
		s.args[p.name] = found
	case len(found) == 1:
		s.args[p.name] = found[0]
	}
}

func (p param) dated() bool {
	return p.format == "date" || p.format == "date-time" || strings.Contains(p.desc, "YYYY-MM-DD") || p.name == "date" || p.name == "since" || p.name == "until"
}

func (s *filling) fillDate(p param) {
	d := dateReader{toks: s.toks, now: s.c.s.req.Now}
	for _, ref := range d.read(true) {
		if len(ref.from) == 10 || p.name != "date" && len(ref.from) >= 4 && ref.op != "last" {
			text := ref.from
			if len(text) == 4 {
				text += "-01-01"
			} else if len(text) == 7 && text[5] != 'Q' {
				text += "-01"
			}
			s.args[p.name] = text
			for k := ref.i; k < ref.j; k++ {
				s.used[k] = true
			}
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
				s.args[p.name], s.used[i] = c, true
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
			for k := i; k < j; k++ {
				s.used[k] = true
			}
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

// fillText takes a quoted text, or a name: words with capitals that nothing else has used.
func (s *filling) fillText(p param) {
	for i, t := range s.toks {
		if t.kind == quoteToken && !s.used[i] {
			s.args[p.name], s.used[i] = t.text, true
			return
		}
	}
	if !p.required && !p.names() {
		return
	}
	if i, j := s.properName(); i >= 0 && p.names() {
		name := joinWords(s.toks[i:j])
		s.args[p.name] = strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "’s")
		for k := i; k < j; k++ {
			s.used[k] = true
		}
	}
}

// names reports whether an argument takes a name or a phrase to search for.
func (p param) names() bool {
	return slices.ContainsFunc(plan.NameWords(p.name), func(w string) bool {
		return w == "name" || w == "query" || w == "q" || w == "search" || w == "text" || w == "term"
	})
}

// properName finds the first run of unused words with capitals, numbers within included.
func (s *filling) properName() (i, j int) {
	for i, t := range s.toks {
		if s.used[i] || t.kind != wordToken || !capital(t.text) || plan.IsPlace(t.text) || i == 0 && stopWords[t.low] || benignWords[t.low] && i == 0 {
			continue
		}
		j := i + 1
		for j < len(s.toks) && !s.used[j] && s.toks[j].start <= s.toks[j-1].end+1 && s.toks[j].kind == wordToken && capital(s.toks[j].text) {
			j++
		}
		return i, j
	}
	return -1, -1
}

func capital(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }
