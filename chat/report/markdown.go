package report

import (
	"html"
	"regexp"
	"strings"
)

const (
	// escapable are the characters that a backslash lets stand for themselves.
	escapable = "\\`*_{}[]()#+-.!|<>~"
	// blanks are not beside a mark, inside of what it marks.
	blanks = " \t\n\f\r"
)

// entities are the references that answers write.
var entities = map[string]string{"lt": "&lt;", "gt": "&gt;", "amp": "&amp;"}

// inline writes one line of Markdown: bold, emphasis, code, and characters that stand for themselves.
func inline(b *strings.Builder, line string) {
	l, from := marked{text: line}, 0
	for i := 0; i < len(line); {
		m := l.at(i)
		if m.end == 0 {
			i++
			continue
		}
		b.WriteString(html.EscapeString(line[from:i]))
		m.write(b)
		i = m.end
		from = i
	}
	b.WriteString(html.EscapeString(line[from:]))
}

// mark is something marked in a line, which ends before end; 0 is no mark.
type mark struct {
	end  int
	tag  string // of what is marked; "" for text that is HTML already
	text string
}

func (m mark) write(b *strings.Builder) {
	switch m.tag {
	case "":
		b.WriteString(m.text)
	case "code":
		b.WriteString("<code>" + html.EscapeString(m.text) + "</code>")
	default:
		b.WriteString("<" + m.tag + ">")
		inline(b, m.text)
		b.WriteString("</" + m.tag + ">")
	}
}

// marked is a line that is read from its beginning to its end, in time that goes with its length: a mark that nothing
// ends is looked for once, and not from each mark that begins.
type marked struct {
	text string
	bold int // where the end of something bold was looked for last, and stands, or the end of the line
}

// at is the mark that begins at a byte.
func (l *marked) at(i int) mark {
	rest := l.text[i:]
	switch rest[0] {
	case '*':
		return l.starred(i)
	case '`':
		if end := endOf(rest, '`'); end > 1 && rest[1] != '`' {
			return mark{i + end + 1, "code", rest[1:end]}
		}
	case '\\':
		if len(rest) > 1 && strings.IndexByte(escapable, rest[1]) >= 0 {
			return mark{i + 2, "", html.EscapeString(rest[1:2])}
		}
	case '&':
		for name, text := range entities {
			if strings.HasPrefix(rest[1:], name+";") {
				return mark{i + len(name) + 2, "", text}
			}
		}
	case '<':
		if n := len(lineBreak.FindString(rest[:min(len(rest), longestBreak)])); n > 0 {
			return mark{i + n, "", "<br>"}
		}
	}
	return mark{}
}

// starred is what a star begins.
func (l *marked) starred(i int) mark {
	rest := l.text[i:]
	if end := l.endOfBold(i); end > 0 {
		return mark{end + 2, "strong", l.text[i+2 : end]}
	}
	if end := endOf(rest, '*'); end > 1 && strings.IndexByte(blanks+"*", rest[1]) < 0 && !isBlank(rest[end-1]) {
		return mark{i + end + 1, "em", rest[1:end]}
	}
	return mark{}
}

// endOfBold is where the two stars stand that end what two begin; 0 where nothing bold begins.
func (l *marked) endOfBold(i int) int {
	if !strings.HasPrefix(l.text[i:], "**") || i+2 >= len(l.text) || isBlank(l.text[i+2]) {
		return 0
	}
	for l.bold = max(l.bold, i+3); l.bold < len(l.text); l.bold++ {
		if strings.HasPrefix(l.text[l.bold:], "**") && !isBlank(l.text[l.bold-1]) {
			return l.bold
		}
	}
	return 0
}

// endOf is where the same character stands again, behind at least one other; -1 is nowhere.
func endOf(rest string, c byte) int {
	if len(rest) < 3 {
		return -1
	}
	n := strings.IndexByte(rest[2:], c)
	if n < 0 {
		return -1
	}
	return n + 2
}

func isBlank(c byte) bool { return strings.IndexByte(blanks, c) >= 0 }

// longestBreak is how long the tag of a line break may be, with the blanks in it.
const longestBreak = 16

var (
	rule    = regexp.MustCompile(`^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$`)
	item    = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s+`)
	ordered = regexp.MustCompile(`^\s*\d`)
	heading = regexp.MustCompile(`^#{1,6}\s+`)

	lineBreak = regexp.MustCompile(`^<br\s*/?>`)
)

// isTable reports whether a table begins at a line.
func isTable(lines []string, i int) bool {
	if i+1 >= len(lines) || !strings.Contains(lines[i], "|") {
		return false
	}
	return strings.Contains(lines[i+1], "-") && rule.MatchString(lines[i+1])
}

// markdown writes a text as answers have it: headings, paragraphs, lists, tables, code.
func markdown(b *strings.Builder, text string) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); {
		line, from := lines[i], i
		while := func(more func(string) bool) []string {
			for i < len(lines) && more(lines[i]) {
				i++
			}
			return lines[from:i]
		}
		switch {
		case strings.TrimSpace(line) == "":
			i++
		case strings.HasPrefix(line, "```"):
			i, from = i+1, i+1
			code := while(func(l string) bool { return !strings.HasPrefix(l, "```") })
			b.WriteString("<pre>" + html.EscapeString(strings.Join(code, "\n")) + "</pre>\n")
			i++
		case heading.MatchString(line):
			block(b, "h3", heading.ReplaceAllString(line, ""))
			i++
		case isTable(lines, i):
			table(b, while(func(l string) bool { return strings.Contains(l, "|") }))
		case item.MatchString(line):
			list(b, while(item.MatchString))
		default:
			i++
			for i < len(lines) && goesOn(lines, i) {
				i++
			}
			block(b, "p", strings.Join(lines[from:i], " "))
		}
	}
}

// goesOn reports whether a paragraph goes on with a line.
func goesOn(lines []string, i int) bool {
	line := lines[i]
	begins := item.MatchString(line) || heading.MatchString(line) || strings.HasPrefix(line, "```")
	return strings.TrimSpace(line) != "" && !begins && !isTable(lines, i)
}

func block(b *strings.Builder, tag, line string) {
	b.WriteString("<" + tag + ">")
	inline(b, line)
	b.WriteString("</" + tag + ">\n")
}

func list(b *strings.Builder, lines []string) {
	tag := "ul"
	if ordered.MatchString(lines[0]) {
		tag = "ol"
	}
	b.WriteString("<" + tag + ">")
	for _, l := range lines {
		block(b, "li", item.ReplaceAllString(l, ""))
	}
	b.WriteString("</" + tag + ">\n")
}

// cells are those of a row, parted at the bars that are not escaped.
func cells(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	var out []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line):
			cell.WriteString(line[i : i+2])
			i++
		case line[i] == '|':
			out = append(out, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	if rest := strings.TrimSpace(cell.String()); rest != "" {
		out = append(out, rest)
	}
	return out
}

// table writes the lines of a table: the header, the rule that aligns, the rows.
func table(b *strings.Builder, lines []string) {
	right := cells(lines[1])
	row := func(line, tag string) {
		b.WriteString("<tr>")
		for i, c := range cells(line) {
			b.WriteString("<" + tag)
			if i < len(right) && strings.HasSuffix(right[i], ":") {
				b.WriteString(` class="num"`)
			}
			b.WriteString(">")
			inline(b, c)
			b.WriteString("</" + tag + ">")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString(`<div class="table"><table><thead>`)
	row(lines[0], "th")
	b.WriteString("</thead><tbody>")
	for _, l := range lines[2:] {
		row(l, "td")
	}
	b.WriteString("</tbody></table></div>\n")
}
