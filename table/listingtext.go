package table

import (
	"encoding/csv"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// listedMarkdown reads the only Markdown table of a text.
func listedMarkdown(s, source string, lim Limits, _ int) (Listing, bool) {
	if !strings.Contains(s, "|") || !strings.Contains(s, "-") {
		return Listing{}, false
	}
	found, err := markdownTables(strings.ToValidUTF8(s, "\ufffd"), source, lim)
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

// listedDelimited reads lines that all have the same fields below a line of names. Prose with commas has not.
func listedDelimited(s, source string, lim Limits, _ int) (Listing, bool) {
	for _, comma := range []rune{'\t', ',', ';', '|'} {
		body, around := s, ""
		for range 3 { // lines of text may stand above
			head, rest, more := strings.Cut(body, "\n")
			if sameFields(body, comma) {
				named, err := csvFromBytes([]byte(body), source, lim)
				return Listing{Table: named.Table, Around: around}, err == nil && named.Table != nil
			}
			if !more || strings.ContainsRune(head, comma) {
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
		if odd || seen[n] || isTypedCell(n) {
			return false
		}
		seen[n] = true
	}
	return true
}

// keyLine is "Name: value", also with a bullet or in bold.
var keyLine = regexp.MustCompile(`^\s*(?:[-*•]\s+)?(?:\*\*)?([A-Za-z_][\w .()/#-]{0,40}?)(?:\*\*)?\s*:(?:\*\*)?(?:\s+(.*))?$`)

// blockRule matches a line that parts blocks.
var blockRule = regexp.MustCompile(`^\s*(?:[-=*_]{3,})?\s*$`)

// listedBlocks reads blocks of "key: value" that have the same keys.
func listedBlocks(s, source string, lim Limits, _ int) (Listing, bool) {
	blocks, around := keyBlocks(s)
	if len(blocks) < 2 {
		return Listing{}, false
	}
	var list []json.RawMessage
	for _, b := range blocks {
		if !slices.Equal(b.keys, blocks[0].keys) {
			return Listing{}, false
		}
		names, values := make([]json.RawMessage, len(b.keys)), make([]json.RawMessage, len(b.keys))
		for i := range b.keys {
			names[i], values[i] = textJSON(b.keys[i]), cellJSON(b.values[i])
		}
		list = append(list, record(names, values))
	}
	l, ok := listOfRecords(joinedList(list), source, lim)
	l.Around = around
	return l, ok
}

type keyBlock struct{ keys, values []string }

// maxBlockKeys is how many keys a block may have.
const maxBlockKeys = 1000

// keyBlocks splits a text into blocks of key: value, at blank lines, rules, and where the first key comes again. None where other lines stand between
// them; those before the first are around it.
func keyBlocks(s string) (blocks []keyBlock, around string) {
	var above []string
	open := false
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\r\n ")
		m := keyLine.FindStringSubmatch(line)
		switch {
		case blockRule.MatchString(line):
			open = false
		case m == nil, m[2] == "" && len(blocks) == 0:
			if len(blocks) > 0 {
				return nil, ""
			}
			above = append(above, line)
		default:
			if !open || m[1] == blocks[len(blocks)-1].keys[0] {
				blocks, open = append(blocks, keyBlock{}), true
			}
			b := &blocks[len(blocks)-1]
			if len(b.keys) == maxBlockKeys || slices.Contains(b.keys, m[1]) {
				return nil, ""
			}
			b.keys, b.values = append(b.keys, m[1]), append(b.values, strings.TrimSpace(m[2]))
		}
	}
	if len(blocks) > 0 && len(blocks[0].keys) < 2 {
		return nil, ""
	}
	return blocks, strings.TrimSpace(strings.Join(above, "\n"))
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

// tagLine is "[TAG] rest", as programs list files.
var tagLine = regexp.MustCompile(`^\[([A-Z][A-Z_]{1,15})\]\s+(\S.*)$`)

// listedTags reads lines that all have a tag.
func listedTags(s, source string, lim Limits, _ int) (Listing, bool) {
	var list []json.RawMessage
	names := []json.RawMessage{json.RawMessage(`"kind"`), json.RawMessage(`"name"`)}
	for line := range strings.Lines(s) {
		m := tagLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			return Listing{}, false
		}
		list = append(list, record(names, []json.RawMessage{textJSON(m[1]), textJSON(m[2])}))
	}
	if len(list) < 2 {
		return Listing{}, false
	}
	return listOfRecords(joinedList(list), source, lim)
}
