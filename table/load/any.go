package load

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"catena/table"
	"catena/table/csv"
	tablejson "catena/table/json"
	"catena/table/markup"
)

// Any makes a table of what a tool's argument holds after decoding JSON (best with UseNumber, which keeps all digits):
// the wire form, a list of objects, a list of scalars (one column "value"), an object of columns, or a string of CSV,
// Markdown or JSON text. Objects that hold but one object each are read as these, see Sole. A *Table is given back, a
// json.RawMessage is read as it is. Maps have no order: their columns come sorted by name. Anything else gives a
// *FormatError.
func Any(v any, lim table.Limits) (*table.Table, error) {
	const source = "data"
	lim, end := lim.Begin()
	defer end()
	var text []byte
	switch x := v.(type) {
	case *table.Table:
		return x, nil
	case table.Named:
		return x.Table, nil
	case string:
		return Text(x, lim)
	case nil:
		return nil, &table.FormatError{Source: source, Reason: "there is no data",
			Hint: "give a table's handle, a list of objects, or CSV text"}
	case json.RawMessage:
		var s string
		if json.Unmarshal(x, &s) == nil {
			return Text(s, lim)
		}
		text = x
	case bool, float64, json.Number, int, int64:
		return nil, &table.FormatError{Source: source, Reason: fmt.Sprintf("the single value %v is not a table", x),
			Hint: "give a table's handle, a list of objects, or CSV text"}
	default:
		var err error
		if text, err = json.Marshal(v); err != nil {
			return nil, &table.FormatError{Source: source,
				Reason: fmt.Sprintf("a %T cannot be read as a table (%v)", v, err), Hint: "give a list of objects"}
		}
	}
	if int64(len(text)) > lim.Bytes {
		return nil, table.TooLarge(source, lim)
	}
	named, err := tablejson.ReadBytes(Sole(text), source, lim)
	return named.Table, lim.Explain(source, err)
}

// Text makes a table of pasted text: JSON, a Markdown table, or CSV with any delimiter. A code fence around it is
// dropped.
func Text(s string, lim table.Limits) (*table.Table, error) {
	named, err := ReadText(s, "text", lim)
	return named.Table, err
}

// ReadText is Text with the report of what was found. Markdown and HTML tables, and delimited text in a code fence, are
// also found inside a text with other things around them; of several tables the first is given.
func ReadText(s, source string, lim table.Limits) (table.Named, error) {
	lim, end := lim.Begin()
	defer end()
	named, err := readText(s, source, lim)
	return named, lim.Explain(source, err)
}

func readText(s, source string, lim table.Limits) (table.Named, error) {
	if int64(len(s)) > lim.Bytes {
		return table.Named{}, table.TooLarge(source, lim)
	}
	inner := unfence(s)
	trimmed := strings.TrimSpace(inner)
	if strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
		named, err := tablejson.ReadBytes([]byte(trimmed), source, lim)
		if err == nil || !strings.ContainsAny(trimmed, ",\t;") || strings.Contains(trimmed, `"`) {
			return named, err
		}
	}
	if found, err := markedTables(s, source, lim); len(found) > 0 || err != nil {
		if err != nil {
			return table.Named{}, err
		}
		table.ListMore(found)
		return found[0], nil
	}
	return csv.ReadBytes([]byte(inner), source, lim)
}

// htmlTag is how an HTML table begins.
var htmlTag = regexp.MustCompile(`(?i)<table[\s>]`)

// markedTables reads the HTML tables of a text, else its Markdown tables; none where it has neither.
func markedTables(s, source string, lim table.Limits) ([]table.Named, error) {
	s = strings.ToValidUTF8(s, "\ufffd")
	if htmlTag.MatchString(s) {
		if found, err := markup.ReadHTML(s, source, lim); len(found) > 0 || err != nil {
			return found, err
		}
	}
	return markup.ReadMarkdown(s, source, lim)
}

// fence is a Markdown code fence with what is in it.
var fence = regexp.MustCompile("(?ms)^[ \\t]*```[^\\n`]*\\n(.*?)\\n?[ \\t]*```[ \\t]*\\r?$")

// unfence gives what stands in the only code fence of a text, else the text.
func unfence(s string) string {
	if m := fence.FindAllStringSubmatch(s, 2); len(m) == 1 {
		return m[0][1]
	}
	return s
}
