package report

import (
	"html"
	"regexp"
	"strings"
)

// marks are what answers mark inside a line: bold, emphasis, code, and characters that stand for themselves.
var marks = regexp.MustCompile(`\*\*(\S(?:.*?\S)?)\*\*|\*(\S(?:[^*]*?\S)?)\*|` + "`([^`]+)`" +
	`|\\([\\` + "`" + `*_{}\[\]()#+\-.!|<>~])|&(lt|gt|amp);|<br\s*/?>`)

// entities are the references that answers write.
var entities = map[string]string{"lt": "&lt;", "gt": "&gt;", "amp": "&amp;"}

// inline writes one line of Markdown.
func inline(b *strings.Builder, line string) {
	for {
		m := marks.FindStringSubmatchIndex(line)
		if m == nil {
			b.WriteString(html.EscapeString(line))
			return
		}
		b.WriteString(html.EscapeString(line[:m[0]]))
		mark(b, line, m)
		line = line[m[1]:]
	}
}

// mark writes what the groups of a match hold.
func mark(b *strings.Builder, line string, m []int) {
	group := func(n int) string { return line[m[2*n]:m[2*n+1]] }
	for n, tag := range map[int]string{1: "strong", 2: "em"} {
		if m[2*n] >= 0 {
			b.WriteString("<" + tag + ">")
			inline(b, group(n))
			b.WriteString("</" + tag + ">")
			return
		}
	}
	switch {
	case m[6] >= 0:
		b.WriteString("<code>" + html.EscapeString(group(3)) + "</code>")
	case m[8] >= 0:
		b.WriteString(html.EscapeString(group(4)))
	case m[10] >= 0:
		b.WriteString(entities[group(5)])
	default:
		b.WriteString("<br>")
	}
}

var (
	rule    = regexp.MustCompile(`^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$`)
	item    = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s+`)
	ordered = regexp.MustCompile(`^\s*\d`)
	heading = regexp.MustCompile(`^#{1,6}\s+`)
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
