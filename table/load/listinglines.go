package load

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"catena/table"
)

// Bounds of lines that list something.
const (
	headLines = 3   // of text above them
	pathRunes = 400 // of a path
)

// lineMemory is what a line is taken to hold while rows are made of it, beside its text.
const lineMemory = 256

// perLine draws what the lines of a text take before a reader makes rows of them.
func perLine(read listingReader) listingReader {
	return func(s, source string, lim table.Limits, depth int) (Listing, bool) {
		takes := int64(strings.Count(s, "\n")+1) * lineMemory
		if lim.Reserve(takes) != nil {
			return Listing{}, false
		}
		defer lim.GiveBack(takes)
		return read(s, source, lim, depth)
	}
}

// lineBody parts the lines that all are of one form from a few lines of text above, which end with a colon or stand
// apart, and from what follows a blank line; false where other lines stand among them. Blank lines do not count.
func lineBody(s string, is func(string) bool) (body []string, around string, ok bool) {
	var above, below []string
	apart := false
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\r\n\t ")
		switch {
		case line == "":
			apart = true
			continue
		case is(line):
			begins := len(body) == 0 && len(above) > 0 && !apart
			if len(below) > 0 || begins && !announces(above[len(above)-1]) {
				return nil, "", false
			}
			body = append(body, line)
		case len(body) == 0 && len(above) < headLines:
			above = append(above, line)
		case len(body) > 0 && (apart || len(below) > 0):
			below = append(below, line)
		default:
			return nil, "", false
		}
		apart = false
	}
	return body, strings.Join(append(above, below...), "\n"), len(body) > 1
}

// announces reports whether a line says that a list follows: it ends with a colon, or is a heading.
func announces(line string) bool {
	return strings.HasSuffix(line, ":") || sectionHead.MatchString(line)
}

// Paths: with a folder or an ending, in one word; with blanks only from the root on and with an ending.
var (
	rootedPath = regexp.MustCompile(`^(?:~|\.{1,2})?/|^[A-Za-z]:[\\/]`)
	nameEnding = regexp.MustCompile(`[^\s./\\]\.[A-Za-z][A-Za-z0-9]{0,7}$`)
)

func isPath(s string) bool {
	if len(s) < 2 || utf8.RuneCountInString(s) > pathRunes || strings.ContainsAny(s, "\"'`<>|{}()=;") {
		return false
	}
	if strings.ContainsAny(s, " \t") {
		return rootedPath.MatchString(s) && nameEnding.MatchString(s)
	}
	return strings.ContainsAny(s, `/\`) || nameEnding.MatchString(s)
}

// listedPaths reads lines that are a path, or the address of a page, each.
func listedPaths(s, source string, lim table.Limits, _ int) (Listing, bool) {
	body, around, ok := lineBody(s, isPath)
	if !ok {
		return Listing{}, false
	}
	rows, pages := make([][]string, len(body)), 0
	for i, line := range body {
		if rows[i] = []string{line}; strings.Contains(line, "://") {
			pages++
		}
	}
	name := map[bool]string{true: urlField, false: "path"}[pages == len(rows)]
	return textRows([]string{name}, rows, around, source, lim)
}

// placeLine is "path:number", or "path:line:text" with a column between, as grep and compilers write.
var placeLine = regexp.MustCompile(`^(.+?):(\d{1,9})(?::(\d{1,9}))?(?::(.*))?$`)

func isPlace(line string) bool {
	m := placeLine.FindStringSubmatch(line)
	return m != nil && isPath(m[1]) && !strings.Contains(m[1], "://")
}

// listedPlaces reads lines that are a place in a file each, or a file with a number.
func listedPlaces(s, source string, lim table.Limits, _ int) (Listing, bool) {
	body, around, ok := lineBody(s, isPlace)
	if !ok {
		return Listing{}, false
	}
	texts, columns := 0, 0
	rows := make([][]string, len(body))
	for i, line := range body {
		m := placeLine.FindStringSubmatch(line)
		rows[i] = m[1:]
		if len(m[1])+1+len(m[2]) < len(line) {
			texts++
		}
		if m[3] != "" {
			columns++
		}
	}
	switch {
	case texts == 0:
		for i := range rows {
			rows[i] = rows[i][:2]
		}
		return textRows([]string{"file", "count"}, rows, around, source, lim)
	case texts < len(rows):
		return Listing{}, false
	case columns == len(rows):
		return textRows([]string{"file", "line", "column", "text"}, rows, around, source, lim)
	}
	for i, row := range rows { // a number that begins some of the texts is no column
		if row[2] != "" {
			row[3] = strings.TrimSuffix(row[2]+":"+row[3], ":")
		}
		rows[i] = []string{row[0], row[1], row[3]}
	}
	return textRows([]string{"file", "line", "text"}, rows, around, source, lim)
}

// bulletLine is an element of a list in Markdown, or of one that counts with colons.
var bulletLine = regexp.MustCompile(`^(\s*)(?:[-*•+]|\d{1,4}[.):])\s+(\S.*)$`)

// colonCount is the number of a line in a list that counts with colons, as "1: one".
var colonCount = regexp.MustCompile(`^\s*(\d{1,4}):\s`)

// isBullet makes what says whether a line is the next element of a list. Numbers with a colon count up from 0 or 1:
// others are values, such as years.
func isBullet() func(string) bool {
	next := -1
	return func(line string) bool {
		m := colonCount.FindStringSubmatch(line)
		if m == nil {
			return bulletLine.MatchString(line)
		}
		n, err := strconv.Atoi(m[1])
		counts := n == next || next < 0 && n <= 1
		if err != nil || !bulletLine.MatchString(line) || !counts {
			return false
		}
		next = n + 1
		return true
	}
}

// What may stand behind an element's name: "(35 KB)", "[selected]", "- what it is".
var (
	detailBehind = regexp.MustCompile(`^(.*\S)\s+(?:\(([^()]+)\)|\[([^\[\]]+)\])$`)
	textBehind   = regexp.MustCompile(`^(\S+)\s+[-–—]\s+(\S.*)$`)
	keyOfDetail  = regexp.MustCompile(`^([A-Za-z][A-Za-z _]{0,20}):\s+(\S.*)$`)
)

// Columns of what has no name of its own.
const (
	detailField = "detail"
	textField   = "text"
	urlField    = "url"
)

// listedBullets reads the elements of a list that are a name each, with a detail in brackets or a text behind a dash.
// Elements that read as sentences, and fields of one thing ("- size: 3"), are none.
func listedBullets(s, source string, lim table.Limits, _ int) (Listing, bool) {
	body, around, ok := lineBody(s, isBullet())
	if !ok {
		return Listing{}, false
	}
	items := make([]string, len(body))
	for i, line := range body {
		m, first := bulletLine.FindStringSubmatch(line), bulletLine.FindStringSubmatch(body[0])
		if items[i] = plainItem(m[2]); m[1] != first[1] {
			return Listing{}, false // lists in lists
		}
	}
	names, rows := []string{numberedField, textField}, make([][]string, len(items))
	for i, item := range items {
		m := textBehind.FindStringSubmatch(item)
		if m == nil || !isItem(m[1]) {
			names = nil
			break
		}
		rows[i] = []string{plainItem(m[1]), m[2]}
	}
	if names == nil {
		names, rows = withDetails(items)
	}
	for _, row := range rows {
		named := len(row) > 1 && row[1] != "" && isName(row[0]) && !strings.Contains(row[0], ",")
		if !named && !isItem(row[0]) {
			return Listing{}, false
		}
	}
	return textRows(names, rows, around, source, lim)
}

// plainItem is an element without the signs of emphasis around all of it.
func plainItem(s string) string {
	for _, sign := range []string{"**", "`"} {
		if inner, found := strings.CutPrefix(s, sign); found {
			if name, rest, closed := strings.Cut(inner, sign); closed {
				s = name + rest
			}
		}
	}
	return s
}

// isItem reports whether an element is one word that ends as a name does.
func isItem(s string) bool {
	return isPath(s) || isName(s) && !strings.ContainsAny(s, " \t") && !strings.ContainsAny(s[len(s)-1:], ".!?:,;")
}

// withDetails takes what stands in brackets at the ends of texts for a column, called as it calls itself where all do:
// "(ID: 7)".
func withDetails(items []string) (names []string, rows [][]string) {
	rows = make([][]string, len(items))
	found, keyed, key := 0, 0, ""
	for i, item := range items {
		m := detailBehind.FindStringSubmatch(item)
		if m == nil {
			rows[i] = []string{item, ""}
			continue
		}
		rows[i] = []string{plainItem(m[1]), m[2] + m[3]}
		found++
		if k := keyOfDetail.FindStringSubmatch(rows[i][1]); k != nil && (keyed == 0 || k[1] == key) {
			keyed, key = keyed+1, k[1]
		}
	}
	switch {
	case found == 0:
		for i := range rows {
			rows[i] = rows[i][:1]
		}
		return []string{numberedField}, rows
	case keyed == len(items):
		for i := range rows {
			rows[i][1] = keyOfDetail.FindStringSubmatch(rows[i][1])[2]
		}
		return []string{numberedField, key}, rows
	}
	return []string{numberedField, detailField}, rows
}

// sectionHead is a heading of Markdown.
var sectionHead = regexp.MustCompile(`^(#{1,6})\s+(\S.*?)\s*#*$`)

// section is what stands below one heading: its fields, and whether it has nothing else.
type section struct {
	level int
	title string
	block keyBlock
	plain bool
}

// listedSections reads headings of one level that have the same fields below each, one after the other.
func listedSections(s, source string, lim table.Limits, _ int) (Listing, bool) {
	if !strings.Contains(s, "# ") {
		return Listing{}, false
	}
	var all []section
	var around []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		head, m := sectionHead.FindStringSubmatch(line), keyLine.FindStringSubmatch(line)
		switch {
		case head != nil:
			all = append(all, section{level: len(head[1]), title: head[2], plain: true})
		case blockRule.MatchString(line):
		case len(all) == 0:
			around = append(around, line)
		case m == nil || !all[len(all)-1].block.add(m[1], strings.Trim(strings.TrimSpace(m[2]), "`")):
			all[len(all)-1].plain = false
		}
	}
	from, to := longestSections(all)
	if to-from < 2 {
		return Listing{}, false
	}
	titles := make([]string, 0, to-from)
	for i, one := range all {
		if i < from || i >= to {
			around = append(around, one.title)
			around = append(around, one.block.values...)
			continue
		}
		titles = append(titles, one.title)
	}
	heads, parts := withDetails(titles)
	r := blockReader{blocks: make([]keyBlock, to-from)}
	for i := range r.blocks {
		b := &r.blocks[i]
		for c, name := range heads {
			b.add(name, parts[i][c])
		}
		for c, key := range all[from+i].block.keys {
			b.add(key, all[from+i].block.values[c])
		}
	}
	return r.listing(strings.Join(around, "\n"), source, lim)
}

// longestSections finds the longest run of headings of one level with nothing but fields below them.
func longestSections(all []section) (from, to int) {
	for start := 0; start < len(all); {
		end := start
		for end < len(all) && all[end].level == all[start].level && all[end].plain && len(all[end].block.keys) > 0 {
			end++
		}
		if end-start > to-from {
			from, to = start, end
		}
		start = max(end, start+1)
	}
	return from, to
}

// textRows reads rows of texts below names; an empty text is no value.
func textRows(names []string, rows [][]string, around, source string, lim table.Limits) (Listing, bool) {
	head, cells := make([]json.RawMessage, len(names)), make([][]json.RawMessage, len(rows))
	for i, name := range names {
		head[i] = textJSON(name)
	}
	for i, row := range rows {
		cells[i] = make([]json.RawMessage, len(names))
		for c := range names {
			cells[i][c] = cellJSON(row[c])
		}
	}
	l, ok := namedRows(head, cells, source, lim)
	l.Around = around
	return l, ok
}
