package semantic

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Version is that of the file form which is written: Apache Ossie's core specification. The one before it has the same
// parts and is read too.
const (
	Version = "0.2.0.dev0"
	former  = "0.1.1"
)

// FileEnding is that of model files beside data.
const FileEnding = ".semantic.yaml"

// maxDocument bounds a model file, in bytes.
const maxDocument = 4 << 20

// Document is a model file in the form of Apache Ossie's core specification. It keeps all that the form has, also what
// Catena makes no use of, so that a file that is read and written says what it said.
type Document struct {
	Version string          `yaml:"version"`
	Models  []DocumentModel `yaml:"semantic_model"`
}

// DocumentModel is one model of a file.
type DocumentModel struct {
	Name          string                 `yaml:"name"`
	Description   string                 `yaml:"description,omitempty"`
	Context       any                    `yaml:"ai_context,omitempty"` // a text, or instructions, synonyms, examples
	Datasets      []Dataset              `yaml:"datasets"`
	Relationships []DocumentRelationship `yaml:"relationships,omitempty"`
	Metrics       []DocumentMetric       `yaml:"metrics,omitempty"`
	Extensions    []Extension            `yaml:"custom_extensions,omitempty"`
}

// Dataset is a table of a file. Source names the table behind it, as database.schema.table.
type Dataset struct {
	Name        string          `yaml:"name"`
	Source      string          `yaml:"source"`
	PrimaryKey  []string        `yaml:"primary_key,omitempty,flow"`
	UniqueKeys  [][]string      `yaml:"unique_keys,omitempty,flow"`
	Description string          `yaml:"description,omitempty"`
	Context     any             `yaml:"ai_context,omitempty"`
	Fields      []DocumentField `yaml:"fields,omitempty"`
	Extensions  []Extension     `yaml:"custom_extensions,omitempty"`
}

// DocumentField is a column, or an expression over the columns of a row.
type DocumentField struct {
	Name        string      `yaml:"name"`
	Expression  Expression  `yaml:"expression"`
	Dimension   *TimeRole   `yaml:"dimension,omitempty"`
	Label       string      `yaml:"label,omitempty"`
	Description string      `yaml:"description,omitempty"`
	DataType    string      `yaml:"datatype,omitempty"`
	Context     any         `yaml:"ai_context,omitempty"`
	Extensions  []Extension `yaml:"custom_extensions,omitempty"`
}

// TimeRole says whether a dimension is one of time; nil leaves that to the data type.
type TimeRole struct {
	IsTime *bool `yaml:"is_time,omitempty"`
}

// Expression is the same in several dialects.
type Expression struct {
	Dialects []DialectExpression `yaml:"dialects"`
}

// DialectExpression is SQL in one dialect, or an expression of another language.
type DialectExpression struct {
	Dialect    string `yaml:"dialect"`
	Expression string `yaml:"expression"`
}

// DocumentRelationship is a reference from the many side to the one side.
type DocumentRelationship struct {
	Name        string      `yaml:"name"`
	From        string      `yaml:"from"`
	To          string      `yaml:"to"`
	FromColumns []string    `yaml:"from_columns,flow"`
	ToColumns   []string    `yaml:"to_columns,flow"`
	Context     any         `yaml:"ai_context,omitempty"`
	Extensions  []Extension `yaml:"custom_extensions,omitempty"`
}

// DocumentMetric is a metric of a file.
type DocumentMetric struct {
	Name        string      `yaml:"name"`
	Expression  Expression  `yaml:"expression"`
	Description string      `yaml:"description,omitempty"`
	DataType    string      `yaml:"datatype,omitempty"`
	Context     any         `yaml:"ai_context,omitempty"`
	Extensions  []Extension `yaml:"custom_extensions,omitempty"`
}

// Extension is what a vendor keeps beside: JSON as text.
type Extension struct {
	Vendor string `yaml:"vendor_name"`
	Data   string `yaml:"data"`
}

// ErrForm is that of Read where a text is no model file. Test with errors.Is.
var ErrForm = errors.New("no semantic model")

// Read reads a model file: Ossie's form, or dbt's semantic models, which become it. What the form does not have is an
// error that names it and its line. Notes say what of dbt's models has no counterpart and was left out.
func Read(text []byte) (d *Document, notes []string, err error) {
	if len(text) > maxDocument {
		return nil, nil, fmt.Errorf("%w: the file has more than %d bytes", ErrForm, maxDocument)
	}
	var kind map[string]yaml.Node
	if err := yaml.Unmarshal(text, &kind); err != nil {
		return nil, nil, fmt.Errorf("%w: %s", ErrForm, plainYAML(err))
	}
	if _, ours := kind["semantic_model"]; ours {
		d = &Document{}
		return d, nil, decode(text, d, true)
	}
	if _, dbt := kind["semantic_models"]; dbt {
		var file dbtFile
		if err := decode(text, &file, false); err != nil {
			return nil, nil, err
		}
		d, notes = file.document()
		return d, notes, nil
	}
	return nil, nil, fmt.Errorf("%w: neither semantic_model (Ossie) nor semantic_models (dbt) is there", ErrForm)
}

// decode reads one YAML document.
func decode(text []byte, into any, strict bool) error {
	in := yaml.NewDecoder(bytes.NewReader(text))
	in.KnownFields(strict)
	if err := in.Decode(into); err != nil {
		return fmt.Errorf("%w: %s", ErrForm, plainYAML(err))
	}
	if err := in.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: the file holds more than one YAML document", ErrForm)
	}
	return nil
}

// plainYAML is a YAML error without the names of Go types.
func plainYAML(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	text = strings.ReplaceAll(text, "unmarshal errors:\n  ", "")
	before, _, _ := strings.Cut(text, " in type ")
	return strings.ReplaceAll(before, "\n  ", "; ")
}

// Write is the file: YAML with two spaces, in the order of the specification. Reading and writing it again gives the
// same bytes.
func (d *Document) Write() ([]byte, error) {
	var b bytes.Buffer
	out := yaml.NewEncoder(&b)
	out.SetIndent(2)
	if err := errors.Join(out.Encode(d), out.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// SQL is the expression in the dialect that Catena reads best; "" where it has none.
func (e Expression) SQL() string {
	for _, want := range []string{"ANSI_SQL", "SNOWFLAKE", "DATABRICKS", "BIGQUERY"} {
		for _, d := range e.Dialects {
			if d.Dialect == want {
				return d.Expression
			}
		}
	}
	return ""
}

// ansi is an expression in standard SQL.
func ansi(text string) Expression {
	return Expression{Dialects: []DialectExpression{{Dialect: "ANSI_SQL", Expression: text}}}
}

// synonyms are those of an ai_context.
func synonyms(context any) []string {
	m, _ := context.(map[string]any)
	list, _ := m["synonyms"].([]any)
	var out []string
	for _, s := range list {
		if text, ok := s.(string); ok && text != "" {
			out = append(out, text)
		}
	}
	return out
}

// withSynonyms is an ai_context of synonyms; nil for none.
func withSynonyms(list []string) any {
	if len(list) == 0 {
		return nil
	}
	return map[string]any{"synonyms": list}
}
