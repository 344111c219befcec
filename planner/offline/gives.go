package offline

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// giver is a tool whose result has what an argument takes.
type giver struct {
	tool   *toolFacts
	path   []plan.Seg // of the value, from a row of the result; from the result itself where that is one object
	column string
	own    bool            // the ids are those of the rows themselves
	role   map[string]bool // else what the thing is to the row: owner, assignee
	object bool            // the result is one object
}

// plainColumns are names that say nothing of what a value is: two tools that have them need not mean the same.
var plainColumns = plan.WordSet("id name title date time status type text query description value amount count limit offset body subject data content message state key number url from to since until page size language format sort order category")

// roleNouns are what people are called who own, assign or write something.
var roleNouns = plan.WordSet("owner assignee manager author reporter agent creator user member employee person approver reviewer supervisor sender recipient attendee colleague staff")

// link finds whose ids the arguments take, and the tools that give them.
func (c *catalogue) link() {
	person := ""
	for at, f := range c.tools {
		if person == "" && f.ReadOnly && roleNouns[f.entity] && slices.ContainsFunc(f.params, func(p param) bool { return p.named }) {
			person = f.entity
		}
		c.note(f)
		c.finds(at, f)
	}
	l := linking{c: c, roles: map[string]string{}, readers: map[string][]*toolFacts{}, said: map[*param]map[string]bool{}}
	for _, f := range c.tools {
		for i := range f.params {
			p := &f.params[i]
			if find, _ := c.finder(p.entity); find == nil && p.entity != "" {
				if to := c.roles[p.entity]; to != "" {
					p.entity = to
				} else if person != "" && roleNouns[p.entity] {
					p.entity = person
				}
			}
			l.note(f, p)
		}
		if f.ReadOnly {
			l.readers[f.entity] = append(l.readers[f.entity], f)
		}
	}
	for _, f := range c.tools {
		if f.ReadOnly && !f.tabular() && f.Toolset != toolkitName {
			l.addGiver(f)
		}
	}
	c.links = c.linkColumns()
}

// note adds a tool's words to what is known of all tools.
func (c *catalogue) note(f *toolFacts) {
	for _, p := range f.params {
		if role := p.role(); role != "" && role != p.entity && c.roles[role] == "" {
			c.roles[role] = p.entity
		}
		if p.shape != nil && p.entity != "" {
			if p.shape.pattern != nil {
				c.shapes = append(c.shapes, p.shape)
			} else {
				c.prefixes[p.shape.prefix] = true
			}
		}
		for _, e := range p.enum {
			for _, w := range p.folded[e].words {
				c.enums[plan.Singular(w)] = true
			}
		}
	}
	for _, n := range f.nouns {
		c.nouns[n] = true
	}
	for _, name := range f.fields {
		c.fielded[name] = append(c.fielded[name], f)
	}
	if c.about[f.entity] == nil {
		c.about[f.entity] = map[string]bool{}
	}
	for _, name := range f.fieldNames() {
		for _, w := range plan.NameWords(name) {
			c.about[f.entity][plan.Singular(w)] = true
		}
	}
}

// linking is what link knows while it looks for the tools that give what others take.
type linking struct {
	c       *catalogue
	roles   map[string]string // by the name of an argument that is called by a role: whose id it takes
	readers map[string][]*toolFacts
	said    map[*param]map[string]bool // roleWords
}

func (l *linking) note(f *toolFacts, p *param) {
	if p.shape != nil && l.c.shaped[p.entity] == nil {
		l.c.shaped[p.entity] = p.shape
	}
	if p.entity != "" && p.role() != p.entity && l.roles[p.name] == "" {
		l.roles[p.name] = p.entity
	}
	if f.ReadOnly && p.entity != "" && p.entity != f.entity && p.typ != "array" {
		l.said[p] = p.roleWords()
	}
}

// role is what an id's thing is to the row that has it, by the argument's name: owner for owner_id.
func (p param) role() string {
	words := plan.NameWords(p.name)
	if p.entity == "" || len(words) < 2 {
		return ""
	}
	return plan.Singular(words[len(words)-2])
}

// roleWords are the words that name the role of an id argument: owner and account for "employee id of the account owner".
func (p param) roleWords() map[string]bool {
	out := map[string]bool{}
	if r := p.role(); r != "" && r != p.entity {
		out[r] = true
	}
	for _, w := range p.words {
		if w != p.entity && w != "id" && !stopWords[w] && len(w) > 2 {
			out[w] = true
		}
	}
	return out
}

// addGiver notes what a tool's result has that other tools take: the ids of its rows, columns that it declares, and the ids by which
// tools of the same thing search it, which its rows then have, too.
func (l *linking) addGiver(f *toolFacts) {
	c := l.c
	object := len(f.columns) == 0 && len(f.fields) > 0
	add := func(key string, g giver) {
		if g.object = object; object && !slices.Contains(f.fields, g.column) {
			return
		}
		g.tool, g.path = f, []plan.Seg{{Field: g.column}}
		list := c.gives[key]
		for i := len(list) - 1; i >= 0 && list[i].tool == f; i-- {
			if list[i].column == g.column {
				return
			}
		}
		c.gives[key] = append(list, g)
	}
	if key := f.ownKey(); key != "" && f.entity != "" {
		add(idKey+f.entity, giver{column: key, own: true})
	}
	declared := slices.Clone(f.fields)
	for _, col := range f.columns {
		declared = append(declared, col.Name)
	}
	for _, name := range declared {
		if entity := idEntity(name, "", f.nouns); entity != "" && name != f.ownKey() {
			g := giver{column: name, role: map[string]bool{}}
			if to := l.roles[name]; to != "" {
				g.role[entity], entity = true, to
			}
			add(idKey+entity, g)
		}
		if !plainColumns[name] {
			add(name, giver{column: name})
		}
	}
	for _, o := range l.readers[f.entity] {
		for i := range o.params {
			if p := &o.params[i]; p.entity != "" && p.entity != f.entity && p.typ != "array" {
				add(idKey+p.entity, giver{column: p.name, role: l.said[p]})
			}
		}
	}
}

// idKey stands before an entity where givers are kept by it.
const idKey = "id of "

// fieldNames are the names of what a tool's things have: its arguments and what it declares of its result.
func (f *toolFacts) fieldNames() []string {
	out := slices.Clone(f.fields)
	for _, p := range f.params {
		out = append(out, p.name)
	}
	for _, c := range f.columns {
		out = append(out, c.Name)
	}
	return out
}

// ownKey names the column that has the ids of a tool's rows.
func (f *toolFacts) ownKey() string {
	if f.entity == "" {
		return ""
	}
	for _, c := range f.columns {
		if c.Name == "id" || c.Name == "sku" && f.entity == idEntity("sku", "", nil) || c.Name == f.entity+"_id" || c.Name == f.entity+"_number" {
			return c.Name
		}
	}
	for _, name := range f.fields {
		if name == "id" || name == f.entity+"_id" {
			return name
		}
	}
	if len(f.columns) > 0 && len(f.OutputSchema) > 0 || len(f.fields) > 0 {
		return ""
	}
	return "id" // its description names a few columns, or none
}

// givers are the tools that give what an argument takes.
func (c *catalogue) givers(p param) []giver {
	if p.entity != "" {
		return c.gives[idKey+p.entity]
	}
	if len(p.enum) == 0 && p.typ != "boolean" && !p.named {
		return c.gives[p.name]
	}
	return nil
}

var returnsList = regexp.MustCompile(`(?i)(?:returns?(?: rows| a list)?(?: of)?|with|:)\s+((?:[a-z_][\w-]*(?: [a-z]\w*)?,\s*)+(?:and )?[a-z_][\w-]*(?: [a-z]\w*)?)`)

// readColumns finds the columns of a tool's table in its output schema, else in the list that its description gives.
func (f *toolFacts) readColumns() {
	var out schemaNode
	if len(f.OutputSchema) > 0 && json.Unmarshal(f.OutputSchema, &out) == nil {
		for _, key := range []string{"rows", "results", "items", "data", "records", "output"} {
			if list, ok := out.Properties[key]; ok && list.Items != nil && len(list.Items.Properties) > 0 {
				for name, node := range list.Items.Properties {
					f.columns = append(f.columns, schemaColumn(name, node))
				}
				order := plan.KeyOrder(f.OutputSchema)
				slices.SortFunc(f.columns, func(a, b plan.ColumnInfo) int {
					return cmp.Or(cmp.Compare(order[a.Name], order[b.Name]), strings.Compare(a.Name, b.Name))
				})
				return
			}
		}
		if len(out.Properties) > 0 {
			f.fields = slices.Sorted(maps.Keys(out.Properties))
			return
		}
	}
	if m := returnsList.FindStringSubmatch(f.Description); m != nil {
		for _, part := range strings.Split(m[1], ",") {
			part = strings.TrimPrefix(strings.TrimSpace(part), "and ")
			if words := plan.FoldWords(part); len(words) > 0 && len(words) <= 3 {
				f.columns = append(f.columns, guessColumn(strings.ReplaceAll(part, " ", "_")))
			}
		}
	}
}

func schemaColumn(name string, node schemaNode) plan.ColumnInfo {
	c := plan.ColumnInfo{Name: name, Type: map[string]string{"integer": "integer", "number": "decimal", "boolean": "boolean"}[node.typ()]}
	if c.Type == "" {
		c.Type = "text"
	}
	switch node.Format {
	case "date":
		c.Type = "date"
	case "date-time":
		c.Type = "datetime"
	}
	words := plan.NameWords(name)
	if c.Type == "text" && len(words) > 0 && dateNames[words[len(words)-1]] {
		c.Type = "date"
	}
	if c.Type == "text" && len(words) > 0 && (node.Format == "decimal" || strings.Contains(strings.ToLower(node.Description), "decimal")) {
		c.Type = "decimal"
	}
	c.Role = columnRole(c, words)
	return c
}

func columnRole(c plan.ColumnInfo, words []string) string {
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	switch {
	case last == "id" || last == "sku":
		return "identifier"
	case c.Type == "date" || c.Type == "datetime":
		return "time"
	case c.Type == "integer" || c.Type == "decimal" || c.Type == "float":
		return "measure"
	}
	return "dimension"
}

var (
	numberNames = plan.WordSet("amount quantity price total cost count weight days rate value revenue margin orders contracts level score age number qty")
	dateNames   = plan.WordSet("date created opened closed start end eta month day hired updated due")
)

// guessColumn makes a column of a name alone.
func guessColumn(name string) plan.ColumnInfo {
	c := plan.ColumnInfo{Name: name, Type: "text"}
	words := plan.NameWords(name)
	for _, w := range words {
		if numberNames[w] || numberNames[plan.Singular(w)] {
			c.Type = "decimal"
		} else if dateNames[w] {
			c.Type = "date"
		}
	}
	c.Role = columnRole(c, words)
	return c
}
