package cli

import (
	"os"
	"strings"

	"github.com/mattn/go-runewidth"
	"golang.org/x/term"
)

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// terminalWidth is the number of columns, 100 where the terminal does not say.
func terminalWidth(f *os.File) int {
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
		return w
	}
	return 100
}

// wantsColor follows no-color.org.
func wantsColor() bool { return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" }

// terminal lays the Markdown of our own answers out for a fixed-width screen: pipe tables become aligned columns, bold
// becomes bold. It knows what the formatter writes, no more.
type terminal struct {
	width int
	color bool
}

func (t terminal) render(markdown string) string {
	var out strings.Builder
	lines := strings.Split(strings.TrimSuffix(markdown, "\n"), "\n")
	for i := 0; i < len(lines); {
		if !strings.HasPrefix(lines[i], "|") {
			out.WriteString(t.inline(lines[i]) + "\n")
			i++
			continue
		}
		j := i
		for j < len(lines) && strings.HasPrefix(lines[j], "|") {
			j++
		}
		t.table(&out, lines[i:j])
		i = j
	}
	return out.String()
}

// inline turns **bold** into bold, and takes the Markdown escapes of the formatter back.
func (t terminal) inline(s string) string {
	parts := strings.Split(s, "**")
	if len(parts)%2 == 0 { // an odd mark is text
		return unescape(s)
	}
	for i := 1; i < len(parts); i += 2 {
		if t.color && parts[i] != "" {
			parts[i] = "\x1b[1m" + parts[i] + "\x1b[0m"
		}
	}
	return unescape(strings.Join(parts, ""))
}

// entities are the character references that the formatter writes.
var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.ContainsRune(`\|*_`+"`~[]<>#", rune(s[i+1])) {
			i++
		}
		b.WriteByte(s[i])
	}
	return entities.Replace(b.String())
}

// table writes a pipe table in aligned columns; text columns give way first when the screen is too narrow.
func (t terminal) table(out *strings.Builder, lines []string) {
	rows, right := pipeTable(lines)
	if len(rows) == 0 || len(right) != len(rows[0]) {
		out.WriteString(strings.Join(lines, "\n") + "\n")
		return
	}
	widths := t.fit(rows, right)
	total := 2 * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	for i, row := range rows {
		t.row(out, row, widths, right, i == 0)
		if i == 0 {
			out.WriteString(strings.Repeat("─", total) + "\n")
		}
	}
}

// pipeTable reads a pipe table: the cells of its rows, the header first, and which columns its rule aligns right.
func pipeTable(lines []string) (rows [][]string, right []bool) {
	for i, line := range lines {
		cells := splitCells(line)
		if i != 1 {
			rows = append(rows, cells)
			continue
		}
		for _, c := range cells {
			c = strings.TrimSpace(c)
			right = append(right, strings.HasSuffix(c, ":") && !strings.HasPrefix(c, ":"))
		}
	}
	return rows, right
}

// row writes one row in columns of the widths. Cells in bold, and all of a header, are bold where the screen has that.
func (t terminal) row(out *strings.Builder, row []string, widths []int, right []bool, header bool) {
	for j, cell := range row[:min(len(row), len(widths))] {
		if j > 0 {
			out.WriteString("  ")
		}
		text := runewidth.Truncate(unescape(strings.ReplaceAll(cell, "**", "")), widths[j], "…")
		pad := strings.Repeat(" ", widths[j]-runewidth.StringWidth(text))
		if bold := header || strings.HasPrefix(cell, "**"); t.color && bold && text != "" {
			text = "\x1b[1m" + text + "\x1b[0m"
		}
		switch {
		case right[j]:
			out.WriteString(pad + text)
		case j < len(row)-1:
			out.WriteString(text + pad)
		default:
			out.WriteString(text)
		}
	}
	out.WriteString("\n")
}

// fit gives each column its width; when all do not fit, the widest left-aligned ones lose until they do or are 12 wide.
func (t terminal) fit(rows [][]string, right []bool) []int {
	widths := make([]int, len(right))
	total := 2 * (len(right) - 1)
	for j := range right {
		for _, row := range rows {
			if j < len(row) {
				widths[j] = max(widths[j], runewidth.StringWidth(unescape(strings.ReplaceAll(row[j], "**", ""))))
			}
		}
		total += widths[j]
	}
	const least = 12
	for total > t.width {
		widest := -1
		for j, w := range widths {
			widens := widest < 0 || w > widths[widest]
			if !right[j] && w > least && widens {
				widest = j
			}
		}
		if widest < 0 {
			break // numbers are never cut: a line that wraps is better than a wrong figure
		}
		widths[widest]--
		total--
	}
	return widths
}

// splitCells takes the cells of one line, minding escaped pipes.
func splitCells(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|")
	var cells []string
	start := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			cells = append(cells, strings.TrimSpace(line[start:i]))
			start = i + 1
		}
	}
	return append(cells, strings.TrimSpace(line[start:]))
}
