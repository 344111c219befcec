package calls

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// facts are what is read out of a tool's name, description and schema. They are not changed after they are made.
type facts struct {
	name    string
	words   map[string]float64 // stems and what meeting them says for the tool
	about   map[string]bool    // stems of its name
	best    float64            // what the name's words would say together
	params  []*param
	options map[string]bool // stems of the values that its schema lists
	args    map[string]bool // stems of the names of its arguments
	divides bool            // it takes cities and their regions apart
}

// param is an argument of a tool.
type param struct {
	name     string
	typ      string
	item     *param // of an array
	members  []*param
	enum     []any
	choices  []string // values that the description lists
	def      any      // nil without one
	required bool
	desc     string
	low      string             // of the description
	words    map[string]float64 // stems that point to it
	own      []string           // stems of the name
	side     int                // -1 where something begins, 1 where it ends
	means    meaning
}

// meaning is what a text argument is about, as far as its name says.
type meaning uint8

const (
	anything meaning = iota
	location
	person
	dateText
	timeText
	currency
	identifier
	country
	state
	title
	formula
	unit
	language
	stock
	zone
)

type node struct {
	Type        any             `json:"type"`
	Description string          `json:"description"`
	Enum        []any           `json:"enum"`
	Default     json.RawMessage `json:"default"`
	Format      string          `json:"format"`
	Items       *node           `json:"items"`
	Properties  ordered         `json:"properties"`
	Required    []string        `json:"required"`
}

// ordered are the members of an object in the order in which they are written.
type ordered []member

type member struct {
	name string
	node node
}

func (o *ordered) UnmarshalJSON(b []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		return err
	}
	in := json.NewDecoder(strings.NewReader(string(b)))
	if _, err := in.Token(); err != nil {
		return err
	}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return err
		}
		var n json.RawMessage
		if err := in.Decode(&n); err != nil {
			return err
		}
		m := member{name: key.(string)}
		if json.Unmarshal(n, &m.node) == nil {
			*o = append(*o, m)
		}
	}
	return nil
}

func (n node) typ() string {
	switch t := n.Type.(type) {
	case string:
		return t
	case []any:
		for _, x := range t {
			if s, ok := x.(string); ok && s != "null" {
				return s
			}
		}
	}
	if len(n.Properties) > 0 {
		return "object"
	}
	return ""
}

// common are words that names and descriptions of any tool may have: they say little.
var common = wordsOf("common")

var commonStems = func() map[string]bool {
	m := map[string]bool{}
	for w := range common {
		m[stem(w)] = true
	}
	return m
}()

// stopWords carry no meaning by themselves.
var stopWords = wordsOf("stopWords")

func newFacts(t plan.Tool) *facts {
	f := &facts{name: t.Name, words: map[string]float64{}, about: map[string]bool{}, args: map[string]bool{}, options: map[string]bool{}}
	var in node
	_ = json.Unmarshal(t.InputSchema, &in)
	name := t.Name
	if _, own, ok := strings.Cut(name, "__"); ok {
		name = own
	}
	for _, s := range nameStems(name) {
		f.about[s] = true
		f.weigh(s, 1.6)
	}
	for _, w := range plan.FoldWords(t.Title + " " + firstSentence(t.Description)) {
		f.weighWord(w, 1)
	}
	for _, w := range plan.FoldWords(t.Description) {
		f.weighWord(w, 0.6)
	}
	required := setOf(in.Required)
	for _, m := range in.Properties {
		p := newParam(m.name, m.node, required[m.name], f)
		f.params = append(f.params, p)
		for _, s := range p.own {
			f.weigh(s, 0.5)
			f.args[s] = true
		}
		for _, w := range plan.FoldWords(m.node.Description) {
			f.weighWord(w, 0.25)
		}
		for _, e := range append(slices.Clone(p.choices), texts(p.enum)...) {
			for _, w := range plan.FoldWords(e) {
				f.weighWord(w, 0.4)
				f.options[stem(w)] = f.options[stem(w)] || !stopWords[w] && !common[w]
			}
		}
	}
	city := slices.ContainsFunc(f.params, func(p *param) bool { return p.means == location })
	f.divides = city && slices.ContainsFunc(f.params, func(p *param) bool { return p.means == country || p.means == state })
	for s := range f.about {
		f.best += f.words[s]
	}
	return f
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

func firstSentence(s string) string {
	if i := strings.Index(s, ". "); i > 0 {
		return s[:i]
	}
	return s
}

func texts(list []any) []string {
	var out []string
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func (f *facts) weighWord(w string, weight float64) {
	if !stopWords[w] {
		f.weigh(stem(w), weight)
	}
}

func (f *facts) weigh(s string, weight float64) {
	if len(s) < 2 {
		return
	}
	if commonStems[s] {
		weight *= 0.25
	}
	f.words[s] = max(f.words[s], weight)
}

var (
	optionList  = regexp.MustCompile(`(?i)(?:options?(?: are| include| is)?|can be|either|one of|such as|e\.g\.?,?|accepted values|possible values|valid values|choices|supports?|like|example|for example|values? (?:are|is)?|in)[:\s]*\(?((?:(?:['"‘“][^'"’”]{1,40}['"’”]|[A-Za-z]+)(?:\s*\([^)]*\))?(?:\s+for [^,.'"]{1,40})?(?:,\s*(?:or |and )?|\s+or\s+|\s+and\s+|/)?)+)`)
	quotedItem  = regexp.MustCompile(`['"‘“]([^'"’”]{1,40})['"’”]`)
	saysDefault = regexp.MustCompile(`(?i)(?:defaults? (?:value )?(?:is|to|are|as|of|set to)?:?|if not (?:provided|specified)[^.]*?(?:defaults? to|is set to|uses?)|default:?)\s*['"‘“]?([^'"’”.,;)]+(?:\.\d+)?)['"’”]?`)
)

func newParam(name string, n node, required bool, f *facts) *param {
	p := &param{name: name, typ: n.typ(), enum: n.Enum, required: required, desc: n.Description, low: strings.ToLower(n.Description), words: map[string]float64{}}
	p.own = nameStems(name)
	for i, s := range p.own {
		weight := 2.0
		if f.about[s] && len(p.own) > 1 {
			weight = 1
		}
		if i == len(p.own)-1 && (s == "id" || s == "nam" || s == stem("name") || s == stem("value") || s == stem("number")) {
			weight *= 0.6
		}
		p.words[s] = weight
	}
	about, _, _ := strings.Cut(p.low, "default")
	if i := strings.Index(about, "e.g."); i > 0 {
		about = about[:i]
	}
	for _, w := range plan.FoldWords(about) {
		if s := stem(w); !stopWords[w] && p.words[s] == 0 {
			p.words[s] = 0.8
			if commonStems[s] || f.about[s] {
				p.words[s] = 0.25
			}
		}
	}
	if n.Items != nil {
		p.item = newParam(name, *n.Items, false, f)
		p.item.desc, p.item.low = p.desc+" "+p.item.desc, p.low+" "+p.item.low
		p.item.readMeaning()
		if p.item.enum == nil && p.typ == "array" {
			p.item.enum = n.Enum
		}
	}
	within := setOf(n.Required)
	for _, m := range n.Properties {
		p.members = append(p.members, newParam(m.name, m.node, within[m.name], f))
	}
	p.readDefault(n.Default)
	if p.typ == "string" && len(p.enum) == 0 {
		p.readChoices()
	}
	p.readSide()
	p.readMeaning()
	return p
}

func (p *param) readDefault(raw json.RawMessage) {
	if len(raw) > 0 && string(raw) != "null" {
		in := json.NewDecoder(strings.NewReader(string(raw)))
		in.UseNumber()
		var v any
		if in.Decode(&v) == nil {
			p.def = v
			return
		}
	}
	if m := saysDefault.FindStringSubmatch(p.desc); m != nil {
		text := strings.TrimSpace(m[1])
		switch p.typ {
		case "boolean":
			if b := strings.ToLower(text); b == "true" || b == "false" {
				p.def = b == "true"
			}
		case "integer", "number":
			if numberForm.MatchString(text) {
				p.def = json.Number(numberForm.FindString(text))
			}
		case "string":
			if len(text) < 40 {
				p.def = text
			}
		}
	}
}

var numberForm = regexp.MustCompile(`^-?\d+(?:\.\d+)?`)

// readChoices finds the values that a description lists in quotes.
func (p *param) readChoices() {
	for _, m := range optionList.FindAllStringSubmatch(p.desc, 4) {
		items := quotedItem.FindAllStringSubmatch(m[1], 30)
		for _, q := range items {
			if !strings.Contains(q[1], "YYYY") {
				p.choices = append(p.choices, q[1])
			}
		}
	}
}

var (
	beginWords = wordsOf("beginWords")
	endWords   = wordsOf("endWords")
)

func (p *param) readSide() {
	for _, w := range plan.NameWords(strings.TrimLeft(p.name, "_")) {
		switch {
		case beginWords[w]:
			p.side = -1
		case endWords[w]:
			p.side = 1
		}
		if p.side != 0 {
			return
		}
	}
}

var meanings = []struct {
	means meaning
	words map[string]bool
}{
	{zone, wordsOf("means.zone")},
	{dateText, wordsOf("means.dateText")},
	{timeText, wordsOf("means.timeText")},
	{currency, wordsOf("means.currency")},
	{country, wordsOf("means.country")},
	{state, wordsOf("means.state")},
	{location, wordsOf("means.location")},
	{language, wordsOf("means.language")},
	{stock, wordsOf("means.stock")},
	{formula, wordsOf("means.formula")},
	{unit, wordsOf("means.unit")},
	{identifier, wordsOf("means.identifier")},
	{person, wordsOf("means.person")},
	{title, wordsOf("means.title")},
}

// readMeaning says what a text is about by the last word of its name that tells.
func (p *param) readMeaning() {
	if p.typ != "string" && p.typ != "" {
		return
	}
	words := plan.NameWords(strings.TrimLeft(p.name, "_"))
	for i := len(words) - 1; i >= 0; i-- {
		for _, m := range meanings {
			if w := words[i]; m.words[w] || m.words[plan.Singular(w)] {
				p.means = m.means
				p.narrow()
				return
			}
		}
	}
	switch {
	case strings.Contains(p.low, "city") || strings.Contains(p.low, "location"):
		p.means = location
	case strings.Contains(p.low, "yyyy") || strings.Contains(p.low, "date"):
		p.means = dateText
	case strings.Contains(p.low, "name of"):
		p.means = title
	}
	p.narrow()
}

// narrow corrects a meaning by the description.
func (p *param) narrow() {
	if p.means == timeText && strings.Contains(p.low, "yyyy") && !strings.Contains(p.low, "hh") {
		p.means = dateText
	}
	if slices.Contains(p.own, "api") && slices.Contains(p.own, stem("key")) {
		p.means = identifier
	}
	if p.means == timeText && (strings.Contains(p.low, "period") || strings.Contains(p.low, "duration")) {
		p.means = anything
	}
}
