package load

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"catena/table"
)

// linkItem is an element that is a link in Markdown, with what may stand before and behind it: "0: (current)
// [Bees](https://…) - hum".
var linkItem = regexp.MustCompile(
	`^(?:\d{1,4}[:.)]\s+)?(?:\(([^()]*)\)\s+)?\[([^\[\]]*)\]\((\S*)\)(?:\s+[-–—]\s+(\S.*)|\s+\(([^()]+)\))?$`,
)

// listedLinks reads the elements of a list that are a link each.
func listedLinks(s, source string, lim table.Limits, _ int) (Listing, bool) {
	if !strings.Contains(s, "](") {
		return Listing{}, false
	}
	body, around, ok := lineBody(s, isBullet())
	if !ok {
		return Listing{}, false
	}
	rows, details := make([][]string, len(body)), false
	for i, line := range body {
		m := linkItem.FindStringSubmatch(bulletLine.FindStringSubmatch(line)[2])
		if m == nil || m[2] == "" && m[3] == "" {
			return Listing{}, false
		}
		said := slices.DeleteFunc([]string{m[1], m[4], m[5]}, func(s string) bool { return s == "" })
		detail := strings.Join(said, ", ")
		rows[i] = []string{m[2], m[3], detail}
		details = details || detail != ""
	}
	names := []string{numberedField, urlField, detailField}
	if !details {
		names = names[:2]
	}
	return textRows(names, rows, around, source, lim)
}

// markedLine is a name in a list in which the one that is in use has a star.
var markedLine = regexp.MustCompile(`^(\* |  |)(\S+)$`)

// listedMarked reads lines of a name each, of which one is marked as the one in use and the others are indented as far,
// as git lists branches. The spaces before the first may be lost.
func listedMarked(s, source string, lim table.Limits, _ int) (Listing, bool) {
	body, around, ok := lineBody(s, markedLine.MatchString)
	if !ok || around != "" {
		return Listing{}, false
	}
	rows, marked := make([][]string, len(body)), 0
	for i, line := range body {
		m := markedLine.FindStringSubmatch(line)
		if m[1] == "" && i > 0 || !isItem(m[2]) {
			return Listing{}, false
		}
		if m[1] == "* " {
			marked++
		}
		rows[i] = []string{m[2], strings.TrimSpace(m[1])}
	}
	if marked != 1 {
		return Listing{}, false
	}
	return textRows([]string{numberedField, "mark"}, rows, "", source, lim)
}

// listedByPath reads an object whose keys are paths and whose values are all numbers, or all texts: no program calls
// its fields so.
func listedByPath(s, source string, lim table.Limits, _ int) (Listing, bool) {
	if s[0] != '{' {
		return Listing{}, false
	}
	fields := FieldsOf(json.RawMessage(s))
	if len(fields) < 2 {
		return Listing{}, false
	}
	rows := make([][]json.RawMessage, len(fields))
	for i, f := range fields {
		if !isPath(f.Name) || isNested(f.Value) || isText(f.Value) != isText(fields[0].Value) {
			return Listing{}, false
		}
		rows[i] = []json.RawMessage{textJSON(f.Name), f.Value}
	}
	return namedRows([]json.RawMessage{textJSON("path"), textJSON("value")}, rows, source, lim)
}
