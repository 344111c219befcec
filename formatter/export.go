package formatter

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"

	"catena/profiler"
	"catena/table"
)

// jsonView is the JSON form of a View. Cells are as on the wire: decimals and integers beyond 2^53 are strings.
type jsonView struct {
	Title      string                    `json:"title,omitempty"`
	Columns    []jsonColumn              `json:"columns"`
	Rows       []record                  `json:"rows"`
	RowCount   int                       `json:"row_count"`
	TotalRows  int                       `json:"total_rows"`
	Truncated  bool                      `json:"truncated"`
	Summary    *jsonSummary              `json:"summary_row,omitempty"`
	Anomalies  []jsonAnomaly             `json:"anomalies,omitempty"`
	Notes      []string                  `json:"notes,omitempty"`
	ColumnInfo []profiler.ColumnMetadata `json:"column_profiles"`
}

type jsonColumn struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Type  string `json:"type"`
}

type jsonSummary struct {
	Label  string `json:"label"`
	Detail string `json:"detail,omitempty"`
	Values record `json:"values"`
}

type jsonAnomaly struct {
	Row    int     `json:"row"` // from 1
	Column string  `json:"column"`
	Value  any     `json:"value"`
	Usual  float64 `json:"usual"`
	Score  float64 `json:"score"`
	Method string  `json:"method"`
	Why    string  `json:"why"`
}

// record is an object whose keys keep their order.
type record struct {
	names  []string
	values []any
}

// MarshalJSON writes the object in the order of its keys.
func (r record) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, name := range r.names {
		if i > 0 {
			b = append(b, ',')
		}
		key, err := marshal(name)
		if err != nil {
			return nil, err
		}
		value, err := marshal(r.values[i])
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", name, err)
		}
		b = append(append(append(b, key...), ':'), value...)
	}
	return append(b, '}'), nil
}

// marshal is json.Marshal without escapes for HTML, which cost a model tokens and a reader patience.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}

// rankName is the key of the ranks in rows; a table that has such a column keeps its own.
const rankName = "rank"

// JSON is the view as one object: columns, rows as objects in column order with their exact values, row_count, total_rows, truncated,
// summary_row, anomalies, notes and column_profiles. It fails only where a JSON cell is not valid JSON.
func (v *View) JSON() ([]byte, error) {
	out := jsonView{Title: v.Title, Columns: []jsonColumn{}, Rows: make([]record, v.NumRows()), RowCount: v.NumRows(), TotalRows: v.Total, Truncated: v.Truncated(), Notes: v.Notes, ColumnInfo: []profiler.ColumnMetadata{}}
	names := make([]string, 0, len(v.Columns)+1)
	ranked := v.Ranks != nil && v.shown.Index(rankName) < 0
	if ranked {
		names = append(names, rankName)
	}
	for i, c := range v.Columns {
		names = append(names, c.Name)
		out.Columns = append(out.Columns, jsonColumn{Name: c.Name, Label: c.Heading, Type: v.shown.Column(i).Type.String()})
		out.ColumnInfo = append(out.ColumnInfo, c.Metadata)
	}
	for r := range out.Rows {
		values := make([]any, 0, len(names))
		if ranked {
			values = append(values, rankOrNil(v.Ranks[r]))
		}
		for c := range v.Columns {
			values = append(values, v.shown.Value(r, c).Any())
		}
		out.Rows[r] = record{names, values}
	}
	out.Summary = v.jsonSummary()
	for _, a := range v.Anomalies {
		out.Anomalies = append(out.Anomalies, jsonAnomaly{Row: a.Row + 1, Column: v.Columns[a.Column].Name, Value: v.shown.Value(a.Row, a.Column).Any(), Usual: a.Usual, Score: a.Score, Method: a.Method, Why: a.Why})
	}
	b, err := marshal(out)
	if err != nil {
		return nil, fmt.Errorf("formatting as JSON: %w", err)
	}
	return b, nil
}

func (v *View) jsonSummary() *jsonSummary {
	if v.Summary == nil {
		return nil
	}
	s := &jsonSummary{Label: v.Summary.Label, Detail: v.Summary.Detail}
	for c, value := range v.Summary.Values {
		if !value.IsNull() {
			s.Values.names = append(s.Values.names, v.Columns[c].Name)
			s.Values.values = append(s.Values.values, value.Any())
		}
	}
	return s
}

func rankOrNil(place int) any {
	if place == 0 {
		return nil
	}
	return place
}

// CSV is the rows as RFC 4180 with the table's own names, so that it loads again: numbers and dates in canonical text, without summary row.
// Text cells that a spreadsheet would run as a formula get an apostrophe in front.
func (v *View) CSV() string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	row := make([]string, 0, len(v.Columns)+1)
	ranked := v.Ranks != nil && v.shown.Index(rankName) < 0
	if ranked {
		row = append(row, rankName)
	}
	for _, c := range v.Columns {
		row = append(row, harmless(c.Name))
	}
	write := func() {
		if err := w.Write(row); err != nil {
			panic(err) // unreachable: a Builder takes everything and the delimiter is valid
		}
	}
	write()
	for r := range v.NumRows() {
		row = row[:0]
		if ranked {
			row = append(row, rank(v.Ranks[r]))
		}
		for c := range v.Columns {
			row = append(row, csvCell(v.shown.Value(r, c)))
		}
		write()
	}
	w.Flush()
	return b.String()
}

func csvCell(v table.Value) string {
	if v.Type() == table.Text || v.Type() == table.JSON {
		return harmless(v.Text())
	}
	return v.Text()
}

// harmless puts an apostrophe before text that spreadsheets take for a formula, by the list of OWASP's "CSV Injection" page. Plain signed
// numbers stay.
func harmless(s string) string {
	trimmed := strings.TrimLeft(s, " ")
	if trimmed == "" || !strings.ContainsRune("=+-@\t\r\n|＝＋－＠", []rune(trimmed)[0]) {
		return s
	}
	if _, err := table.ParseDecimal(s); err == nil {
		return s
	}
	return "'" + s
}

// Bullets is the view as a list: a line per row, its first text cell in bold, then heading and value of the others.
func (v *View) Bullets() string {
	var b strings.Builder
	v.markdownTitle(&b)
	if v.NumRows() == 0 {
		b.WriteString(v.empty())
		b.WriteByte('\n')
	}
	lead := -1
	for c, col := range v.Columns {
		if !col.Right {
			lead = c
			break
		}
	}
	for r := range v.NumRows() {
		b.WriteString("- ")
		if v.Ranks != nil && v.Ranks[r] > 0 {
			fmt.Fprintf(&b, "#%d ", v.Ranks[r])
		}
		v.bullet(&b, lead, func(c int) string { return v.markdownCell(r, c) })
	}
	if v.Summary != nil {
		b.WriteString("- **" + v.Summary.Label + "**")
		if v.Summary.Detail != "" {
			b.WriteString(" (" + escape(v.Summary.Detail) + ")")
		}
		b.WriteString(": ")
		v.bullet(&b, -1, v.summaryCell)
	}
	v.lists(&b, "", escape)
	return b.String()
}

// bullet writes the cells of one line; those without a value are left out.
func (v *View) bullet(b *strings.Builder, lead int, cell func(c int) string) {
	parts := make([]string, 0, len(v.Columns))
	for c, col := range v.Columns {
		if text := cell(c); c != lead && text != "" {
			parts = append(parts, escape(col.Heading)+" "+text)
		}
	}
	if lead >= 0 {
		name := cell(lead)
		if name == "" {
			name = "(no " + escape(v.Columns[lead].Heading) + ")"
		}
		b.WriteString("**" + name + "**")
		if len(parts) > 0 {
			b.WriteString(": ")
		}
	}
	b.WriteString(strings.Join(parts, "; ") + "\n")
}
