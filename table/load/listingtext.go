package load

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"

	"catena/table"
	tablecsv "catena/table/csv"
	"catena/table/infer"
	"catena/table/markup"
)

// listedFence reads the only fenced block of a text.
func listedFence(s, source string, lim table.Limits, depth int) (Listing, bool) {
	const fence = "```"
	above, rest, begins := strings.Cut(s, "\n"+fence)
	_, body, more := strings.Cut(rest, "\n")
	body, below, ends := strings.Cut(body, "\n"+fence)
	if !begins || !more || !ends || strings.Contains(above+below, fence) {
		return Listing{}, false
	}
	l, ok := readListing(body, source, lim, depth+1)
	around := []string{strings.TrimSpace(above), l.Around, strings.TrimSpace(below)}
	l.Around = strings.Join(slices.DeleteFunc(around, func(s string) bool { return s == "" }), "\n")
	return l, ok
}

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

// sameFields reports whether a text is a line of names and lines of as many fields. Sentences have blanks behind their
// commas: where the names have, one column must be numbers or dates.
func sameFields(s string, comma rune) bool {
	head, _, _ := strings.Cut(s, "\n")
	spaced := comma != '\t' && strings.Contains(head, string(comma)+" ")
	r := csv.NewReader(strings.NewReader(s))
	r.Comma, r.ReuseRecord, r.TrimLeadingSpace = comma, true, spaced
	names, err := r.Read() // the reader wants as many fields in each line as in the first
	if err != nil || len(names) < 2 || !areNames(names) {
		return false
	}
	rows, typed := 0, make([]int, len(names))
	for {
		var cells []string
		if cells, err = r.Read(); err != nil {
			break
		}
		rows++
		for i, cell := range cells {
			if spaced && infer.IsTypedCell(cell) {
				typed[i]++
			}
		}
	}
	enough := rows > 1 || rows == 1 && len(names) > 2
	return errors.Is(err, io.EOF) && enough && (!spaced || slices.Contains(typed, rows))
}

// sentence matches what is no name of a column.
var sentence = regexp.MustCompile(`[.!?:] |[.!?:]$`)

func areNames(names []string) bool {
	seen := map[string]bool{}
	for _, n := range names {
		odd := n == "" || len(n) > 64 || sentence.MatchString(n)
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
