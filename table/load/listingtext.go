package load

import (
	"encoding/csv"
	"encoding/json"
	"html"
	"regexp"
	"strings"

	"catena/table"
	tablecsv "catena/table/csv"
	"catena/table/infer"
	"catena/table/markup"
)

// listedMarkdown reads the only Markdown table of a text.
func listedMarkdown(s, source string, lim table.Limits, _ int) (Listing, bool) {
	if !strings.Contains(s, "|") || !strings.Contains(s, "-") {
		return Listing{}, false
	}
	found, err := markup.ReadMarkdown(strings.ToValidUTF8(s, "\ufffd"), source, lim)
	if err != nil || len(found) != 1 {
		return Listing{}, false
	}
	var around []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, "|") {
			around = append(around, line)
		}
	}
	return Listing{Table: found[0].Table, Around: strings.Join(around, "\n")}, true
}

// htmlSpan matches from the first table to the end of the last.
var htmlSpan = regexp.MustCompile(`(?is)<table.*</table>`)

// htmlTags matches a tag or a comment of HTML.
var htmlTags = regexp.MustCompile(`(?s)<!--.*?-->|<[^>]*>`)

// listedHTML reads the only table of a piece of HTML.
func listedHTML(s, source string, lim table.Limits, _ int) (Listing, bool) {
	if !strings.Contains(s, "</") {
		return Listing{}, false
	}
	at := htmlSpan.FindStringIndex(s)
	if at == nil {
		return Listing{}, false
	}
	found, err := markup.ReadHTML(s, source, lim)
	if err != nil || len(found) != 1 {
		return Listing{}, false
	}
	around := html.UnescapeString(htmlTags.ReplaceAllString(s[:at[0]]+"\n"+s[at[1]:], " "))
	return Listing{Table: withoutCoordinates(found[0].Table, source, lim), Around: strings.TrimSpace(around)}, true
}

// listedDelimited reads lines that all have the same fields below a line of names. Prose with commas has not.
func listedDelimited(s, source string, lim table.Limits, _ int) (Listing, bool) {
	for _, comma := range []rune{'\t', ',', ';', '|'} {
		body, around := s, ""
		for range 3 { // lines of text may stand above
			head, rest, more := strings.Cut(body, "\n")
			if sameFields(body, comma) {
				named, err := tablecsv.ReadBytes([]byte(body), source, lim)
				return Listing{Table: named.Table, Around: around}, err == nil && named.Table != nil
			}
			apart := strings.HasPrefix(strings.TrimLeft(rest, "\r "), "\n") // a blank line follows
			if !more || strings.ContainsRune(head, comma) && !apart {
				break
			}
			body, around = strings.TrimLeft(rest, "\r\n"), strings.TrimSpace(around+"\n"+strings.TrimSpace(head))
		}
	}
	return Listing{}, false
}

// sameFields reports whether a text is a line of names and lines of as many fields.
func sameFields(s string, comma rune) bool {
	r := csv.NewReader(strings.NewReader(s))
	r.Comma, r.ReuseRecord = comma, true
	names, err := r.Read() // the reader wants as many fields in each line as in the first
	if err != nil || len(names) < 2 || !areNames(names) {
		return false
	}
	wide, rows := len(names) > 2, 0
	for {
		if _, err = r.Read(); err != nil {
			break
		}
		rows++
	}
	return err.Error() == "EOF" && (rows > 1 || rows == 1 && wide)
}

// sentence matches what is no name of a column.
var sentence = regexp.MustCompile(`[.!?:] |[.!?:]$`)

func areNames(names []string) bool {
	seen := map[string]bool{}
	for i, n := range names {
		odd := n == "" || len(n) > 64 || i > 0 && strings.HasPrefix(n, " ") || sentence.MatchString(n)
		if odd || seen[n] || infer.IsTypedCell(n) {
			return false
		}
		seen[n] = true
	}
	return true
}

func textJSON(s string) json.RawMessage {
	raw, err := json.Marshal(s)
	if err != nil {
		return json.RawMessage(`""`) // texts always have JSON
	}
	return raw
}

// plainJSONNumber is a number as JSON writes it.
var plainJSONNumber = regexp.MustCompile(`^-?(?:0|[1-9]\d*)(?:\.\d+)?$`)

func cellJSON(s string) json.RawMessage {
	if s == "" {
		return json.RawMessage("null")
	}
	if plainJSONNumber.MatchString(s) || s == "true" || s == "false" {
		return json.RawMessage(s)
	}
	return textJSON(s)
}
