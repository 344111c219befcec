package semantic

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/query"
	"catena/table"
)

// vendor is the name that Catena's own facts stand under in a file.
const vendor = "CATENA"

// extra is what Catena says of a part of a model beside what the form has.
type extra struct {
	Name   string      `json:"name_column,omitempty"`
	Time   string      `json:"time_column,omitempty"`
	Role   string      `json:"role,omitempty"`
	Adds   query.Adds  `json:"adds,omitempty"`
	Unit   string      `json:"unit,omitempty"`
	Weight string      `json:"weight,omitempty"`
	Match  Cardinality `json:"cardinality,omitempty"`
	Dims   []string    `json:"dimensions,omitempty"`
}

// extension is the facts as a file has them; nil for none.
func (x extra) extension() []Extension {
	b, err := json.Marshal(x)
	if err != nil || string(b) == "{}" {
		return nil
	}
	return []Extension{{Vendor: vendor, Data: string(b)}}
}

// extraOf are the facts of a file. What cannot be read says nothing.
func extraOf(list []Extension) (x extra) {
	for _, e := range list {
		if e.Vendor == vendor {
			_ = json.Unmarshal([]byte(e.Data), &x)
		}
	}
	return x
}

// DocumentOf is a model as a file, for a person to correct: the relationships that are used, not those that are unsure.
func DocumentOf(m *Model, types func(table, column string) table.Type) *Document {
	out := DocumentModel{Name: cmp.Or(m.Name, "model"), Description: m.Description}
	for _, e := range m.Entities {
		out.Datasets = append(out.Datasets, datasetOf(e, types))
	}
	for _, r := range m.Relationships {
		if !r.Usable() {
			continue
		}
		x := extra{Role: r.Role}
		if r.Cardinality != ManyToOne {
			x.Match = r.Cardinality
		}
		out.Relationships = append(out.Relationships, DocumentRelationship{
			Name: cmp.Or(r.Name, strings.Join(append([]string{r.Left}, r.LeftColumns...), "_")+"_to_"+r.Right),
			From: r.Left, To: r.Right, FromColumns: r.LeftColumns, ToColumns: r.RightColumns, Extensions: x.extension(),
		})
	}
	for _, x := range m.Metrics {
		out.Metrics = append(out.Metrics, DocumentMetric{Name: x.Name, Expression: ansi(x.Expression), Description: x.Description,
			Context: withSynonyms(x.Synonyms), Extensions: extra{Dims: x.Dimensions}.extension()})
	}
	return &Document{Version: Version, Models: []DocumentModel{out}}
}

func datasetOf(e Entity, types func(table, column string) table.Type) Dataset {
	d := Dataset{Name: e.Table, Source: e.Table, PrimaryKey: e.Key, Description: e.Description, Context: withSynonyms(e.Synonyms),
		Extensions: extra{Name: e.Name, Time: e.Time}.extension()}
	for _, f := range e.Fields {
		field := DocumentField{Name: f.Name, Expression: ansi(cmp.Or(f.Expression, quoted(f.Name))), Label: f.Label, Description: f.Description,
			Context: withSynonyms(f.Synonyms)}
		if f.Expression == "" {
			field.DataType = dataTypes[types(e.Table, f.Name)]
		}
		x := extra{Adds: f.Adds, Unit: f.Unit, Weight: f.Weight}
		isTime := f.Role == Time
		if isTime != timeType(field.DataType) {
			field.Dimension = &TimeRole{IsTime: &isTime}
		}
		if f.Role != Time {
			x.Role = string(f.Role)
		}
		field.Extensions = x.extension()
		d.Fields = append(d.Fields, field)
	}
	return d
}

// quoted is a column's name as SQL.
func quoted(name string) string {
	for i, r := range name {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	return name
}

// unquoted is the column that SQL names, where that is all it does.
func unquoted(sql string) (string, bool) {
	sql = strings.TrimSpace(sql)
	if inner, ok := strings.CutPrefix(sql, `"`); ok && strings.HasSuffix(inner, `"`) {
		inner = strings.TrimSuffix(inner, `"`)
		return strings.ReplaceAll(inner, `""`, `"`), !strings.Contains(strings.ReplaceAll(inner, `""`, ""), `"`)
	}
	return sql, sql != "" && quoted(sql) == sql
}

var dataTypes = map[table.Type]string{
	table.Bool: "Boolean", table.Int: "Integer", table.Float: "Float", table.Decimal: "Decimal", table.Text: "String",
	table.Date: "Date", table.DateTime: "DateTime", table.Time: "Time", table.Duration: "Opaque", table.JSON: "Opaque",
}

// timeType reports whether a field of a data type is a time unless it says otherwise.
func timeType(t string) bool {
	return slices.Contains([]string{"Date", "Time", "DateTime", "DateTimeTz"}, t)
}

// Model is what the file says. Tables are called as their datasets.
func (d *Document) Model() *Model {
	out := &Model{}
	for i, m := range d.Models {
		if i == 0 {
			out.Name, out.Description = m.Name, m.Description
		}
		for _, s := range m.Datasets {
			out.Entities = append(out.Entities, s.entity())
		}
		for _, r := range m.Relationships {
			x := extraOf(r.Extensions)
			out.Relationships = append(out.Relationships, Relationship{Name: r.Name, Left: r.From, LeftColumns: r.FromColumns, Right: r.To,
				RightColumns: r.ToColumns, Cardinality: cmp.Or(x.Match, ManyToOne), Role: x.Role, Known: File, Score: 1})
		}
		for _, x := range m.Metrics {
			out.Metrics = append(out.Metrics, Metric{Name: x.Name, Expression: x.Expression.SQL(), Dimensions: extraOf(x.Extensions).Dims,
				Description: x.Description, Synonyms: synonyms(x.Context)})
		}
	}
	nameRoles(out.Relationships)
	return out
}

func (s Dataset) entity() Entity {
	x := extraOf(s.Extensions)
	e := Entity{Table: s.Name, Key: s.PrimaryKey, Name: x.Name, Time: x.Time, Description: s.Description, Synonyms: synonyms(s.Context)}
	e.Singular, e.Plural = nouns(s.Name, "")
	for _, f := range s.Fields {
		e.Fields = append(e.Fields, f.field())
	}
	return e
}

func (f DocumentField) field() Field {
	x := extraOf(f.Extensions)
	out := Field{Name: f.Name, Label: cmp.Or(f.Label, strings.Join(text.Words(f.Name), " ")), Role: Role(x.Role), Unit: x.Unit, Adds: x.Adds,
		Weight: x.Weight, Description: f.Description, Synonyms: synonyms(f.Context)}
	if column, plain := unquoted(f.Expression.SQL()); !plain || column != f.Name {
		out.Expression = f.Expression.SQL()
	}
	isTime := timeType(f.DataType)
	if f.Dimension != nil && f.Dimension.IsTime != nil {
		isTime = *f.Dimension.IsTime
	}
	if isTime {
		out.Role = Time
	}
	return out
}

// tableOf is the last part of a source: the table's name.
func (s Dataset) tableOf() string {
	parts := strings.Split(s.Source, ".")
	return strings.Trim(parts[len(parts)-1], "\"`[] ")
}
