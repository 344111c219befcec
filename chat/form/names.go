package form

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"catena/internal/text"
)

// flat is a form that one table can be put into by the names of its columns: a list of objects, in an object or not, or
// one object.
type flat struct {
	list   string // the path of the list; "" for one object
	object string // the path of the object that stands for a row
	fields []string
	needed []string // fields that must be there
}

// Flat says why no table can be put into the schema by the names of its columns alone; nil where one can.
func (s *Schema) Flat() error {
	_, err := s.flat()
	return err
}

// flat reads the form of a schema.
func (s *Schema) flat() (*flat, error) {
	top, err := s.resolved(s.root)
	if err != nil {
		return nil, err
	}
	if top.Items != nil {
		return s.rowForm(&flat{list: rootPath, object: elementOf(rootPath)}, top.Items)
	}
	var list *node
	f := &flat{object: rootPath}
	for _, name := range top.Properties.names {
		p, err := s.resolved(top.Properties.of[name])
		if err != nil {
			return nil, err
		}
		if p.Items == nil {
			continue
		}
		if len(top.Properties.names) > 1 {
			return nil, errors.New("the schema has a list beside other fields, and an answer's table is one list")
		}
		list, f.list = p.Items, fieldOf(rootPath, name)
		f.object = elementOf(f.list)
	}
	if list == nil {
		return s.rowForm(f, top)
	}
	return s.rowForm(f, list)
}

// rowForm reads the fields of the object that stands for a row.
func (s *Schema) rowForm(f *flat, row *node) (*flat, error) {
	row, err := s.resolved(row)
	if err != nil {
		return nil, err
	}
	if len(row.Properties.names) == 0 {
		return nil, errors.New("the elements of the schema's list are no objects with named fields, as the rows of " +
			"an answer are")
	}
	f.needed, f.fields = row.Required, row.Properties.names
	for _, name := range f.fields {
		if _, err := s.field(row.Properties.of[name], 0); err != nil {
			return nil, fmt.Errorf("the field %q: %w", name, err)
		}
	}
	return f, nil
}

// ByNames puts the one table of the answer that fits into the schema by the names of its columns. The error says why
// there is none, in sentences for who asked; left are the optional fields that no column is called like.
func (s *Schema) ByNames(ctx context.Context, a Answer) (filled string, left []string, err error) {
	f, err := s.flat()
	if err != nil {
		return "", nil, &Misfit{"The answer does not fit the schema: " + err.Error() + "."}
	}
	var fitting, why []string
	for i := range a.Tables {
		m, err := f.columns(i+1, &a.Tables[i])
		var whole string
		if err == nil {
			whole, err = s.Fill(ctx, a, m)
		}
		if err != nil {
			why = append(why, err.Error())
			continue
		}
		fitting, left = append(fitting, whole), slices.DeleteFunc(slices.Clone(f.fields), func(name string) bool {
			return slices.ContainsFunc(m, func(b Binding) bool { return b.Path == fieldOf(f.object, name) })
		})
	}
	switch len(fitting) {
	case 0:
		return "", nil, &Misfit{"The answer does not fit the schema: " + strings.Join(why, "; ") + "."}
	case 1:
		return fitting[0], left, nil
	}
	return "", nil,
		&Misfit{"Several tables of the answer fit the schema, so which one is meant is not known. Ask for one of them."}
}

// Misfit says in sentences, for who asked, why an answer does not fit a schema.
type Misfit struct{ Sentences string }

func (m *Misfit) Error() string { return m.Sentences }

// columns maps the columns of a table to the fields that have their names, or that mean the same number by another
// name.
func (f *flat) columns(table int, t *Table) (Mapping, error) {
	var m Mapping
	if f.list != "" {
		m = append(m, Binding{Path: f.list, Table: table})
	}
	none := len(m)
	taken, err := f.named(t)
	if err != nil {
		return nil, err
	}
	for _, name := range f.fields {
		at, ok := taken[name]
		if !ok {
			if at, err = t.meant(name, taken); err != nil {
				return nil, err
			}
		}
		switch {
		case at > 0:
			m = append(m, Binding{Path: fieldOf(f.object, name), Table: table, Column: at})
		case slices.Contains(f.needed, name):
			names := t.names()
			return nil, fmt.Errorf("%q has no column %q; it has %s", t.Title, name,
				strings.Join(names[:min(len(names), maxNames)], ", "))
		}
	}
	if len(m) == none {
		return nil, fmt.Errorf("%q has none of the schema's fields", t.Title)
	}
	return m, nil
}

// named are the columns, from 1, that are called as the fields are.
func (f *flat) named(t *Table) (map[string]int, error) {
	out := map[string]int{}
	for _, name := range f.fields {
		for i, c := range t.Columns {
			if folded(name) != folded(c.OriginalName) && folded(name) != folded(c.CleanedName) {
				continue
			}
			if out[name] > 0 {
				return nil, severalCalled(t, name)
			}
			out[name] = i + 1
		}
	}
	return out, nil
}

func severalCalled(t *Table, name string) error {
	return fmt.Errorf("several columns of %q are called %q", t.Title, name)
}

// meant is the one column, from 1, that no field is called as and that says what a field does, computed or in a unit:
// loaves is sum_loaves, and total_revenue is sum_revenue_usd, but average_revenue is neither. 0 is none.
func (t *Table) meant(field string, taken map[string]int) (int, error) {
	found := 0
	core, how := bare(field, "")
	for i, c := range t.Columns {
		if slices.Contains(slices.Collect(maps.Values(taken)), i+1) {
			continue
		}
		for _, name := range []string{c.OriginalName, c.CleanedName} {
			other, of := bare(name, c.Units)
			if core == "" || core != other || how != "" && how != of {
				continue
			}
			if found > 0 && found != i+1 {
				return 0, severalCalled(t, field)
			}
			found = i + 1
		}
	}
	return found, nil
}

// computed are words for how a column is computed of another.
var computed = map[string]string{
	"sum": factSum, "total": factSum, "mean": factMean, "average": factMean, "avg": factMean, "min": factMin,
	"minimum": factMin,
	"max":     factMax, "maximum": factMax, "distinct": factDistinct,
}

// bare is a name without its unit and without how it is computed, and how that is.
func bare(name, unit string) (core, how string) {
	for _, w := range text.Words(name) {
		w = text.Fold(w)
		switch fact := computed[w]; {
		case fact != "":
			how = fact
		case w == "of" || unit != "" && w == text.Fold(unit):
		default:
			core += w
		}
	}
	return core, how
}

func (t *Table) names() []string {
	out := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = c.OriginalName
	}
	return out
}

// folded is a name without what its writing adds: clientName and client_name are one.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-.", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}
