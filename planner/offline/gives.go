package offline

import (
	"regexp"
	"slices"

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
	roles, person := c.roles, ""
	for _, f := range c.tools {
		for i, p := range f.params {
			if role := p.role(); role != "" && role != p.entity && roles[role] == "" {
				roles[role] = p.entity
			}
			if f.ReadOnly && person == "" && f.params[i].named && roleNouns[f.entity] {
				person = f.entity
			}
		}
		for _, n := range f.nouns {
			c.nouns[n] = true
		}
		if c.about[f.entity] == nil {
			c.about[f.entity] = map[string]bool{}
		}
		for _, name := range f.fieldNames() {
			for _, w := range plan.NameWords(name) {
				c.about[f.entity][plan.Singular(w)] = true
			}
		}
		for _, p := range f.params {
			if p.shape != nil && p.entity != "" && !slices.ContainsFunc(c.shapes, func(re *regexp.Regexp) bool { return re.String() == p.shape.String() }) {
				c.shapes = append(c.shapes, p.shape)
			}
			for _, e := range p.enum {
				for _, w := range plan.FoldWords(e) {
					c.enums[plan.Singular(w)] = true
				}
			}
		}
	}
	for _, f := range c.tools {
		for i := range f.params {
			p := &f.params[i]
			if p.entity == "" {
				continue
			}
			if _, have := c.finders[p.entity]; !have {
				c.finders[p.entity] = c.findsBy(p.entity)
			}
			if find, _ := c.finder(p.entity); find != nil {
				continue
			}
			if to := roles[p.entity]; to != "" {
				p.entity = to
			} else if person != "" && roleNouns[p.entity] {
				p.entity = person
			}
		}
	}
	for _, f := range c.tools {
		for _, p := range f.params {
			if p.shape != nil && c.shaped[p.entity] == nil {
				c.shaped[p.entity] = p.shape
			}
		}
		if f.ReadOnly && !f.tabular() && f.Toolset != toolkitName {
			c.addGiver(f)
		}
	}
	c.links = c.linkColumns()
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
func (c *catalogue) addGiver(f *toolFacts) {
	object := len(f.columns) == 0 && len(f.fields) > 0
	add := func(key string, g giver) {
		if g.object = object; object && !slices.Contains(f.fields, g.column) {
			return
		}
		g.tool, g.path = f, []plan.Seg{{Field: g.column}}
		if !slices.ContainsFunc(c.gives[key], func(o giver) bool { return o.tool == f && o.column == g.column }) {
			c.gives[key] = append(c.gives[key], g)
		}
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
			if to := c.roleOf(name); to != "" {
				g.role[entity], entity = true, to
			}
			add(idKey+entity, g)
		}
		if !plainColumns[name] {
			add(name, giver{column: name})
		}
	}
	for _, o := range c.tools {
		if o.entity != f.entity || !o.ReadOnly {
			continue
		}
		for _, p := range o.params {
			if p.entity != "" && p.entity != f.entity && p.typ != "array" {
				add(idKey+p.entity, giver{column: p.name, role: p.roleWords()})
			}
		}
	}
}

// idKey stands before an entity where givers are kept by it.
const idKey = "id of "

// roleOf says whose id a column is that is called by a role, as far as an argument of the same name tells.
func (c *catalogue) roleOf(column string) string {
	for _, f := range c.tools {
		for _, p := range f.params {
			if p.name == column && p.entity != "" && p.role() != p.entity {
				return p.entity
			}
		}
	}
	return ""
}

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
