package calls

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// kinds are what the tools of a set are about, and which of them give what others take.
type kinds struct {
	tools  []*thing
	of     map[*facts]*thing
	gives  map[string][]giver
	shapes map[string]string // the letters that ids of a kind begin with
	words  map[string]bool   // stems that any tool speaks of
	names  map[string]bool   // stems of tools' names
	kinds  map[string]bool   // what tools are about
	listed map[string]int    // values of lists, folded, by how many tools take them
	people string            // the kind of people that a tool finds
	// rows are the words that tell of the rows of a kind: their columns, and what tools find them by.
	rows map[string]map[string]bool
}

// thing is a tool by what its rows are.
type thing struct {
	at      int // among the tools
	f       *facts
	tool    plan.Tool
	server  string
	group   string              // the word that its name begins with
	kind    string              // what its rows are
	ids     map[*param]string   // the kinds whose ids its arguments take
	parts   map[*param][]string // roleOf of each of them
	columns []string            // that its rows are known to have
	closed  bool                // a schema says which columns there are
	listed  bool                // it gives many rows
}

// giver is a tool whose rows have what an argument takes.
type giver struct {
	of     *thing
	column string
	role   []string // words for what the thing is to the row: owner
	own    bool     // the rows are the things themselves
	guess  bool     // only tools of the same group say that there is such a column
}

// rank is lower for givers that are more likely to have the value.
func (g giver) rank() float64 { return b2f(!g.own) + 2*b2f(g.guess) }

// Keys of givers: ids by their kind, other values by the name of their column.
const (
	idsOf    = "id "
	columnOf = "column "
)

func (s *Set) kinds() *kinds {
	s.once.Do(func() { s.known = newKinds(s.tools, s.facts) })
	return s.known
}

// reads reports whether a tool is said to change nothing: only such tools give others what they take.
func (s *Set) reads() bool {
	return slices.ContainsFunc(s.tools, func(t plan.Tool) bool { return t.ReadOnly })
}

func newKinds(tools []plan.Tool, list []*facts) *kinds {
	k := &kinds{
		of: map[*facts]*thing{}, gives: map[string][]giver{}, shapes: map[string]string{}, words: map[string]bool{},
		names: map[string]bool{}, kinds: map[string]bool{}, listed: map[string]int{},
		rows: map[string]map[string]bool{},
	}
	for i, f := range list {
		k.tools = append(k.tools, newThing(i, tools[i], f))
		k.of[f] = k.tools[i]
		for s := range f.words {
			k.words[s] = true
		}
		for s := range f.about {
			k.names[s] = true
		}
	}
	for _, t := range k.tools {
		k.kinds[t.kind] = true
		seen := map[string]bool{}
		for _, p := range t.f.params {
			for _, v := range texts(p.enum) {
				seen[plan.FoldKey(v)] = true
			}
		}
		for v := range seen {
			k.listed[v]++
		}
	}
	for _, t := range k.tools {
		t.takesIDs(k.kinds)
		k.tell(t)
	}
	k.unite()
	for _, t := range k.tools {
		for _, p := range t.f.params {
			kind := t.ids[p]
			if kind == "" {
				continue
			}
			t.parts[p] = roleOf(p, kind)
			if m := idExample.FindStringSubmatch(p.desc); m != nil && k.shapes[kind] == "" {
				k.shapes[kind] = m[1]
			}
		}
	}
	for _, t := range k.tools {
		if t.tool.ReadOnly {
			k.give(t)
		}
	}
	for _, list := range k.gives {
		slices.SortStableFunc(list, func(a, b giver) int { return cmp.Compare(a.rank(), b.rank()) })
	}
	return k
}

var (
	idExample  = regexp.MustCompile(`(?:e\.g\.|example:?|like|such as),?\s+['"]?([A-Za-z]+[-_]?)\d+`)
	idPhrase   = regexp.MustCompile(`(?i)\b(\w+)(?:'s)? (?:ids?|number|identifier|key)\b`)
	columnList = regexp.MustCompile(`(?i)(?:: |returns? (?:rows (?:of|with) )?|\bwith |\bgives? )([^.;]+)`)
	listSplit  = regexp.MustCompile(`,\s*(?:and\s+)?|\s+and\s+`)
)

func newThing(at int, tool plan.Tool, f *facts) *thing {
	t := &thing{at: at, f: f, tool: tool, ids: map[*param]string{}, parts: map[*param][]string{}}
	name := tool.Name
	if server, own, ok := strings.Cut(name, "__"); ok {
		t.server, name = server, own
	}
	words := plan.NameWords(strings.ReplaceAll(name, ".", " "))
	if len(words) > 1 {
		t.group = words[0]
	}
	rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return nouns().act[w] })
	if len(rest) > 0 {
		t.kind = plan.Singular(rest[len(rest)-1])
	}
	t.readColumns()
	t.listed = slices.ContainsFunc(words, func(w string) bool { return plan.Singular(w) != w }) || !takesAll(f)
	return t
}

// tell notes what a tool says of the rows of its kind.
func (k *kinds) tell(t *thing) {
	told := k.rows[t.kind]
	if told == nil {
		told = map[string]bool{}
		k.rows[t.kind] = told
	}
	for _, p := range t.f.params {
		if t.ids[p] != "" {
			continue
		}
		for _, w := range plan.NameWords(p.name) {
			told[plan.Singular(w)] = true
		}
		for _, v := range texts(p.enum) {
			for _, w := range plan.FoldWords(v) {
				told[plan.Singular(w)] = true
			}
		}
	}
	for _, c := range t.columns {
		for _, w := range plan.NameWords(c) {
			told[plan.Singular(w)] = true
		}
	}
}

// elsewhere reports whether a word tells of the rows of other kinds alone, or is another kind.
func (k *kinds) elsewhere(kind, w string) bool {
	one := plan.Singular(w)
	if k.rows[kind][one] || alike(one, kind) {
		return false
	}
	for other, told := range k.rows {
		if told[one] || other != "" && alike(one, other) {
			return true
		}
	}
	return false
}

// far is how little two tools have to do with each other: other servers, other groups of one.
func (t *thing) far(o *thing) float64 { return 6*b2f(t.server != o.server) + 3*b2f(t.group != o.group) }

// takesAll reports whether all arguments must be there.
func takesAll(f *facts) bool {
	return len(f.params) > 0 && !slices.ContainsFunc(f.params, func(p *param) bool { return !p.required })
}

// readColumns finds what rows have: by the schema of the output, else by the list in the description.
func (t *thing) readColumns() {
	var out node
	if json.Unmarshal(t.tool.OutputSchema, &out) == nil && len(out.Properties) > 0 {
		row := out
		for _, m := range out.Properties {
			if m.node.Items != nil && len(m.node.Items.Properties) > 0 {
				row = *m.node.Items
			}
		}
		for _, m := range row.Properties {
			t.columns = append(t.columns, m.name)
		}
		t.closed = true
		return
	}
	for _, m := range columnList.FindAllStringSubmatch(t.tool.Description, 3) {
		for _, item := range listSplit.Split(m[1], -1) {
			item, _, _ = strings.Cut(item, " in ") // the unit
			words := plan.FoldWords(strings.ReplaceAll(strings.ToLower(item), "e-mail", "email"))
			if len(words) == 0 || len(words) > 3 {
				continue
			}
			name := strings.Join(words, "_")
			if strings.Contains(item, "_") {
				name = strings.TrimSpace(item)
			}
			if !slices.Contains(t.columns, name) {
				t.columns = append(t.columns, name)
			}
		}
	}
}

// takesIDs finds the arguments that take ids, and of what.
func (t *thing) takesIDs(known map[string]bool) {
	for _, p := range t.f.params {
		words := plan.NameWords(p.name)
		if len(words) == 0 || !nouns().id[words[len(words)-1]] || len(p.enum) > 0 || p.typ == "boolean" {
			continue
		}
		own := ""
		if len(words) > 1 {
			own = plan.Singular(words[len(words)-2])
		}
		said := ""
		if m := idPhrase.FindStringSubmatch(p.desc); m != nil {
			said = plan.Singular(strings.ToLower(m[1]))
		}
		switch {
		case known[said]:
			t.ids[p] = said
		case own != "":
			t.ids[p] = own
		case words[0] == "id":
			t.ids[p] = t.kind
		}
	}
}

// unite finds what is meant by the kinds that no tool is about: what the same argument takes elsewhere, else the people
// of a tool that finds some.
func (k *kinds) unite() {
	finds, named := map[string]bool{}, map[string]string{}
	for _, t := range k.tools {
		if !t.tool.ReadOnly || t.kind == "" {
			continue
		}
		finds[t.kind] = true
		if k.people == "" && nouns().person[t.kind] && t.nameParam() != nil {
			k.people = t.kind
		}
	}
	for _, t := range k.tools {
		for p, kind := range t.ids {
			if finds[kind] && named[p.name] == "" {
				named[p.name] = kind
			}
		}
	}
	for _, t := range k.tools {
		for p, kind := range t.ids {
			switch {
			case finds[kind]:
			case named[p.name] != "":
				t.ids[p] = named[p.name]
			case k.people != "" && nouns().person[kind]:
				t.ids[p] = k.people
			}
		}
	}
}

// nameParam is the argument that takes a name to find things by.
func (t *thing) nameParam() *param {
	for _, p := range t.f.params {
		words := plan.NameWords(p.name)
		if len(words) > 0 && nouns().name[words[len(words)-1]] && len(p.enum) == 0 && (p.typ == "string" || p.typ == "") {
			return p
		}
	}
	return nil
}

// give notes what the rows of a tool have that others take: their own ids, columns that are known, and the ids by which
// tools of the same kind or group are asked.
func (k *kinds) give(t *thing) {
	add := func(key string, g giver) {
		g.of = t
		k.gives[key] = append(k.gives[key], g)
	}
	if key := t.ownKey(); key != "" && t.kind != "" {
		add(idsOf+t.kind, giver{column: key, own: true})
	}
	seen := map[string]bool{t.ownKey(): true}
	for _, o := range k.tools {
		near := o.kind == t.kind || o.group == t.group && t.group != "" && o.tool.ReadOnly
		for _, p := range o.f.params {
			kind := o.ids[p]
			if kind == "" || kind == t.kind || seen[p.name] || p.typ == "array" {
				continue
			}
			if known := slices.Contains(t.columns, p.name); known || (near && t.listed && len(t.columns) == 0 || o.kind == t.kind) && !t.closed && p.name != "id" {
				seen[p.name] = true
				add(idsOf+kind, giver{column: p.name, role: o.parts[p], guess: !known && o.kind != t.kind})
			}
		}
	}
	for _, o := range k.tools {
		if o.kind != t.kind || t.closed && o != t {
			continue
		}
		for _, c := range o.columns {
			kind := idColumn(c)
			g := giver{column: c}
			if k.people != "" && nouns().person[kind] && !alike(kind, k.people) {
				g.role, kind = []string{kind}, k.people
			}
			if kind != "" && (kind != t.kind || len(g.role) > 0) && !seen[c] {
				seen[c] = true
				add(idsOf+kind, g)
			}
		}
	}
	for _, c := range t.columns {
		if own := c == t.ownKey(); !nouns().plain[c] && (own || !seen[c]) {
			add(columnOf+c, giver{column: c, own: own && t.nameParam() != nil})
		}
	}
	if t.nameParam() != nil && !t.closed && len(t.columns) > 0 {
		for _, p := range t.f.params { // what things are found by, they have
			if !slices.Contains(t.columns, p.name) && !nouns().plain[p.name] && t.ids[p] == "" {
				add(columnOf+p.name, giver{column: p.name})
			}
		}
	}
}

// idColumn is the kind whose ids a column holds by its name, "" where it does not say.
func idColumn(name string) string {
	words := plan.NameWords(name)
	if n := len(words); n > 1 && nouns().id[words[n-1]] {
		return plan.Singular(words[n-2])
	}
	return ""
}

// ownKey is the column that holds the ids of a tool's rows.
func (t *thing) ownKey() string {
	for _, c := range t.columns {
		words := plan.NameWords(c)
		last := len(words) - 1
		if last < 0 || !nouns().id[words[last]] {
			continue
		}
		if last == 0 || plan.Singular(words[last-1]) == t.kind {
			return c
		}
	}
	if t.closed {
		return ""
	}
	return "id"
}

// roleOf are the words for what a thing is to the row that has its id.
func roleOf(p *param, kind string) []string {
	var out []string
	for _, w := range append(plan.NameWords(p.name), plan.FoldWords(p.desc)...) {
		if w = plan.Singular(w); !nouns().id[w] && w != kind && !stopWords[w] && len(w) > 2 {
			out = append(out, w)
		}
	}
	return out
}

// givers are the tools that give what an argument takes.
func (k *kinds) givers(t *thing, p *param) []giver {
	if kind := t.ids[p]; kind != "" {
		return k.gives[idsOf+kind]
	}
	if len(p.enum) > 0 || p.typ == "boolean" || nouns().plain[p.name] {
		return nil
	}
	var out []giver
	for _, g := range k.gives[columnOf+p.name] {
		if g.of.kind != t.kind {
			out = append(out, g)
		}
	}
	return out
}
