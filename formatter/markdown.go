package formatter

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/table"
)

// Markdown is the view as a GitHub-flavoured table: title and counts in bold above, numbers right-aligned, the summary row in bold, anomalies,
// descriptions and notes as a list below. Cells can hold no markup of their own.
func (v *View) Markdown() string {
	var b strings.Builder
	b.Grow(64 + 16*(v.NumRows()+3)*(len(v.Columns)+1))
	v.markdownTitle(&b)
	if v.NumRows() == 0 {
		b.WriteString(v.empty())
		b.WriteByte('\n')
	} else {
		v.markdownTable(&b)
	}
	v.lists(&b, "\n", escape)
	return b.String()
}

func (v *View) markdownTitle(b *strings.Builder) {
	counts := v.counts()
	switch {
	case v.Title != "" && counts != "":
		fmt.Fprintf(b, "**%s** (%s)\n\n", escape(v.Title), counts)
	case v.Title != "":
		fmt.Fprintf(b, "**%s**\n\n", escape(v.Title))
	case counts != "":
		fmt.Fprintf(b, "%s rows\n\n", capital(counts))
	}
}

func (v *View) markdownTable(b *strings.Builder) {
	lead := v.leads()
	if v.Ranks != nil {
		b.WriteString("| # ")
	}
	if lead {
		b.WriteString("|  ")
	}
	for _, c := range v.Columns {
		b.WriteString("| ")
		b.WriteString(escape(c.Heading))
		b.WriteByte(' ')
	}
	b.WriteString("|\n")
	if v.Ranks != nil {
		b.WriteString("|--:")
	}
	if lead {
		b.WriteString("|:--")
	}
	for _, c := range v.Columns {
		if c.Right {
			b.WriteString("|--:")
		} else {
			b.WriteString("|:--")
		}
	}
	b.WriteString("|\n")
	for r := range v.NumRows() {
		if v.Ranks != nil {
			b.WriteString("| ")
			b.WriteString(rank(v.Ranks[r]))
			b.WriteByte(' ')
		}
		if lead {
			b.WriteString("|  ")
		}
		for c := range v.Columns {
			b.WriteString("| ")
			b.WriteString(v.markdownCell(r, c))
			b.WriteByte(' ')
		}
		b.WriteString("|\n")
	}
	v.markdownSummary(b)
}

func (v *View) markdownCell(r, c int) string {
	text := v.Cell(r, c)
	if v.Columns[c].Right {
		return text
	}
	return escape(cut(text, v.maxCell))
}

// markdownSummary writes the last row: its label stands in the first column that holds no sum.
func (v *View) markdownSummary(b *strings.Builder) {
	if v.Summary == nil {
		return
	}
	label := "**" + v.Summary.Label + "**"
	if v.Summary.Detail != "" {
		label += " (" + escape(v.Summary.Detail) + ")"
	}
	if v.Ranks != nil {
		b.WriteString("| ")
	}
	if v.leads() {
		b.WriteString("| " + label + " ")
		label = ""
	}
	for c := range v.Columns {
		b.WriteString("| ")
		if text := v.summaryCell(c); text != "" {
			b.WriteString("**" + text + "** ")
		} else if label != "" {
			b.WriteString(label + " ")
			label = ""
		}
	}
	b.WriteString("|\n")
}

// leads reports whether the summary's label needs a column of its own, because every column has a sum.
func (v *View) leads() bool {
	if v.Summary == nil {
		return false
	}
	for _, value := range v.Summary.Values {
		if value.IsNull() {
			return false
		}
	}
	return true
}

// summaryCell is one cell of the summary row as it is shown; "" where nothing is summed.
func (v *View) summaryCell(c int) string {
	return Value(v.Summary.Values[c], v.Summary.formats[c], v.locale, Minus)
}

// lists writes the remarks, a line each; before goes before the first.
func (v *View) lists(b *strings.Builder, before string, clean func(string) string) {
	for _, text := range v.remarks() {
		b.WriteString(before + "- " + clean(text) + "\n")
		before = ""
	}
}

// maxAnomalies is how many anomalies are told below a table, the farthest first; JSON has all.
const maxAnomalies = 10

// remarks are what is said below the table: anomalies, descriptions, notes.
func (v *View) remarks() []string {
	var out []string
	shown := v.Anomalies
	if len(shown) > maxAnomalies {
		shown = slices.Clone(shown)
		slices.SortStableFunc(shown, func(a, b Anomaly) int { return cmp.Compare(math.Abs(b.Score), math.Abs(a.Score)) })
		shown = shown[:maxAnomalies]
	}
	for _, a := range shown {
		out = append(out, "Unusual: "+v.anomalyText(a))
	}
	if more := len(v.Anomalies) - len(shown); more > 0 {
		out = append(out, fmt.Sprintf("%d more values are unusual, less so.", more))
	}
	if v.describe {
		for _, c := range v.Columns {
			out = append(out, c.Metadata.Description)
		}
	}
	return append(out, v.Notes...)
}

// anomalyText says which cell, its value, what is usual and why it stands out.
func (v *View) anomalyText(a Anomaly) string {
	where := "row " + strconv.Itoa(a.Row+1)
	if a.Label != "" {
		where += ", " + cut(a.Label, 40)
	}
	col := v.Columns[a.Column]
	usual := col.Format
	usual.Plus = false
	return fmt.Sprintf("%s in %s is %s, %s (usual: %s)", col.Heading, where, v.Cell(a.Row, a.Column), a.Why, Value(table.FloatValue(a.Usual), usual, v.locale, Minus))
}

// empty says that there is nothing to show, and which columns there would be.
func (v *View) empty() string {
	if len(v.Columns) == 0 {
		return "No rows and no columns."
	}
	names := make([]string, len(v.Columns))
	for i, c := range v.Columns {
		names[i] = escape(c.Heading)
	}
	return "No rows. Columns: " + strings.Join(names, ", ") + "."
}

func rank(place int) string {
	if place == 0 {
		return ""
	}
	return strconv.Itoa(place)
}

// cut shortens text to limit characters and marks the cut.
func cut(s string, limit int) string {
	if limit < 0 || len(s) <= limit || utf8.RuneCountInString(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit-1 {
			return strings.TrimRightFunc(s[:i], unicode.IsSpace) + "…"
		}
		n++
	}
	return s
}

// plain makes one line of visible characters: line breaks and tabs become spaces, other control characters and those that turn the reading
// direction go.
func plain(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	if strings.IndexFunc(s, odd) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case !odd(r):
			return r
		case r == '\n' || r == '\t' || r == '\u2028' || r == '\u2029' || r == '\u0085':
			return ' '
		}
		return -1
	}, s)
}

// odd are the characters that plain replaces.
func odd(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r >= '\u2028' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' || r == '\ufeff'
}

// escape makes text safe inside a Markdown table cell: nothing in it starts a cell, emphasis, code, link, image or HTML.
func escape(s string) string {
	s = plain(s)
	if !strings.ContainsAny(s, "\\|`*_[]<>&~") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i := range len(s) {
		switch c := s[i]; c {
		case '\\', '|', '`', '*', '[', ']', '~':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '_':
			if before, _ := utf8.DecodeLastRuneInString(s[:i]); !wordRune(before) {
				b.WriteByte('\\')
			} else if behind, _ := utf8.DecodeRuneInString(s[i+1:]); !wordRune(behind) {
				b.WriteByte('\\')
			}
			b.WriteByte(c)
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			if entity(s[i:]) {
				b.WriteString("&amp;")
			} else {
				b.WriteByte(c)
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// wordRune reports whether an underscore beside r is inside a word, where it is no markup.
func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// entity reports whether s, which begins with &, would be read as a character reference.
func entity(s string) bool {
	end := strings.IndexByte(s, ';')
	return end > 1 && end < 34 && !strings.ContainsFunc(s[1:end], func(r rune) bool { return r != '#' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
