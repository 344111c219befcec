package load

import (
	"encoding/json"
	"regexp"
	"strings"

	"catena/table"
)

// commitLine is the name of a commit, also in short, and what it says, as git writes with --oneline; a bullet may stand
// before it.
var commitLine = regexp.MustCompile(`^(?:[-*•]\s+)?([0-9a-f]{7,40})\s+(\S.*)$`)

// commitField is the column of commits.
const commitField = "commit"

// listedCommits reads lines that begin with the name of another commit each. Words and numbers of these letters and
// digits are told from them by the mix of both, which half of the lines have at least.
func listedCommits(s, source string, lim table.Limits, _ int) (Listing, bool) {
	body, around, ok := lineBody(s, commitLine.MatchString)
	if !ok {
		return Listing{}, false
	}
	rows, mixed, seen := make([][]string, len(body)), 0, map[string]bool{}
	for i, line := range body {
		rows[i] = commitLine.FindStringSubmatch(line)[1:]
		name := rows[i][0]
		if strings.ContainsAny(name, "0123456789") && strings.ContainsAny(name, "abcdef") {
			mixed++
		}
		seen[name] = true
	}
	if 2*mixed < len(rows) || len(seen) < len(rows) {
		return Listing{}, false
	}
	return textRows([]string{commitField, textField}, rows, around, source, lim)
}

// maxNamesLine bounds a line of names, in bytes.
const maxNamesLine = 32 << 10

// Names in one line, behind what they are: "Tables: orders, order_items".
var (
	namesLine = regexp.MustCompile(`^(?:(\p{L}[^:,]{0,60}):\s+)?([^:,\s]+(?:,\s*[^:,\s]+)+)$`)
	wordName  = regexp.MustCompile(`^[\p{L}_./~][\p{L}\p{N}_./@+-]*$`)
	codedName = regexp.MustCompile(`[\p{L}\p{N}][_./@-][\p{L}\p{N}]|\p{L}\p{N}|\p{Ll}\p{Lu}`)
)

// listedInLine reads one line of names with commas between. Words that anybody writes are no names of a program's: one
// of them has a sign, a digit or a capital inside, as no plain word has, or there are three and more without blanks
// between.
func listedInLine(s, source string, lim table.Limits, _ int) (Listing, bool) {
	if len(s) > maxNamesLine {
		return Listing{}, false
	}
	m := namesLine.FindStringSubmatch(s)
	if m == nil {
		return Listing{}, false
	}
	var rows [][]string
	bare := !strings.ContainsAny(m[2], " \t") // nobody writes words so
	coded := bare && strings.Count(m[2], ",") > 1
	for name := range strings.SplitSeq(m[2], ",") {
		name = strings.TrimSpace(name)
		if !wordName.MatchString(name) || !isItem(name) {
			return Listing{}, false
		}
		coded = coded || codedName.MatchString(name)
		rows = append(rows, []string{name})
	}
	if !coded {
		return Listing{}, false
	}
	return textRows([]string{numberedField}, rows, m[1], source, lim)
}

// contentText is the text of a list that is the content of a tool's result in MCP: one block of text. Some servers put
// a whole result into the text of another.
func contentText(raw json.RawMessage) (text string, ok bool) {
	var blocks []map[string]json.RawMessage
	if json.Unmarshal(raw, &blocks) != nil || len(blocks) != 1 || len(blocks[0]) != 2 ||
		string(blocks[0]["type"]) != `"text"` {
		return "", false
	}
	return text, json.Unmarshal(blocks[0]["text"], &text) == nil
}
