package table

import (
	"encoding/json"
	"fmt"
	"strings"
)

// FromAny makes a table of what a tool's argument holds after decoding JSON (best with UseNumber, which keeps all digits): the wire form, a list of
// objects, a list of scalars (one column "value"), an object of columns, or a string of CSV, Markdown or JSON text. A *Table is given
// back, a json.RawMessage is read as it is. Maps have no order: their columns come sorted by name. Anything else gives a *FormatError.
func FromAny(v any, lim Limits) (*Table, error) {
	const source = "data"
	lim = lim.withDefaults()
	var text []byte
	switch x := v.(type) {
	case *Table:
		return x, nil
	case Named:
		return x.Table, nil
	case string:
		return FromText(x, lim)
	case nil:
		return nil, &FormatError{Source: source, Reason: "there is no data", Hint: "give a table's handle, a list of objects, or CSV text"}
	case json.RawMessage:
		var s string
		if json.Unmarshal(x, &s) == nil {
			return FromText(s, lim)
		}
		text = x
	case bool, float64, json.Number, int, int64:
		return nil, &FormatError{Source: source, Reason: fmt.Sprintf("the single value %v is not a table", x), Hint: "give a table's handle, a list of objects, or CSV text"}
	default:
		var err error
		if text, err = json.Marshal(v); err != nil {
			return nil, &FormatError{Source: source, Reason: fmt.Sprintf("a %T cannot be read as a table (%v)", v, err), Hint: "give a list of objects"}
		}
	}
	if int64(len(text)) > lim.Bytes {
		return nil, tooLarge(source, lim)
	}
	named, err := jsonFromBytes(text, source, lim)
	return named.Table, err
}

// FromText makes a table of pasted text: JSON, a Markdown table, or CSV with any delimiter. A code fence around it is dropped.
func FromText(s string, lim Limits) (*Table, error) {
	named, err := ReadText(s, "text", lim)
	return named.Table, err
}

// ReadText is FromText with the report of what was found.
func ReadText(s, source string, lim Limits) (Named, error) {
	lim = lim.withDefaults()
	if int64(len(s)) > lim.Bytes {
		return Named{}, tooLarge(source, lim)
	}
	s = unfence(s)
	trimmed := strings.TrimSpace(s)
	if strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
		named, err := jsonFromBytes([]byte(trimmed), source, lim)
		if err == nil || !strings.ContainsAny(trimmed, ",\t;") || strings.Contains(trimmed, `"`) {
			return named, err
		}
	}
	if named, ok, err := readMarkdown(trimmed, source, lim); ok || err != nil {
		return named, err
	}
	return csvFromBytes([]byte(s), source, lim)
}

// unfence drops a Markdown code fence around the whole text.
func unfence(s string) string {
	t := strings.TrimSpace(s)
	rest, ok := strings.CutPrefix(t, "```")
	if !ok {
		return s
	}
	_, rest, ok = strings.Cut(rest, "\n")
	rest, closed := strings.CutSuffix(strings.TrimRight(rest, " \n\r\t"), "```")
	if !ok || !closed {
		return s
	}
	return rest
}

// readMarkdown reads a GitHub-flavoured Markdown table: a row of names, a row of dashes, rows. Text before and after it is left
// out, which is said. False when there is none.
func readMarkdown(s, source string, lim Limits) (Named, bool, error) {
	lines := strings.Split(s, "\n")
	head := -1
	for i := 1; i < len(lines); i++ {
		if isRuler(lines[i]) && strings.Contains(lines[i-1], "|") {
			head = i - 1
			break
		}
	}
	if head < 0 {
		return Named{}, false, nil
	}
	g := &grid{}
	last := head
	for i := head; i < len(lines) && strings.Contains(lines[i], "|"); i++ {
		last = i
		if i == head+1 {
			continue
		}
		from := len(g.cells)
		g.cells = append(g.cells, markdownCells(lines[i])...)
		g.rows = append(g.rows, csvRow{from: from, to: len(g.cells), line: i + 1})
		if len(g.rows) > lim.Rows+1 || len(g.cells)-from > lim.Columns {
			return Named{}, false, &FormatError{Source: source, Line: i + 1, Reason: "the table is larger than the limits", Hint: "split it or raise the limits"}
		}
	}
	report := LoadReport{Source: source, Format: "markdown", Encoding: "utf-8", Comma: "|", Header: true}
	if head > 0 || last < len(lines)-1 {
		report.Notes = append(report.Notes, "the text around the table was left out")
	}
	t, err := g.table(&report, lim)
	if err != nil {
		return Named{}, false, err
	}
	return Named{Name: baseName(source), Table: t, Report: report}, true, nil
}

// isRuler reports whether a line is the |---|:--:| below a Markdown table's names.
func isRuler(line string) bool {
	line = strings.TrimSpace(line)
	return strings.Contains(line, "-") && strings.Contains(line, "|") && strings.Trim(line, "|-: ") == ""
}

func markdownCells(line string) []string {
	line = strings.TrimSpace(strings.ReplaceAll(line, `\|`, "\x00"))
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	cells := strings.Split(line, "|")
	for i, c := range cells {
		cells[i] = strings.TrimSpace(strings.ReplaceAll(c, "\x00", "|"))
	}
	return cells
}
