package semantic

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Finding is one thing that is wrong with a model file, with its place: datasets[2].fields[0].
type Finding struct {
	Path, Text string
}

// String is the place and what is wrong there.
func (f Finding) String() string { return f.Path + ": " + f.Text }

// checker collects what is wrong with a file.
type checker struct {
	found []Finding
}

func (c *checker) say(path, format string, args ...any) {
	c.found = append(c.found, Finding{path, fmt.Sprintf(format, args...)})
}

// metricName is what a metric may be called: it becomes part of a tool's name.
var metricName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,47}$`)

// Check says what is wrong with a file: by itself, and against the tables of a model, where one is given. It does not
// read expressions.
func (d *Document) Check(m *Model) []Finding {
	c := &checker{}
	if d.Version != Version && d.Version != former {
		c.say("version", "%q is not known: this program reads %s", d.Version, Version)
	}
	if len(d.Models) == 0 {
		c.say("semantic_model", "there is no model")
	}
	for i, one := range d.Models {
		c.model(fmt.Sprintf("semantic_model[%d]", i), one)
		if m != nil {
			c.against(fmt.Sprintf("semantic_model[%d]", i), d, one, m)
		}
	}
	return c.found
}

func (c *checker) model(path string, m DocumentModel) {
	if len(m.Datasets) == 0 {
		c.say(path+".datasets", "there is no dataset")
	}
	names := map[string]bool{}
	for i, s := range m.Datasets {
		at := fmt.Sprintf("%s.datasets[%d]", path, i)
		c.name(at, s.Name, names)
		fields := map[string]bool{}
		for j, f := range s.Fields {
			c.name(fmt.Sprintf("%s.fields[%d]", at, j), f.Name, fields)
			c.expression(fmt.Sprintf("%s.fields[%d]", at, j), f.Expression)
		}
	}
	for i, r := range m.Relationships {
		at := fmt.Sprintf("%s.relationships[%d]", path, i)
		for _, table := range []string{r.From, r.To} {
			if !names[strings.ToLower(table)] {
				c.say(at, "there is no dataset %q", table)
			}
		}
		if len(r.FromColumns) == 0 || len(r.FromColumns) != len(r.ToColumns) {
			c.say(at, "%d columns refer to %d: give as many on both sides", len(r.FromColumns), len(r.ToColumns))
		}
	}
	metrics := map[string]bool{}
	for i, x := range m.Metrics {
		at := fmt.Sprintf("%s.metrics[%d]", path, i)
		c.name(at, x.Name, metrics)
		c.expression(at, x.Expression)
		if !metricName.MatchString(x.Name) {
			c.say(at, "the name %q is part of a tool's name: letters, digits and _, at most 48", x.Name)
		}
	}
}

func (c *checker) name(path, name string, taken map[string]bool) {
	switch key := strings.ToLower(name); {
	case name == "":
		c.say(path, "it has no name")
	case taken[key]:
		c.say(path, "the name %q is taken", name)
	default:
		taken[key] = true
	}
}

func (c *checker) expression(path string, e Expression) {
	if e.SQL() == "" {
		c.say(path+".expression", "there is none in SQL: give one in the dialect ANSI_SQL")
	}
}

// against compares a file with the tables that there are.
func (c *checker) against(path string, d *Document, one DocumentModel, m *Model) {
	names := d.names(m)
	columns := func(at, dataset string, list []string) {
		e, ok := m.Entity(names[strings.ToLower(dataset)])
		for _, name := range list {
			if _, has := e.Field(name); ok && !has {
				c.say(at, "there is no column %q in %s", name, e.Table)
			}
		}
	}
	for i, s := range one.Datasets {
		at := fmt.Sprintf("%s.datasets[%d]", path, i)
		if names[strings.ToLower(s.Name)] == "" {
			c.say(at, "no table is called %q or %q", s.Name, s.tableOf())
			continue
		}
		columns(at+".primary_key", s.Name, s.PrimaryKey)
		for j, f := range s.Fields {
			if name, plain := unquoted(f.Expression.SQL()); plain {
				columns(fmt.Sprintf("%s.fields[%d]", at, j), s.Name, []string{name})
			}
		}
	}
	for i, r := range one.Relationships {
		at := fmt.Sprintf("%s.relationships[%d]", path, i)
		columns(at+".from_columns", r.From, r.FromColumns)
		columns(at+".to_columns", r.To, r.ToColumns)
		c.contradicted(at, r, names, m)
	}
	said := m.With(d, nil)
	for i, x := range one.Metrics {
		if _, err := said.Dimensions(Metric{Name: x.Name, Expression: x.Expression.SQL()}); err != nil {
			c.say(fmt.Sprintf("%s.metrics[%d]", path, i), "%v", err)
		}
	}
}

// contradicted says where the rows of the one side are several, by the keys that are known.
func (c *checker) contradicted(path string, r DocumentRelationship, names map[string]string, m *Model) {
	to := names[strings.ToLower(r.To)]
	back := slices.ContainsFunc(m.Relationships, func(have Relationship) bool {
		return have.Left == to && have.Right == names[strings.ToLower(r.From)] && have.Cardinality == ManyToOne && have.Usable() &&
			slices.EqualFunc(have.LeftColumns, r.ToColumns, strings.EqualFold) && slices.EqualFunc(have.RightColumns, r.FromColumns, strings.EqualFold)
	})
	if back {
		c.say(path, "the many side is %s: from and to are the wrong way round", r.To)
	}
}
