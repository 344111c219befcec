package csv

import (
	"slices"
	"strings"

	"catena/internal/text"
	"catena/table"
)

// Tables as programs print them for people: ruled by bars and dashes (psql, MySQL, DuckDB, reStructuredText, org) or
// aligned by spaces.

// printedMost is the longest text in which such tables are looked for.
const printedMost = 64 << 20

// PrintedLines tells how many of the lines, from the first on, are one table as programs print it: with cells between
// bars and rules of dashes, also drawn with box characters, or with columns that are aligned by two spaces or more. 0
// where none begins there. Lines of delimited text are none.
func PrintedLines(lines []string) int {
	const near, far = 40, 2000 // lines that decide whether it is worth looking at all, and whether it is a table
	if blocks := ruledBlocks(
		lines[:min(len(lines), MaxHeaderRows+2)],
		1,
		table.Limits{},
	); len(blocks) > 0 &&
		blocks[0].from == 0 {
		return ruledBlocks(lines, 1, table.Limits{})[0].to
	}
	n := 0
	for _, most := range []int{near, far} {
		for n < min(len(lines), most) && continues(lines, n) {
			n++
		}
		if a, _ := cutAligned(lines[:n], table.Limits{}); a == nil || a.rows < 3 {
			return 0
		}
	}
	for n < len(lines) && continues(lines, n) {
		n++
	}
	return n
}

// continues reports whether line n may be one of a table that begins with the first line.
func continues(lines []string, n int) bool {
	return segments(lines[n]) > 1 || n == 1 && isSpacedRule(lines[n])
}

// ruledBlock is the lines from..to-1 of a text that are a ruled table.
type ruledBlock struct{ from, to int }

// unbox writes a line of box characters with bars, dashes and plus signs.
var unbox = strings.NewReplacer(
	"│",
	"|",
	"┃",
	"|",
	"║",
	"|",
	"╎",
	"|",
	"┆",
	"|",
	"┊",
	"|",
	"─",
	"-",
	"━",
	"-",
	"═",
	"-",
	"┌",
	"+",
	"┐",
	"+",
	"└",
	"+",
	"┘",
	"+",
	"├",
	"+",
	"┤",
	"+",
	"┬",
	"+",
	"┴",
	"+",
	"┼",
	"+",
	"╔",
	"+",
	"╗",
	"+",
	"╚",
	"+",
	"╝",
	"+",
	"╠",
	"+",
	"╣",
	"+",
	"╦",
	"+",
	"╩",
	"+",
	"╬",
	"+",
	"╒",
	"+",
	"╕",
	"+",
	"╘",
	"+",
	"╛",
	"+",
	"╞",
	"+",
	"╡",
	"+",
	"╤",
	"+",
	"╧",
	"+",
	"╪",
	"+",
	"┏",
	"+",
	"┓",
	"+",
	"┗",
	"+",
	"┛",
	"+",
	"┣",
	"+",
	"┫",
	"+",
	"┳",
	"+",
	"┻",
	"+",
	"╋",
	"+",
	"╭",
	"+",
	"╮",
	"+",
	"╯",
	"+",
	"╰",
	"+",
	"┡",
	"+",
	"┩",
	"+",
	"╇",
	"+",
)

// isCrossRule reports whether a line is a rule with a place where columns meet: +---+, ----+----, |---+---|. Such a
// place is the first mark that is no dash, behind one bar or plus at most.
func isCrossRule(line string) bool {
	const dashes, blanks = "-=:", " \t\r\n\f"
	line = strings.Trim(line, blanks)
	if strings.Trim(line, dashes+"+|") != "" || len(line) < 2 {
		return false
	}
	rest := strings.TrimLeft(line, dashes)
	if len(rest) < len(line) {
		return strings.HasPrefix(rest, "+")
	}
	inner := strings.TrimLeft(line[1:], dashes) // behind the bar or plus
	begins := line[0] == '+' && len(inner) < len(line)-1
	return begins ||
		strings.HasPrefix(inner, "+") &&
			(len(inner) < len(line)-1 || len(inner) > 1 && strings.IndexByte(dashes, inner[1]) >= 0)
}

// ruledBlocks finds the ruled tables in a text, at most so many; not all when the context ends.
func ruledBlocks(lines []string, most int, lim table.Limits) []ruledBlock {
	var out []ruledBlock
	for i := 0; i < len(lines) && len(out) < most; i++ {
		if i%table.AskEvery == 0 && lim.Ended() != nil {
			return nil
		}
		if !isCrossRule(unboxed(lines[i])) {
			continue
		}
		from, to, bars := i, i+1, 0
		for from > 0 && (len(out) == 0 || from > out[len(out)-1].to) && strings.Contains(unboxed(lines[from-1]), "|") {
			// names above the first rule
			from--
			bars++
		}
		for to < len(lines) && (to%table.AskEvery != 0 || lim.Ended() == nil) {
			line := unboxed(lines[to])
			if rule := isCrossRule(line); !rule && !strings.Contains(line, "|") {
				break
			} else if !rule {
				bars++
			}
			to++
		}
		if bars > 1 {
			out = append(out, ruledBlock{from, to})
		}
		i = to
	}
	return out
}

// unboxed is a line whose box characters are written with ASCII.
func unboxed(line string) string {
	line = strings.TrimRight(line, " \t\r")
	if strings.Contains(line, "\xe2\x94") || strings.Contains(line, "\xe2\x95") {
		return unbox.Replace(line)
	}
	return line
}

// printed reads the tables of a text that programs have printed; none where it is another text.
func (c *csvText) printed() ([]table.Named, error) {
	if len(c.text) > printedMost {
		return nil, nil
	}
	head := c.text[:min(len(c.text), sniffBytes)]
	ruled := slices.ContainsFunc(
		[]string{"-+", "+-", "=+", "\xe2\x94", "\xe2\x95"},
		func(mark string) bool { return strings.Contains(head, mark) },
	)
	if !ruled && !c.mayBeAligned() {
		return nil, nil
	}
	lines := strings.Split(c.text, "\n")
	report := table.LoadReport{
		Source:   c.report.Source,
		Format:   "text",
		Encoding: c.report.Encoding,
		Notes:    c.report.Notes,
	}
	if ruled {
		blocks := ruledBlocks(lines, c.lim.Tables+1, c.lim)
		if err := c.lim.Ended(); err != nil {
			return nil, err
		}
		if len(blocks) > 0 {
			return c.ruledTables(lines, blocks, report)
		}
		if !c.mayBeAligned() {
			return nil, nil
		}
	}
	a, err := cutAligned(lines, c.lim)
	if a == nil || err != nil {
		return nil, err
	}
	return c.alignedTables(a, report)
}

// ruledTables reads ruled tables. The lines around them are left out.
func (c *csvText) ruledTables(lines []string, blocks []ruledBlock, report table.LoadReport) ([]table.Named, error) {
	if len(blocks) > c.lim.Tables {
		return nil, table.OverLimit(
			report.Source,
			0,
			table.LimitTables,
			int64(c.lim.Tables),
			"there are more than %d tables",
			c.lim.Tables,
		)
	}
	var out []table.Named
	at := 0
	for i, b := range blocks {
		var around []table.DroppedRow
		around = dropAll(around, lines, at, b.from, DropPreamble)
		if at = b.to; i == len(blocks)-1 {
			around = dropAll(around, lines, at, len(lines), DropFooter)
		}
		named, err := c.ruledTable(lines[b.from:b.to], b.from+1, around, report)
		if err != nil {
			return nil, err
		}
		named.Name = TableName(report.Source, i)
		out = append(out, named)
		report.Notes = nil
	}
	table.ListMore(out)
	return out, nil
}

// dropAll lists the lines from..to-1 that are not empty as left out.
func dropAll(dropped []table.DroppedRow, lines []string, from, to int, why string) []table.DroppedRow {
	for i := from; i < to; i++ {
		if given := strings.TrimSpace(lines[i]); given != "" {
			dropped = append(
				dropped,
				table.DroppedRow{Line: i + 1, Text: strings.Clone(text.Clip(given, 200)), Why: why},
			)
		}
	}
	return dropped
}
