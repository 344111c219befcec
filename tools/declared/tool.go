package declared

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/table"
	"catena/tools"
	"catena/tools/source"
)

// DefaultTimeout is how long a request may take where its declaration does not say; a statement has its database's.
const DefaultTimeout = 30 * time.Second

// Databases finds the database of a name that is open now; the error says why it cannot be used. It is asked for each
// call.
type Databases func(name string) (*source.Database, error)

// Make is the tool of a declaration that Check has passed. A statement is looked at by its database, within ctx: an
// error says what is wrong with it. The tool may be called from several goroutines.
func (d *Definition) Make(ctx context.Context, databases Databases) (tools.Tool, error) {
	in, err := d.inputSchema()
	if err != nil {
		return tools.Tool{}, err
	}
	t := tools.Tool{Toolset: Toolset, Timeout: d.Timeout}
	t.Def = mcp.Tool{Name: d.Name, Title: d.Title, Description: d.Description, RawInputSchema: in}
	if d.HTTP != nil {
		t.Def.Annotations = d.annotations()
		t.Untrusted = !d.Trusted
		t.Timeout = cmp.Or(d.Timeout, DefaultTimeout)
		t.Handler = newRequester(d).call
		return t, nil
	}
	db, err := databases(d.Source)
	if err != nil {
		return tools.Tool{}, err
	}
	all, err := d.statements(db.Kind())
	if err != nil {
		return tools.Tool{}, fmt.Errorf(".sql cannot be used: %w", err)
	}
	if t.Def.RawOutputSchema, err = d.describe(ctx, db, all); err != nil {
		return tools.Tool{}, err
	}
	yes, no := true, false
	t.Def.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &yes, DestructiveHint: &no, IdempotentHint: &yes,
		OpenWorldHint: &no}
	t.Sinks = map[string]tools.Sink{} // values are bound: they decide nothing
	t.Handler = func(ctx context.Context, call tools.Call) (tools.Result, error) {
		return d.query(ctx, databases, all, call)
	}
	return t, nil
}

// describe has the database look at the statements, and gives the schema of what they give; nil where they differ.
func (d *Definition) describe(ctx context.Context, db *source.Database, all []source.Written) (json.RawMessage, error) {
	var first []table.Column
	same := true
	for i, w := range all {
		columns, err := db.Describe(ctx, w, d.samples())
		if err != nil {
			return nil, fmt.Errorf(".sql cannot be used: %w", err)
		}
		if columns, err = d.Result.described(columns); err != nil {
			return nil, err
		}
		if i == 0 {
			first = columns
		}
		same = same && slices.Equal(first, columns)
	}
	if !same {
		return nil, nil
	}
	return outputSchema(first)
}

// query is a call of a statement.
func (d *Definition) query(ctx context.Context, databases Databases, all []source.Written, call tools.Call) (
	tools.Result, error,
) {
	values, err := d.values(call.Args)
	if err != nil {
		return tools.FailedBy(err)
	}
	at, err := d.chosen(values)
	if err != nil {
		return tools.FailedBy(err)
	}
	db, err := databases(d.Source)
	if err != nil {
		return tools.Failed(tools.CodeUnavailable, err.Error()), nil
	}
	out, notes, err := db.Run(ctx, all[at], values)
	var fault *source.Error
	var value *source.ValueError
	switch {
	case errors.As(err, &fault):
		return tools.Failed(fault.Code, fault.Error()), nil
	case errors.As(err, &value):
		return tools.Failed(source.CodeData, value.Error()), nil
	case err != nil:
		return tools.FailedBy(err)
	}
	return d.result(out, notes, values)
}

// result is the table that the declaration makes of what came.
func (d *Definition) result(t *table.Table, notes []string, values map[string]any) (tools.Result, error) {
	shown, err := d.Result.apply(t)
	if err != nil {
		return tools.FailedBy(err)
	}
	return tools.Result{Table: shown, Name: d.Name, Title: cmp.Or(fill(d.Result.Title, values, plainText), d.Title),
		Notes: notes}, nil
}

// described are the columns of a result as the mapping has them.
func (m *Mapping) described(have []table.Column) ([]table.Column, error) {
	if len(m.Columns) == 0 {
		return have, nil
	}
	names := make([]string, len(have))
	for i, c := range have {
		names[i] = c.Name
	}
	var out []table.Column
	for i, want := range m.Columns {
		from := cmp.Or(want.From, want.Name)
		at := -1
		for n, name := range names {
			if strings.EqualFold(name, from) {
				at = n
			}
		}
		if at < 0 {
			return nil, fmt.Errorf(".result.columns[%d] is of %q, which the statement does not give; it gives %s", i,
				from, strings.Join(names, ", "))
		}
		c := have[at]
		c.Name = want.Name
		out = append(out, want.over(c))
	}
	return out, nil
}

// over is a column with what the declaration says of it.
func (c Column) over(col table.Column) table.Column {
	col.Title, col.Unit, col.About = cmp.Or(c.Title, col.Title), cmp.Or(c.Unit, col.Unit), cmp.Or(c.Description,
		col.About)
	return col
}

// apply chooses and describes the columns of a table.
func (m *Mapping) apply(t *table.Table) (*table.Table, error) {
	if len(m.Columns) == 0 {
		return t, nil
	}
	names := make([]string, len(m.Columns))
	said := map[string]table.Column{}
	for i, c := range m.Columns {
		names[i] = cmp.Or(c.From, c.Name)
		said[c.Name] = c.over(table.Column{})
	}
	out, err := t.Select(names...)
	if err != nil {
		return nil, err
	}
	for i, c := range m.Columns {
		if have := out.Column(i).Name; have != c.Name {
			if out, err = out.Rename(have, c.Name); err != nil {
				return nil, err
			}
		}
	}
	return out.Described(said), nil
}

// outputSchema is that of a table with these columns; of those whose type is not known only the name is told.
func outputSchema(columns []table.Column) (json.RawMessage, error) {
	var schema map[string]any
	if err := json.Unmarshal(tools.TableSchema(columns...), &schema); err != nil {
		return nil, err
	}
	props, _ := schema["properties"].(map[string]any)
	rows, _ := props["rows"].(map[string]any)
	items, _ := rows["items"].(map[string]any)
	fields, _ := items["properties"].(map[string]any)
	for _, c := range columns {
		if c.Type == table.Null {
			fields[c.Name] = map[string]any{}
		}
	}
	return json.Marshal(schema)
}
