package semantic

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// dbtFile is what is read of dbt's semantic models and metrics.
type dbtFile struct {
	Models []struct {
		Name        string `yaml:"name"`
		Model       string `yaml:"model"` // ref('orders')
		Description string `yaml:"description"`
		Defaults    struct {
			Time string `yaml:"agg_time_dimension"`
		} `yaml:"defaults"`
		Primary    string       `yaml:"primary_entity"`
		Entities   []dbtField   `yaml:"entities"`
		Dimensions []dbtField   `yaml:"dimensions"`
		Measures   []dbtMeasure `yaml:"measures"`
	} `yaml:"semantic_models"`
	Metrics []dbtMetric `yaml:"metrics"`
}

type dbtField struct {
	Name        string `yaml:"name"`
	Label       string `yaml:"label"`
	Type        string `yaml:"type"`
	Expr        string `yaml:"expr"`
	Description string `yaml:"description"`
}

type dbtMeasure struct {
	Name string `yaml:"name"`
	Agg  string `yaml:"agg"`
	Expr string `yaml:"expr"`
}

type dbtMetric struct {
	Name        string    `yaml:"name"`
	Description string    `yaml:"description"`
	Type        string    `yaml:"type"`
	Filter      string    `yaml:"filter"`
	Params      dbtParams `yaml:"type_params"`
}

type dbtParams struct {
	Measure     *dbtInput  `yaml:"measure"`
	Numerator   *dbtInput  `yaml:"numerator"`
	Denominator *dbtInput  `yaml:"denominator"`
	Expr        string     `yaml:"expr"`
	Metrics     []dbtInput `yaml:"metrics"`
	Window      string     `yaml:"window"`
}

// dbtInput is a measure or metric that another is made of: its name, or a name with more.
type dbtInput struct {
	Name   string `yaml:"name"`
	Filter string `yaml:"filter"`
	Alias  string `yaml:"alias"`
	Offset string `yaml:"offset_window"`
}

// UnmarshalYAML reads both forms.
func (n *dbtInput) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		n.Name = node.Value
		return nil
	}
	type plain dbtInput
	return node.Decode((*plain)(n))
}

// dbtAggregates are dbt's aggregates in SQL; %s is what they are of.
var dbtAggregates = map[string]string{
	"sum": "SUM(%s)", "count": "COUNT(%s)", "count_distinct": "COUNT(DISTINCT %s)", "average": "AVG(%s)", "min": "MIN(%s)",
	"max": "MAX(%s)", "median": "MEDIAN(%s)", "sum_boolean": "SUM(CASE WHEN %s THEN 1 ELSE 0 END)",
}

// dbtImport turns a dbt file into a document.
type dbtImport struct {
	file     dbtFile
	out      DocumentModel
	measures map[string][2]string // by name: the aggregate with %s for what is counted, and that
	notes    []string
}

func (f dbtFile) document() (*Document, []string) {
	n := &dbtImport{file: f, out: DocumentModel{Name: "dbt"}, measures: map[string][2]string{}}
	n.datasets()
	n.relationships()
	for _, m := range f.Metrics {
		expr, err := n.metric(m, 0)
		if err != nil {
			n.notes = append(n.notes, fmt.Sprintf("the metric %s was left out: %v", m.Name, err))
			continue
		}
		n.out.Metrics = append(n.out.Metrics, DocumentMetric{Name: m.Name, Expression: ansi(expr), Description: m.Description})
	}
	return &Document{Version: Version, Models: []DocumentModel{n.out}}, n.notes
}

var dbtRef = regexp.MustCompile(`ref\(\s*(?:['"][^'"]*['"]\s*,\s*)?['"]([^'"]+)['"]`)

func (n *dbtImport) datasets() {
	for _, m := range n.file.Models {
		d := Dataset{Name: m.Name, Source: m.Name, Description: m.Description, Extensions: extra{Time: m.Defaults.Time}.extension()}
		if found := dbtRef.FindStringSubmatch(m.Model); found != nil {
			d.Source = found[1]
		}
		for _, e := range m.Entities {
			column := cmp.Or(e.Expr, e.Name)
			if name, plain := unquoted(column); plain && d.PrimaryKey == nil && e.Type == "primary" {
				d.PrimaryKey = []string{name}
			}
		}
		for _, x := range m.Dimensions {
			field := DocumentField{Name: x.Name, Expression: ansi(cmp.Or(x.Expr, quoted(x.Name))), Label: x.Label, Description: x.Description}
			if isTime := x.Type == "time"; isTime {
				field.Dimension = &TimeRole{IsTime: &isTime}
			}
			d.Fields = append(d.Fields, field)
		}
		for _, x := range m.Measures {
			n.measure(m.Name, x)
		}
		n.out.Datasets = append(n.out.Datasets, d)
	}
}

// measure keeps a measure for the metrics that are made of it.
func (n *dbtImport) measure(dataset string, x dbtMeasure) {
	form, of := dbtAggregates[x.Agg], cmp.Or(x.Expr, x.Name)
	name, plain := unquoted(of)
	switch {
	case form == "":
		n.notes = append(n.notes, fmt.Sprintf("the measure %s was left out: the aggregate %q has no counterpart", x.Name, x.Agg))
		return
	case of == "1" && (x.Agg == "sum" || x.Agg == "count"):
		form, of = "COUNT(%s)", quoted(dataset)+".*"
	case plain:
		of = quoted(dataset) + "." + quoted(name)
	}
	n.measures[x.Name] = [2]string{form, of}
}

// relationships join foreign entities to the primary or unique one of the same name.
func (n *dbtImport) relationships() {
	for _, from := range n.file.Models {
		for _, f := range from.Entities {
			for _, to := range n.file.Models {
				at := slices.IndexFunc(to.Entities, func(e dbtField) bool {
					return e.Name == f.Name && (e.Type == "primary" || e.Type == "unique")
				})
				if f.Type != "foreign" || at < 0 || to.Name == from.Name {
					continue
				}
				n.out.Relationships = append(n.out.Relationships, DocumentRelationship{Name: from.Name + "_" + f.Name + "_to_" + to.Name,
					From: from.Name, To: to.Name, FromColumns: []string{cmp.Or(f.Expr, f.Name)},
					ToColumns: []string{cmp.Or(to.Entities[at].Expr, f.Name)}})
			}
		}
	}
}

// metric is a metric as SQL.
func (n *dbtImport) metric(m dbtMetric, depth int) (string, error) {
	const deepest = 20 // metrics of metrics
	if depth > deepest {
		return "", fmt.Errorf("it is made of itself, or of too many others")
	}
	switch p := m.Params; {
	case m.Type == "simple" && p.Measure != nil && p.Window == "":
		return n.aggregate(*p.Measure, m.Filter)
	case m.Type == "ratio" && p.Numerator != nil && p.Denominator != nil:
		above, err := n.part(*p.Numerator, m.Filter, depth)
		if err != nil {
			return "", err
		}
		below, err := n.part(*p.Denominator, m.Filter, depth)
		return fmt.Sprintf("%s * 1.0 / NULLIF(%s, 0)", above, below), err
	case m.Type == "derived" && p.Expr != "":
		expr := p.Expr
		for _, part := range p.Metrics {
			if part.Offset != "" {
				return "", fmt.Errorf("%s is taken of another time", part.Name)
			}
			text, err := n.part(part, m.Filter, depth)
			if err != nil {
				return "", err
			}
			name := regexp.MustCompile(`\b` + regexp.QuoteMeta(cmp.Or(part.Alias, part.Name)) + `\b`)
			expr = name.ReplaceAllLiteralString(expr, "("+text+")")
		}
		return expr, nil
	}
	return "", fmt.Errorf("metrics of the type %q have no counterpart", m.Type)
}

// part is a metric, or a measure, that another metric is made of.
func (n *dbtImport) part(in dbtInput, filter string, depth int) (string, error) {
	at := slices.IndexFunc(n.file.Metrics, func(m dbtMetric) bool { return m.Name == in.Name })
	if at < 0 {
		return n.aggregate(in, filter)
	}
	m := n.file.Metrics[at]
	m.Filter = joinFilters(m.Filter, joinFilters(in.Filter, filter))
	return n.metric(m, depth+1)
}

func joinFilters(a, b string) string {
	if a = strings.TrimSpace(a); a == "" || strings.TrimSpace(b) == "" {
		return a + strings.TrimSpace(b)
	}
	return "(" + a + ") AND (" + strings.TrimSpace(b) + ")"
}

// aggregate is a measure as SQL, of the rows that a filter lets through.
func (n *dbtImport) aggregate(in dbtInput, filter string) (string, error) {
	x, ok := n.measures[in.Name]
	if !ok {
		return "", fmt.Errorf("there is no measure %s", in.Name)
	}
	of := x[1]
	if table, all := strings.CutSuffix(of, ".*"); all {
		of = "*"
		if key := n.key(table); key != "" {
			of = table + "." + key
		}
	}
	text := fmt.Sprintf(x[0], of)
	where, err := n.filter(joinFilters(in.Filter, filter))
	if err != nil || where == "" {
		return text, err
	}
	return text + " FILTER (WHERE " + where + ")", nil
}

// key is the column that counts a dataset's rows.
func (n *dbtImport) key(dataset string) string {
	for _, d := range n.out.Datasets {
		if quoted(d.Name) == dataset && len(d.PrimaryKey) == 1 {
			return quoted(d.PrimaryKey[0])
		}
	}
	return ""
}

// dbtDimension is a dimension in a filter: {{ Dimension('order__is_large') }}.
var dbtDimension = regexp.MustCompile(`\{\{\s*(?:Dimension|TimeDimension)\(\s*['"](\w+?)__(\w+)['"][^)]*\)\s*\}\}`)

// filter writes the dimensions of a filter as columns of the dataset whose primary entity they are named by.
func (n *dbtImport) filter(text string) (string, error) {
	var missing error
	out := dbtDimension.ReplaceAllStringFunc(text, func(s string) string {
		found := dbtDimension.FindStringSubmatch(s)
		for _, m := range n.file.Models {
			own := m.Primary == found[1] || slices.ContainsFunc(m.Entities, func(e dbtField) bool { return e.Name == found[1] && e.Type == "primary" })
			if own {
				return quoted(m.Name) + "." + quoted(found[2])
			}
		}
		missing = fmt.Errorf("its filter names %s__%s, which is no dimension", found[1], found[2])
		return s
	})
	if missing == nil && strings.Contains(out, "{{") {
		missing = fmt.Errorf("its filter has a template that is not read")
	}
	return out, missing
}
