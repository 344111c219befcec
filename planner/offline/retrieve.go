package offline

import (
	"cmp"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"catena/planner/calls"
	"catena/planner/plan"
	"catena/planner/retrieval"
)

// catalogue is a set of tools made ready for matching. It is not changed after it is made.
type catalogue struct {
	made     []plan.Tool // what it is made of
	tools    []*toolFacts
	idf      map[string]float64
	indexed  func() *retrieval.Index // for the shortlist
	once     sync.Once
	offered  sync.Once
	offers   string               // what else can be said to these tools
	worded   map[string][]posting // by the stems of all words that say something of them
	called   map[string][]int     // by the stems of the words of their names
	names    map[string]*toolFacts
	links    map[*toolFacts][]fetched   // the columns of results that hold ids of other things
	nouns    map[string]bool            // what its tools are about
	enums    map[string]bool            // words of the values that arguments list
	about    map[string]map[string]bool // by entity: lemmas of what its things have, as far as any tool for them says
	roles    map[string]string          // what things are to others, and what they are: an owner is an employee
	shapes   []*idShape                 // of ids that are not letters and digits
	prefixes map[string]bool            // of those that are
	shaped   map[string]*idShape        // of the ids of an entity
	finders  map[string]finding         // the first tool that searches by name, by what it is about
	fielded  map[string][]*toolFacts    // tools by the fields of the object that they give
	spoken   map[string][]int           // tools by the words of their toolset, with a space around each
	gives    map[string][]giver         // by idKey and the thing whose ids they are, or by a column's name
	calls    *calls.Set                 // what calls reads them as, made when it is first needed; nil where there is nothing to call
}

// posting is a tool with what a word says for it.
type posting struct {
	tool   int
	weight float64
}

// toolFacts is what the planner reads out of a tool's name, description and schemas.
type toolFacts struct {
	plan.Tool
	words   map[string]float64 // stems with their weights: name 3, title 2, description and arguments 1
	stems   []string           // of the nouns
	lemmas  []string           // of all words of the name
	shown   sync.Once
	result  *view    // of the table that it gives
	nouns   []string // lemmas of the name that are no verbs: what the tool is about
	verbs   []string
	params  []param
	columns []plan.ColumnInfo // of the table that the tool gives, as far as schema or description say
	entity  string            // what its rows are: customer
	fields  []string          // of the object that it gives, where it gives no table
}

// param is an argument of a tool.
type param struct {
	name     string
	typ      string // string number integer boolean array object, "" when the schema does not say
	items    string
	enum     []string
	format   string
	desc     string
	words    []string // lemmas of name and description
	required bool
	nth      int    // among the required ones, as the schema lists them
	entity   string // whose id it is: customer for customer_id; "" for other arguments
	shape    *idShape
	fallback bool   // the schema has a default
	most     string // of an integer, the greatest; "" when the schema says none
	named    bool   // it takes a name or a phrase to search for
	dated    bool
	place    bool                // it takes a country, a region or a currency
	folded   map[string]enumText // the listed values
}

// enumText is a listed value as it is searched in a message.
type enumText struct {
	words []string
	lemma string // of a value that is one word
}

// toolVerbs are the words of names that say what a tool does rather than what it is about.
var toolVerbs = plan.WordSet("get list search find fetch read query lookup show describe create add new make update set change edit delete remove send post close open track convert calculate compute generate analyze check count book schedule cancel assign move")

// writeVerbs are what people say when they want something changed.
var writeVerbs = map[string][]string{
	"create": {"create", "schedule", "book", "arrange", "add", "make", "plan", "set", "open", "register", "put", "invite"}, "update": {"update", "change", "move", "mark", "set", "edit", "rename", "adjust", "put"},
	"delete": {"delete", "remove", "erase", "drop", "forget"}, "send": {"send", "mail", "email", "notify", "inform", "write", "tell", "let"}, "close": {"close", "resolve", "finish"},
	"cancel": {"cancel", "stop", "abort"}, "store": {"store", "remember", "save", "note", "keep", "memorize"}, "record": {"record", "log", "register"}, "commit": {"commit", "save"}, "export": {"export", "download", "dump"},
	"assign": {"assign", "give"}, "set": {"set", "change"}, "add": {"add", "create", "put"}, "finalize": {"finalize", "finish", "end"}, "ensure": {"ensure", "index", "build"},
}

func newCatalogue(tools []plan.Tool) *catalogue {
	c := &catalogue{made: tools, prefixes: map[string]bool{}, shaped: map[string]*idShape{}, finders: map[string]finding{}, fielded: map[string][]*toolFacts{}, spoken: map[string][]int{}, idf: map[string]float64{}, names: map[string]*toolFacts{}, called: map[string][]int{}, worded: map[string][]posting{}, nouns: map[string]bool{}, roles: map[string]string{}, about: map[string]map[string]bool{}, enums: map[string]bool{}, gives: map[string][]giver{}}
	c.indexed = sync.OnceValue(func() *retrieval.Index { return retrieval.New(tools) })
	for _, t := range tools {
		f := newToolFacts(t)
		c.tools = append(c.tools, f)
		if c.names[f.Name] == nil {
			c.names[f.Name] = f
		}
		for w := range f.words {
			c.idf[w]++
		}
		if name := spacedWords(t.Toolset); strings.TrimSpace(name) != "" {
			c.spoken[name] = append(c.spoken[name], len(c.tools)-1)
		}
	}
	for w, n := range c.idf {
		c.idf[w] = math.Log(1 + float64(len(tools))/n)
	}
	for i, f := range c.tools {
		for w, weight := range f.words {
			if weight > 0 {
				c.worded[w] = append(c.worded[w], posting{i, weight})
			}
		}
		for _, w := range f.lemmas {
			if s := stem(w); len(c.called[s]) == 0 || c.called[s][len(c.called[s])-1] != i {
				c.called[s] = append(c.called[s], i)
			}
		}
	}
	c.link()
	return c
}

func newToolFacts(t plan.Tool) *toolFacts {
	f := &toolFacts{Tool: t, words: map[string]float64{}}
	name := t.Name
	if _, after, ok := strings.Cut(name, "__"); ok {
		name = after
	}
	order := "" // descriptions begin with what the tool does
	if words := plan.FoldWords(t.Description); len(words) > 0 && !t.ReadOnly {
		order = words[0]
	}
	for _, w := range plan.NameWords(name) {
		f.weigh(w, 3)
		if lemma := plan.Singular(w); toolVerbs[w] || len(writeVerbs[w]) > 0 || w == order {
			f.verbs = append(f.verbs, w)
		} else {
			f.nouns = append(f.nouns, lemma)
		}
	}
	for _, w := range plan.FoldWords(t.Title) {
		f.weigh(w, 2)
	}
	for _, w := range plan.FoldWords(t.Description) {
		f.weigh(w, 1)
	}
	f.readParams()
	f.readColumns()
	if len(f.nouns) > 0 {
		f.entity = f.nouns[len(f.nouns)-1]
	}
	if len(f.nouns) > 1 && len(f.verbs) == 0 || len(f.verbs) > 0 && len(f.nouns) > 1 && f.namespaced() {
		f.nouns = append([]string{f.entity}, f.nouns[:len(f.nouns)-1]...)
	}
	for _, n := range f.nouns {
		f.stems = append(f.stems, stem(n))
	}
	for _, w := range append(slices.Clone(f.verbs), f.nouns...) {
		f.lemmas = append(f.lemmas, plan.Singular(w))
	}
	return f
}

// namespaced reports whether the name begins with a noun: crm_search_customers.
func (f *toolFacts) namespaced() bool {
	words := plan.NameWords(f.Name)
	return len(words) > 0 && !toolVerbs[words[0]]
}

func (f *toolFacts) weigh(w string, weight float64) {
	if stopWords[w] || len(w) < 2 {
		return
	}
	if s := stem(w); f.words[s] < weight {
		f.words[s] = weight
	}
}

// schemaNode is the part of a JSON Schema that planning reads.
type schemaNode struct {
	Type        any                   `json:"type"`
	Description string                `json:"description"`
	Enum        []any                 `json:"enum"`
	Format      string                `json:"format"`
	Pattern     string                `json:"pattern"`
	Default     json.RawMessage       `json:"default"`
	Maximum     any                   `json:"maximum"`
	Items       *schemaNode           `json:"items"`
	Properties  map[string]schemaNode `json:"properties"`
	Required    []string              `json:"required"`
}

func (n *schemaNode) typ() string {
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
	return ""
}

var exampleID = regexp.MustCompile(`(?i)(?:e\.g\.|example|such as|like)\s*"?([A-Z]{1,5}[-_]?\d{1,10})\b`)

func (f *toolFacts) readParams() {
	var in schemaNode
	if json.Unmarshal(f.InputSchema, &in) != nil {
		return
	}
	nth := map[string]int{}
	for i, name := range slices.Backward(in.Required) {
		nth[name] = i
	}
	for name, node := range in.Properties {
		p := param{name: name, typ: node.typ(), format: node.Format, desc: node.Description, nth: -1, fallback: node.Default != nil}
		if i, ok := nth[name]; ok {
			p.required, p.nth = true, i
		}
		if most, ok := node.Maximum.(float64); ok && p.typ == "integer" && most == math.Trunc(most) && most > 0 && most < 1e15 {
			p.most = strconv.FormatFloat(most, 'f', 0, 64)
		}
		if node.Items != nil {
			p.items = node.Items.typ()
		}
		for _, e := range node.Enum {
			if s, ok := e.(string); ok {
				p.list(s)
				f.weigh(strings.ToLower(s), 0.7)
			}
		}
		own := plan.NameWords(name)
		p.named, p.dated, p.place = takesName(own), p.takesDate(), p.takesPlace(own)
		for _, w := range append(own, plan.FoldWords(node.Description)...) {
			f.weigh(w, 0.7)
			p.words = append(p.words, plan.Singular(w))
		}
		p.entity = idEntity(name, node.Description, f.nouns)
		if m := exampleID.FindStringSubmatch(node.Description); m != nil {
			p.shape = &idShape{prefix: strings.TrimRight(m[1], "0123456789")}
		} else if node.Pattern != "" {
			if re := plan.CompilePattern(node.Pattern); re != nil {
				p.shape = &idShape{pattern: re}
			}
		}
		f.params = append(f.params, p)
	}
	order := plan.KeyOrder(f.InputSchema)
	slices.SortFunc(f.params, func(a, b param) int {
		switch {
		case a.required && !b.required:
			return -1
		case b.required && !a.required:
			return 1
		}
		return cmp.Or(cmp.Compare(order[a.name], order[b.name]), strings.Compare(a.name, b.name))
	})
}

// list adds a value to those that an argument takes.
func (p *param) list(value string) {
	p.enum = append(p.enum, value)
	t := enumText{words: plan.FoldWords(value)}
	if len(t.words) == 1 {
		t.lemma = plan.Singular(t.words[0])
	}
	if p.folded == nil {
		p.folded = map[string]enumText{}
	}
	p.folded[value] = t
}

// idEntity says whose id an argument is: customer of customer_id and of an "id" described as "customer id".
func idEntity(name, desc string, nouns []string) string {
	words := plan.NameWords(name)
	last := words[max(0, len(words)-1):]
	isID := len(last) == 1 && (last[0] == "id" || last[0] == "ids" || last[0] == "sku" || last[0] == "number" || last[0] == "key" || last[0] == "uuid")
	if !isID {
		return ""
	}
	about := plan.FoldWords(desc)
	for i := 1; i < len(about); i++ { // "employee id of the account owner" says more than the name owner_id
		if (about[i] == "id" || about[i] == "ids" || about[i] == "number") && !stopWords[about[i-1]] {
			return plan.Singular(about[i-1])
		}
	}
	if len(words) > 1 {
		return plan.Singular(words[len(words)-2])
	}
	if last[0] == "sku" {
		return "product"
	}
	if len(nouns) > 0 {
		return nouns[0]
	}
	return ""
}
