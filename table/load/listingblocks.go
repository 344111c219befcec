package load

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"catena/table"
)

// keyLine is "Name: value", also with a bullet or in bold.
var keyLine = regexp.MustCompile(`^\s*(?:[-*•]\s+)?(?:\*\*)?([A-Za-z_][\w .()/#-]{0,40}?)(?:\*\*)?\s*:(?:\*\*)?(?:\s+(.*))?$`)

// blockRule matches a line that parts blocks.
var blockRule = regexp.MustCompile(`^\s*(?:[-=*_]{3,})?\s*$`)

// blockNumber matches the heading of a numbered block: "1. row", "*** 2. row ***", "Record 3:", "## 4", and with a text
// of its own "5. Oslo".
var blockNumber = regexp.MustCompile(`^[^\w]*(?:[A-Za-z]{1,12} )?#?(\d{1,6})(?:[.):\]]+\s*|\s+|[^\w]*$)(.*?)[^\w)]*$`)

// rowCount matches the line that programs end with: "2 rows in set".
var rowCount = regexp.MustCompile(`^\W*\d+ [A-Za-z]+`)

// rowWords are what the heading of a numbered block calls a row.
var rowWords = []string{"", "row", "record", "result", "item", "entry"}

// numberedField is the column of the texts that stand behind the numbers of blocks.
const numberedField = "item"

type keyBlock struct{ keys, values []string }

// maxBlockKeys is how many keys a block may have, and all blocks together.
const maxBlockKeys = 1000

func (b *keyBlock) add(key, value string) bool {
	if len(b.keys) == maxBlockKeys || slices.Contains(b.keys, key) {
		return false
	}
	b.keys, b.values = append(b.keys, key), append(b.values, value)
	return true
}

// blockReader splits a text into blocks of key: value: at blank lines, rules, numbered headings, and where the first
// key comes again.
type blockReader struct {
	blocks        []keyBlock
	before, after []string // the lines above the first block, and those below the last
	open          bool
}

// listedBlocks reads blocks of "key: value" that have the same keys but for a few.
func listedBlocks(s, source string, lim table.Limits, _ int) (Listing, bool) {
	var r blockReader
	for line := range strings.Lines(s) {
		if !r.line(strings.TrimRight(line, "\r\n ")) {
			return Listing{}, false
		}
	}
	r.lastBelow()
	r.fieldsBehindNumbers()
	return r.listing(strings.Join(append(r.before, r.after...), "\n"), source, lim)
}

// listing makes rows of the blocks, where these are of one kind.
func (r *blockReader) listing(around, source string, lim table.Limits) (Listing, bool) {
	keys, ok := r.keys()
	if !ok {
		return Listing{}, false
	}
	rows := make([][]string, len(r.blocks))
	for i, b := range r.blocks {
		rows[i] = make([]string, len(keys))
		for c, k := range keys {
			if at := slices.Index(b.keys, k); at >= 0 {
				rows[i][c] = b.values[at]
			}
		}
	}
	return textRows(keys, rows, around, source, lim)
}

// line takes the next line; false where the text cannot be blocks.
func (r *blockReader) line(line string) bool {
	m := keyLine.FindStringSubmatch(line)
	number, text := r.heading(line)
	switch {
	case blockRule.MatchString(line):
		r.open = false
	case number && (m == nil || m[2] == "" || !r.open):
		r.blocks, r.open = append(r.blocks, keyBlock{}), true
		if !slices.Contains(rowWords, strings.ToLower(text)) {
			r.blocks[len(r.blocks)-1].add(numberedField, text)
		}
	case m == nil, m[2] == "" && len(r.blocks) == 0:
		if line = strings.TrimSpace(line); len(r.blocks) == 0 {
			r.before = append(r.before, line)
			return true
		}
		r.after = append(r.after, line)
		return !r.open || rowCount.MatchString(line) // any other line inside a block is no key: value
	case len(r.after) > 0:
		return false // it goes on below other lines
	default:
		return r.key(m[1], strings.TrimSpace(m[2]))
	}
	return len(r.after) == 0 || blockRule.MatchString(line)
}

func (r *blockReader) key(key, value string) bool {
	n := len(r.blocks)
	again := r.open && len(r.blocks[n-1].keys) > 0 && r.blocks[n-1].keys[0] == key
	if !r.open || again {
		r.blocks, r.open = append(r.blocks, keyBlock{}), true
	}
	return r.blocks[len(r.blocks)-1].add(key, value)
}

// lastBelow takes a last block of one other key, as "Total: 2", for a line below the blocks.
func (r *blockReader) lastBelow() {
	n := len(r.blocks) - 1
	if n < 2 || len(r.blocks[n].keys) != 1 {
		return
	}
	last, first := r.blocks[n], r.blocks[0].keys
	if len(first) > 0 && first[0] != last.keys[0] {
		r.after = append([]string{last.keys[0] + ": " + last.values[0]}, r.after...)
		r.blocks = r.blocks[:n]
	}
}

// fieldsBehindNumbers reads what stands behind the numbers of all blocks as a field, where it is one of the same name
// in each: "1. Name: Oslo".
func (r *blockReader) fieldsBehindNumbers() {
	fields := make([][]string, len(r.blocks))
	for i, b := range r.blocks {
		if len(b.keys) == 0 || b.keys[0] != numberedField {
			return
		}
		m := keyLine.FindStringSubmatch(b.values[0])
		if m == nil || m[2] == "" || slices.Contains(b.keys, m[1]) || i > 0 && m[1] != fields[0][1] {
			return
		}
		fields[i] = m
	}
	for i, m := range fields {
		r.blocks[i].keys[0], r.blocks[i].values[0] = m[1], strings.TrimSpace(m[2])
	}
}

// heading reports whether a line is the heading of the next numbered block, and gives the text behind its number.
func (r *blockReader) heading(line string) (ok bool, text string) {
	m := blockNumber.FindStringSubmatch(line)
	if m == nil {
		return false, ""
	}
	n, err := strconv.Atoi(m[1])
	return err == nil && n == len(r.blocks)+1, strings.TrimSpace(m[2])
}

// keys are those of all blocks, in order; false where these are not of one kind.
func (r *blockReader) keys() ([]string, bool) {
	if len(r.blocks) < 2 {
		return nil, false
	}
	var all []string
	for _, b := range r.blocks {
		for _, k := range b.keys {
			if !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
		if len(all) > maxBlockKeys {
			return nil, false
		}
	}
	for _, b := range r.blocks {
		if len(b.keys) < 2 || b.keys[0] != r.blocks[0].keys[0] || len(b.keys)*4 < len(all)*3 {
			return nil, false
		}
	}
	return all, true
}

// tagLine is "[TAG] rest", as programs list files; further columns stand behind two blanks and more.
var (
	tagLine = regexp.MustCompile(`^\[([A-Z][A-Z_]{1,15})\]\s+(\S.*)$`)
	wideGap = regexp.MustCompile(`\s{2,}|\t`)
)

// tagged is a line with a tag, below a heading or none.
type tagged struct {
	group string
	cells []string
}

// tagReader collects lines with tags. A heading is a line that ends with a colon and has such lines below it.
type tagReader struct {
	rows          []tagged
	heading       string // "" before the first
	waits         bool   // no line with a tag has come below the heading yet
	below         []string
	apart, broken bool
}

func (r *tagReader) line(line string) {
	m := tagLine.FindStringSubmatch(line)
	ended := r.apart || r.waits || len(r.below) > 0
	switch {
	case line == "":
		r.apart = true
		return
	case m != nil:
		r.broken = r.broken || len(r.below) > 0
		r.waits = false
		r.rows = append(r.rows, tagged{r.heading, append([]string{m[1]}, wideGap.Split(m[2], -1)...)})
	case len(r.below) == 0 && !r.waits && strings.HasSuffix(line, ":"):
		r.heading, r.waits = strings.TrimSuffix(line, ":"), true
	case len(r.rows) > 0 && ended:
		r.below = append(r.below, line)
	default:
		r.broken = true
	}
	r.apart = false
}

// grouped reports whether the rows stand below several headings, or some below none.
func (r *tagReader) grouped() bool {
	return slices.ContainsFunc(r.rows, func(t tagged) bool { return t.group != r.rows[0].group })
}

// around is the text beside the rows: a heading is, where it has none of them or all.
func (r *tagReader) around() string {
	text := r.below
	if r.heading != "" && (r.waits || !r.grouped()) {
		text = append([]string{r.heading + ":"}, text...)
	}
	return strings.Join(text, "\n")
}

// listedTags reads lines that all have a tag, below headings or none, but for some below a blank line. What they name
// may have a text behind a dash.
func listedTags(s, source string, lim table.Limits, _ int) (Listing, bool) {
	var r tagReader
	for line := range strings.Lines(s) {
		r.line(strings.TrimSpace(line))
	}
	if r.broken || len(r.rows) < 2 {
		return Listing{}, false
	}
	names, rows := []string{"kind", "name"}, make([][]string, len(r.rows))
	texts, grouped := true, r.grouped()
	for i, row := range r.rows {
		rows[i] = row.cells
		texts = texts && len(row.cells) == 2 && textBehind.MatchString(row.cells[1])
		if len(row.cells) == 3 {
			names = []string{"kind", "name", "size"}
		}
		if len(row.cells) > 3 {
			return Listing{}, false
		}
	}
	if texts {
		names = []string{"kind", numberedField, textField}
	}
	for i, row := range r.rows {
		if texts {
			rows[i] = append([]string{row.cells[0]}, textBehind.FindStringSubmatch(row.cells[1])[1:]...)
		}
		rows[i] = append(rows[i], make([]string, len(names)-len(rows[i]))...)
		if grouped {
			rows[i] = append([]string{row.group}, rows[i]...)
		}
	}
	if grouped {
		names = append([]string{"group"}, names...)
	}
	return textRows(names, rows, r.around(), source, lim)
}
