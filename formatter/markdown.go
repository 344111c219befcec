package formatter

import (
	"strconv"
	"strings"

	"catena/internal/text"
	"catena/table"
)

// Markdown is the view as a GitHub-flavoured table: title and counts above, numbers right-aligned, the summary row in
// bold, cells that stand out marked by ⚠; anomalies, descriptions and notes as a list below. Cells can hold no markup
// of their own. Nothing is padded, which would cost a model tokens. A view of one row with many columns is written as a
// list of fields and values. A raw view does not align its columns.
func (v *View) Markdown() string {
	head := v.markdownTitle(make([]byte, 0, 512))
	var tail []byte
	switch {
	case v.NumRows() == 0:
		head = append(append(head, v.empty()...), '\n')
	case v.isRecord():
		head = v.markdownRecord(head)
	default:
		head = v.markdownHead(head)
		tail = v.markdownSummary(tail)
	}
	tail = v.lists(tail, "\n")
	if v.NumRows() == 0 || v.isRecord() {
		return string(append(head, tail...))
	}
	return v.writeText(head, tail, 14*(len(v.visible)+1), v.markdownRow)
}

// markdownTitle writes title and counts, and the empty line below.
func (v *View) markdownTitle(b []byte) []byte {
	counts := v.counts()
	switch {
	case v.Title != "" && counts != "":
		b = append(appendEscaped(append(b, "**"...), v.Title), "** ("...)
		b = append(append(b, counts...), ")\n\n"...)
	case v.Title != "":
		b = append(appendEscaped(append(b, "**"...), v.Title), "**\n\n"...)
	case counts != "":
		b = append(append(b, v.countLine()...), "\n\n"...)
	}
	return b
}

func (v *View) markdownHead(b []byte) []byte {
	lead := v.leads()
	b = append(b, '|')
	if v.Ranks != nil {
		b = append(b, "#|"...)
	}
	if lead {
		b = append(b, '|')
	}
	for _, c := range v.visible {
		b = append(appendEscaped(b, v.Columns[c].Heading), '|')
	}
	b = append(b, "\n|"...)
	if v.Ranks != nil {
		b = append(b, "-:|"...)
	}
	if lead {
		b = append(b, "-|"...)
	}
	for _, c := range v.visible {
		if v.Columns[c].Right && !v.raw {
			b = append(b, "-:|"...)
		} else {
			b = append(b, "-|"...)
		}
	}
	return append(b, '\n')
}

func (v *View) markdownRow(b []byte, r int) []byte {
	b = append(b, '|')
	if v.Ranks != nil {
		b = append(appendRank(b, v.Ranks[r]), '|')
	}
	if v.leads() {
		b = append(b, '|')
	}
	for _, c := range v.visible {
		b = append(v.markdownCell(b, r, c), '|')
	}
	return append(b, '\n')
}

func (v *View) markdownCell(b []byte, r, c int) []byte {
	switch {
	case v.looks[c].tame:
		b = v.appendCell(b, r, c)
	case v.shown.Column(c).Type == table.JSON && !v.raw:
		b = text.AppendMarkdownJSON(b, plain(v.Text(r, c)))
	default:
		b = appendEscaped(b, v.Text(r, c))
	}
	if v.marked != nil && v.marked[[2]int{r, c}] != "" {
		b = append(b, " ⚠"...)
	}
	return b
}

// markdownRecord writes a view of one row as fields and values.
func (v *View) markdownRecord(b []byte) []byte {
	b = append(b, "|Field|Value|\n|-|-|\n"...)
	if v.Ranks != nil {
		b = append(appendRank(append(b, "|#|"...), v.Ranks[0]), "|\n"...)
	}
	for _, c := range v.visible {
		b = append(appendEscaped(append(b, '|'), v.Columns[c].Heading), '|')
		b = append(v.markdownCell(b, 0, c), "|\n"...)
	}
	return b
}

// markdownSummary writes the last row: its label stands in the column that labelAt chooses.
func (v *View) markdownSummary(b []byte) []byte {
	if v.Summary == nil {
		return b
	}
	label := "**" + v.Summary.Label + "**"
	if v.Summary.Detail != "" {
		label += " (" + escape(v.Summary.Detail) + ")"
	}
	b = append(b, '|')
	if v.Ranks != nil {
		b = append(b, '|')
	}
	at := v.labelAt()
	if at < 0 {
		b = append(append(b, label...), '|')
	}
	for _, c := range v.visible {
		if text := v.SummaryCell(c); text != "" {
			b = append(append(append(b, "**"...), text...), "**"...)
		} else if c == at {
			b = append(b, label...)
		}
		b = append(b, '|')
	}
	return append(b, '\n')
}

// lists writes the remarks, a line each; before goes before the first.
func (v *View) lists(b []byte, before string) []byte {
	for _, text := range v.remarks() {
		b = append(append(b, before...), "- "...)
		b = append(append(b, escapeLine(text)...), '\n')
		before = ""
	}
	return b
}

// empty says that there is nothing to show, and which columns there would be.
func (v *View) empty() string {
	if len(v.Columns) == 0 {
		return "No rows and no columns."
	}
	names := make([]string, len(v.visible))
	for i, c := range v.visible {
		names[i] = escape(v.Columns[c].Heading)
	}
	return "No rows. Columns: " + strings.Join(names, ", ") + "."
}

// appendRank writes a place; 0, which rows without a value have, is nothing.
func appendRank(b []byte, place int) []byte {
	if place == 0 {
		return b
	}
	return strconv.AppendInt(b, int64(place), 10)
}
