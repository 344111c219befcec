package markup

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/table"
	"catena/table/content"
	"catena/table/csv"
	"catena/table/infer"
)

// Why rows of Markdown and HTML tables are dropped.
const (
	dropSummary = "it sums the rows above up"
	dropAround  = "the text around the table was left out" // a note
)

// ReadMarkdown reads the tables of a text in GitHub's Markdown: a row of names, a row of dashes, rows. What stands
// around them is left out, which is said. None where there is no such table.
func ReadMarkdown(s, source string, lim table.Limits) ([]table.Named, error) {
	if err := lim.ReserveEach(int64(strings.Count(s, "\n")), 16); err != nil {
		return nil, err
	}
	lines := strings.Split(s, "\n")
	var out []table.Named
	outside := false
	for i := 0; i < len(lines); i++ {
		head, ok := markdownHead(lines, i)
		if !ok {
			if strings.TrimSpace(lines[i]) != "" {
				outside = true
			}
			continue
		}
		report := table.LoadReport{Source: source, Format: "markdown", Encoding: "utf-8", Comma: "|"}
		end := i + 2
		for end < len(lines) && strings.Contains(lines[end], "|") && !isRuler(lines[min(end+1, len(lines)-1)]) {
			end++
		}
		named, err := markdownTable(head, lines[i+2:end], i+1, report, lim)
		if err != nil {
			return nil, err
		}
		if of := shownOf(lines[max(0, i-3):i]); of != "" {
			named.Report.Notes = append(named.Report.Notes, "the text says that it shows "+of+" rows")
		}
		named.Name = csv.TableName(source, len(out))
		if out = append(out, named); len(out) > lim.Tables {
			return nil, table.OverLimit(
				source,
				i+1,
				table.LimitTables,
				int64(lim.Tables),
				"there are more than %d tables",
				lim.Tables,
			)
		}
		i = end - 1
	}
	if len(out) > 0 && outside {
		out[0].Report.Notes = append(out[0].Report.Notes, dropAround)
	}
	return out, nil
}

// markdownHead gives the names in line i where a table begins there.
func markdownHead(lines []string, i int) ([]string, bool) {
	if i+1 >= len(lines) || !strings.Contains(lines[i], "|") || !isRuler(lines[i+1]) {
		return nil, false
	}
	head := markdownCells(lines[i])
	return head, len(head) == len(markdownCells(lines[i+1]))
}

// shownText is how answers say that not all rows are shown.
var shownText = regexp.MustCompile(`(?i)\bshowing (?:the (?:first|last|top) )?([\d,.]+ of [\d,.]*\d)`)

func shownOf(lines []string) string {
	for _, l := range lines {
		if m := shownText.FindStringSubmatch(l); m != nil {
			return m[1]
		}
	}
	return ""
}

// markdownTable makes a table of its lines; line is where the names stand.
func markdownTable(head, body []string, line int, report table.LoadReport, lim table.Limits) (table.Named, error) {
	if len(body) > lim.Rows {
		return table.Named{}, table.TooManyRows(report.Source, lim)
	}
	if err := lim.ReserveEach(int64(len(body)), lineMemory); err != nil {
		return table.Named{}, err
	}
	rows, width, cells := make([][]string, len(body)), len(head), 0
	memory := table.Meter{Lim: &lim}
	for i, text := range body {
		if i%infer.BlockRows == 0 {
			if err := lim.Ended(); err != nil {
				return table.Named{}, err
			}
		}
		rows[i] = markdownCells(text)
		width, cells = max(width, len(rows[i])), cells+len(rows[i])
		if err := memory.Add(int64(len(rows[i])) * csv.CellMemory); err != nil {
			return table.Named{}, err
		}
		if slices.ContainsFunc(rows[i], func(c string) bool { return len(c) > markupTimes*lim.CellSize }) {
			return table.Named{}, table.CellTooLarge(report.Source, line+2+i, lim)
		}
	}
	if width > lim.Columns {
		return table.Named{}, table.TooManyColumns(report.Source, lim)
	}
	if content.TooSparse(len(rows), width, cells) {
		return table.Named{}, content.SparseError(report.Source)
	}
	g, err := csv.NewGrid(len(rows)+1, width, lim, nil) // nothing spans
	if err != nil {
		return table.Named{}, err
	}
	putMarkdown(g, line, head)
	end := len(rows)
	for end > 1 && isSummary(rows[end-1]) {
		end--
	}
	var dropped []table.DroppedRow
	for i, row := range rows {
		switch {
		case i >= end:
			dropped = append(
				dropped,
				table.DroppedRow{
					Line: line + 2 + i,
					Text: text.Clip(strings.TrimSpace(body[i]), 200),
					Why:  dropSummary,
				},
			)
		case csv.IsEllipsis(row):
			dropped = append(
				dropped,
				table.DroppedRow{
					Line: line + 2 + i,
					Text: text.Clip(strings.TrimSpace(body[i]), 200),
					Why:  csv.DropEllipsis,
				},
			)
		default:
			putMarkdown(g, line+2+i, row)
		}
	}
	for _, c := range g.Cells {
		if len(c) > lim.CellSize {
			return table.Named{}, table.CellTooLarge(report.Source, line, lim)
		}
	}
	return g.Load(1, dropped, report, lim)
}

// markupTimes is how many times larger than the limit of cells a cell with its markup may be.
const markupTimes = 8

// isSummary reports whether all cells of a row are bold, as in the row below a table that sums it up.
func isSummary(cells []string) bool {
	filled := csv.FilledCells(cells)
	for _, c := range filled {
		if !strings.HasPrefix(c, "**") && !strings.HasPrefix(c, "__") {
			return false
		}
	}
	return len(filled) > 1
}

// isRuler reports whether a line is the |---|:--:| below a Markdown table's names.
func isRuler(line string) bool {
	line = strings.TrimSpace(line)
	return strings.Contains(line, "-") && strings.Contains(line, "|") && strings.Trim(line, "|-: \t") == ""
}

// markdownCells cuts a row at its bars; those behind a backslash are text.
func markdownCells(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	var cells []string
	from := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			cells = append(cells, strings.TrimSpace(line[from:i]))
			from = i + 1
		}
	}
	if rest := strings.TrimSpace(line[from:]); rest != "" || from == 0 {
		cells = append(cells, rest)
	}
	return cells
}

// markup is what stands around the words of a cell, in the order in which it is taken off. Nothing is searched for a
// pattern that has none of its signs: most cells have none, and a search takes memory as long as the cell.
var markup = []struct {
	signs   string
	pattern *regexp.Regexp
	plain   string
}{
	{"<", regexp.MustCompile(`(?i)<br\s*/?>`), " "},
	{"[", regexp.MustCompile(`!?\[([^\[\]]*)\]\([^()\s]*(?: "[^"]*")?\)`), "$1"},
	{"*_~", regexp.MustCompile(`\*\*(\S(?:[^*]*\S)?)\*\*|\b__(\S(?:[^_]*\S)?)__\b|~~(\S(?:[^~]*\S)?)~~`), "$1$2$3"},
	{
		"*_",
		regexp.MustCompile(`(^|[^\w*])\*(\S(?:[^*]*\S)?)\*($|[^\w*])|(^|\W)_(\S(?:[^_]*\S)?)_($|\W)`),
		"$1$2$3$4$5$6",
	},
}

// escaped is where characters behind a backslash are kept while markup is taken off: a private-use plane of Unicode.
const escaped = 0xF0000

// plainMarkdown takes the markup off a cell: bold, italics, code, links, entities, backslashes.
func plainMarkdown(s string) string {
	if !strings.ContainsAny(s, "\\`*_~[<&") {
		return s
	}
	s = protect(s)
	for _, m := range markup {
		if strings.ContainsAny(s, m.signs) {
			s = m.pattern.ReplaceAllString(s, m.plain)
		}
	}
	s = html.UnescapeString(s)
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r >= escaped && r < escaped+0x80 {
			return r - escaped
		}
		return r
	}, s))
}

// protect hides escaped characters and those of code from what takes markup off.
func protect(s string) string {
	var b strings.Builder
	longest := longestRuns(s)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && isPunct(s[i+1]):
			i++
			b.WriteRune(escaped + rune(s[i]))
		case c == '`':
			n := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
			for len(longest) > 0 && longest[0].at < i+n {
				longest = longest[1:]
			}
			var code string
			ok := len(longest) > 0 && longest[0].longest >= n
			if ok {
				code, _, _ = strings.Cut(s[i+n:], s[i:i+n])
			}
			if !ok {
				b.WriteString(s[i : i+n])
				i += n - 1
				break
			}
			for _, r := range strings.TrimSpace(code) {
				if r < 0x80 {
					r += escaped
				}
				b.WriteRune(r)
			}
			i += 2*n + len(code) - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// ticks is a run of backticks, and how long the longest one is from there on.
type ticks struct{ at, longest int }

// longestRuns lists the runs of backticks, so that nobody looks to the end of a text for one that is not there.
func longestRuns(s string) []ticks {
	var runs []ticks
	for i := 0; i < len(s); {
		at := strings.IndexByte(s[i:], '`')
		if at < 0 {
			break
		}
		n := len(s[i+at:]) - len(strings.TrimLeft(s[i+at:], "`"))
		runs = append(runs, ticks{i + at, n})
		i += at + n
	}
	for k := len(runs) - 2; k >= 0; k-- {
		runs[k].longest = max(runs[k].longest, runs[k+1].longest)
	}
	return runs
}

func isPunct(c byte) bool {
	return strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", c) >= 0
}

const lineMemory = 64 // of a Markdown line

// putMarkdown adds a row of cells to a grid.
func putMarkdown(g *csv.Grid, line int, cells []string) {
	row := g.Row(line)
	for c, text := range cells {
		row[c] = plainMarkdown(text)
	}
}
