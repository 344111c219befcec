package formatter

import (
	"encoding/json"
	"fmt"
	"strconv"

	"catena/table"
)

// rankName is the key of the ranks in rows; a table that has such a column keeps its own.
const rankName = "rank"

// ranked reports whether exports get a column of ranks.
func (v *View) ranked() bool { return v.Ranks != nil && v.shown.Index(rankName) < 0 }

type jsonColumn struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Type  string `json:"type"`
}

type jsonAnomaly struct {
	Row    int     `json:"row"` // from 1
	Cut    bool    `json:"not_shown,omitempty"`
	Column string  `json:"column"`
	Value  any     `json:"value"`
	Usual  float64 `json:"usual"`
	Score  float64 `json:"score"`
	Method string  `json:"method"`
	Why    string  `json:"why"`
}

type jsonUnusual struct {
	Row     int      `json:"row"` // from 1
	Columns []string `json:"columns"`
	Apart   float64  `json:"apart"`
	Why     string   `json:"why"`
}

// JSON is the view as one object: title, columns, rows as objects in column order with their exact values, row_count,
// total_rows, truncated, summary_row, anomalies, unusual_rows, notes and column_profiles. Cells are as on the wire:
// decimals and integers beyond 2^53 are strings. It fails only where a JSON cell is not valid JSON.
func (v *View) JSON() ([]byte, error) {
	for c := range v.Columns {
		if err := v.validJSON(c); err != nil {
			return nil, fmt.Errorf("formatting as JSON: %w", err)
		}
	}
	head := []byte{'{'}
	if v.Title != "" {
		head = append(table.AppendJSONString(append(head, `"title":`...), v.Title), ',')
	}
	columns := make([]jsonColumn, len(v.Columns))
	for i, c := range v.Columns {
		columns[i] = jsonColumn{Name: c.Name, Label: c.Heading, Type: v.shown.Column(i).Type.String()}
	}
	var err error
	if head, err = appendMember(head, "columns", columns); err != nil {
		return nil, err
	}
	tail, err := v.jsonTail()
	if err != nil {
		return nil, fmt.Errorf("formatting as JSON: %w", err)
	}
	keys, guess := v.jsonKeys()
	return v.writeBytes(append(head, `,"rows":[`...), tail, guess, func(b []byte, r int) []byte {
		return v.jsonRow(b, keys, r)
	}), nil
}

// jsonKeys are what stands before each value of a row.
func (v *View) jsonKeys() (keys [][]byte, guess int) {
	keys = make([][]byte, len(v.Columns))
	for c, col := range v.Columns {
		if c > 0 || v.ranked() {
			keys[c] = append(keys[c], ',')
		}
		keys[c] = append(table.AppendJSONString(keys[c], col.Name), ':')
		guess += len(keys[c]) + 10
	}
	return keys, guess + 16
}

func (v *View) jsonRow(b []byte, keys [][]byte, r int) []byte {
	if r > 0 {
		b = append(b, ',')
	}
	b = append(b, '{')
	if v.ranked() {
		b = append(b, `"`+rankName+`":`...)
		if v.Ranks[r] > 0 {
			b = appendRank(b, v.Ranks[r])
		} else {
			b = append(b, "null"...)
		}
	}
	for c := range v.Columns {
		b = append(b, keys[c]...)
		b, _ = v.shown.Value(r, c).AppendJSON(b) // JSON cells have been looked at before
	}
	return append(b, '}')
}

// validJSON looks at the cells of a JSON column.
func (v *View) validJSON(c int) error {
	if v.shown.Column(c).Type != table.JSON {
		return nil
	}
	for r := range v.NumRows() {
		if value := v.shown.Value(r, c); !value.IsNull() && !json.Valid([]byte(value.Text())) {
			return fmt.Errorf("column %q, row %d: the cell is not valid JSON", v.Columns[c].Name, r+1)
		}
	}
	return nil
}

// jsonTail is what follows the rows.
func (v *View) jsonTail() ([]byte, error) {
	b := strconv.AppendInt([]byte(`],"row_count":`), int64(v.NumRows()), 10)
	b = strconv.AppendInt(append(b, `,"total_rows":`...), int64(v.Total), 10)
	b = strconv.AppendBool(append(b, `,"truncated":`...), v.Truncated())
	b = v.jsonSummary(b)
	var err error
	if len(v.Anomalies) > 0 {
		found := make([]jsonAnomaly, len(v.Anomalies))
		for i, a := range v.Anomalies {
			found[i] = jsonAnomaly{Row: a.Row + 1, Cut: v.beyond(a) > 0, Column: v.Columns[a.Column].Name,
				Value: a.value.Any(), Usual: a.Usual, Score: a.Score, Method: a.Method, Why: a.Why}
		}
		if b, err = appendMember(append(b, ','), "anomalies", found); err != nil {
			return nil, err
		}
	}
	if len(v.Unusual) > 0 {
		found := make([]jsonUnusual, len(v.Unusual))
		for i, u := range v.Unusual {
			found[i] = jsonUnusual{Row: u.Row + 1, Apart: u.Apart, Why: u.Why}
			for _, c := range u.Columns {
				found[i].Columns = append(found[i].Columns, v.Columns[c].Name)
			}
		}
		if b, err = appendMember(append(b, ','), "unusual_rows", found); err != nil {
			return nil, err
		}
	}
	if len(v.Notes) > 0 {
		if b, err = appendMember(append(b, ','), "notes", v.Notes); err != nil {
			return nil, err
		}
	}
	profiles := make([]any, len(v.Columns))
	for i := range v.Columns {
		profiles[i] = &v.Columns[i].Metadata
	}
	if b, err = appendMember(append(b, ','), "column_profiles", profiles); err != nil {
		return nil, err
	}
	return append(b, '}'), nil
}

func (v *View) jsonSummary(b []byte) []byte {
	if v.Summary == nil {
		return b
	}
	b = table.AppendJSONString(append(b, `,"summary_row":{"label":`...), v.Summary.Label)
	if v.Summary.Detail != "" {
		b = table.AppendJSONString(append(b, `,"detail":`...), v.Summary.Detail)
	}
	b = append(b, `,"values":{`...)
	first := true
	for c, value := range v.Summary.Values {
		if value.IsNull() {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(table.AppendJSONString(b, v.Columns[c].Name), ':')
		b, _ = value.AppendJSON(b) // sums and means are numbers
	}
	return append(b, "}}"...)
}

// appendMember writes a member of an object, without the escapes for HTML, which cost a model tokens and a reader
// patience.
func appendMember(b []byte, key string, value any) ([]byte, error) {
	w := appender{append(table.AppendJSONString(b, key), ':')}
	enc := json.NewEncoder(&w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	return w.b[:len(w.b)-1], nil // without the line end
}

// appender is an io.Writer at the end of a slice.
type appender struct{ b []byte }

func (w *appender) Write(p []byte) (int, error) {
	w.b = append(w.b, p...)
	return len(p), nil
}
