package semantic

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// With is the model with what a file says of its tables: keys, names, descriptions and synonyms of the file take the
// place of inferred ones, its relationships that of inferred ones of the same columns. Datasets that are none of the
// model's tables, and what is related to them, are left out: Check names them. A table that own denies is not said
// anything of; nil allows all.
func (m *Model) With(d *Document, own func(table string) bool) *Model {
	out := *m
	out.Entities = slices.Clone(m.Entities)
	file := d.Model()
	out.Name, out.Description = cmp.Or(file.Name, m.Name), cmp.Or(file.Description, m.Description)
	names := d.names(m)
	maps.DeleteFunc(names, func(_, table string) bool { return own != nil && !own(table) })
	for _, e := range file.Entities {
		at := slices.IndexFunc(out.Entities, func(x Entity) bool { return x.Table == names[strings.ToLower(e.Table)] })
		if at >= 0 {
			out.Entities[at] = out.Entities[at].with(e)
		}
	}
	var said []Relationship
	for _, r := range file.Relationships {
		r.Left, r.Right = names[strings.ToLower(r.Left)], names[strings.ToLower(r.Right)]
		if r.Left != "" && r.Right != "" {
			said = append(said, r)
		}
	}
	out.Relationships = append(said, slices.DeleteFunc(slices.Clone(m.Relationships), func(r Relationship) bool {
		return slices.ContainsFunc(said, func(s Relationship) bool {
			return s.Left == r.Left && slices.EqualFunc(s.LeftColumns, r.LeftColumns, strings.EqualFold)
		})
	})...)
	out.Metrics = append(slices.Clone(m.Metrics), file.Metrics...)
	return &out
}

// names are the model's tables that datasets stand for, by the datasets' names in lower case.
func (d *Document) names(m *Model) map[string]string {
	out := map[string]string{}
	for _, one := range d.Models {
		for _, s := range one.Datasets {
			for _, name := range []string{s.Name, s.tableOf()} {
				if e, ok := m.Entity(name); ok && out[strings.ToLower(s.Name)] == "" {
					out[strings.ToLower(s.Name)] = e.Table
				}
			}
		}
	}
	return out
}

// with is the entity with what a file says of it.
func (e Entity) with(file Entity) Entity {
	if len(file.Key) > 0 {
		e.Key = file.Key
	}
	e.As, e.Name, e.Time = file.Table, cmp.Or(file.Name, e.Name), cmp.Or(file.Time, e.Time)
	e.Description = cmp.Or(file.Description, e.Description)
	e.Synonyms = union(file.Synonyms, e.Synonyms)
	fields := slices.Clone(e.Fields)
	for _, f := range file.Fields {
		at := slices.IndexFunc(fields, func(x Field) bool { return strings.EqualFold(x.Name, f.Name) })
		if at < 0 {
			fields = append(fields, f)
			continue
		}
		have := &fields[at]
		have.Label, have.Role = cmp.Or(f.Label, have.Label), cmp.Or(f.Role, have.Role)
		have.Unit, have.Adds, have.Weight = cmp.Or(f.Unit, have.Unit), cmp.Or(f.Adds, have.Adds), cmp.Or(f.Weight, have.Weight)
		have.Description, have.Expression = cmp.Or(f.Description, have.Description), f.Expression
		have.Synonyms = union(f.Synonyms, have.Synonyms)
	}
	e.Fields = fields
	return e
}

// union is both lists, what is in both once.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !containsFold(out, s) {
			out = append(out, s)
		}
	}
	return out
}
