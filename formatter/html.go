package formatter

import (
	"html"
	"strings"
)

// HTML is the view as a table element with a caption, column headers with scope, the summary in the foot, and lists below. Every text is
// escaped; there is no script, style or address in it. Numbers have the class "num", unusual cells "unusual" and a title that says why.
func (v *View) HTML() string {
	var b strings.Builder
	b.WriteString(`<div class="table">`)
	b.WriteString("<table>")
	if title := v.caption(); title != "" {
		b.WriteString("<caption>" + html.EscapeString(title) + "</caption>")
	}
	v.htmlHead(&b)
	unusual := map[[2]int]string{}
	for _, a := range v.Anomalies {
		unusual[[2]int{a.Row, a.Column}] = a.Why
	}
	b.WriteString("<tbody>")
	for r := range v.NumRows() {
		b.WriteString("<tr>")
		if v.Ranks != nil {
			b.WriteString(`<td class="num">` + rank(v.Ranks[r]) + "</td>")
		}
		if v.leads() {
			b.WriteString("<td></td>")
		}
		for c := range v.Columns {
			v.htmlCell(&b, r, c, unusual[[2]int{r, c}])
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody>")
	v.htmlFoot(&b)
	b.WriteString("</table>")
	if v.NumRows() == 0 {
		b.WriteString("<p>No rows.</p>")
	}
	v.htmlLists(&b)
	b.WriteString("</div>")
	return b.String()
}

// caption is title and counts as plain text.
func (v *View) caption() string {
	counts := v.counts()
	switch {
	case counts == "":
		return plain(v.Title)
	case v.Title == "":
		return capital(counts) + " rows"
	}
	return plain(v.Title) + " (" + counts + ")"
}

func (v *View) htmlHead(b *strings.Builder) {
	b.WriteString("<thead><tr>")
	if v.Ranks != nil {
		b.WriteString(`<th scope="col" class="num" aria-label="Rank">#</th>`)
	}
	if v.leads() {
		b.WriteString("<td></td>")
	}
	for _, c := range v.Columns {
		b.WriteString(`<th scope="col"` + class(c.Right, "") + ">" + html.EscapeString(plain(c.Heading)) + "</th>")
	}
	b.WriteString("</tr></thead>")
}

func (v *View) htmlCell(b *strings.Builder, r, c int, why string) {
	text := plain(v.Cell(r, c))
	short := text
	if !v.Columns[c].Right {
		short = cut(text, v.maxCell)
	}
	b.WriteString("<td" + class(v.Columns[c].Right, why))
	switch {
	case why != "":
		b.WriteString(` title="` + html.EscapeString(why) + `"`)
	case short != text:
		b.WriteString(` title="` + html.EscapeString(cut(text, 1000)) + `"`)
	}
	b.WriteString(">" + html.EscapeString(short) + "</td>")
}

func class(right bool, why string) string {
	switch {
	case right && why != "":
		return ` class="num unusual"`
	case right:
		return ` class="num"`
	}
	return ""
}

func (v *View) htmlFoot(b *strings.Builder) {
	if v.Summary == nil {
		return
	}
	label := v.Summary.Label
	if v.Summary.Detail != "" {
		label += " (" + v.Summary.Detail + ")"
	}
	head := `<th scope="row">` + html.EscapeString(label) + "</th>"
	b.WriteString("<tfoot><tr>")
	if v.Ranks != nil {
		b.WriteString("<td></td>")
	}
	if v.leads() {
		b.WriteString(head)
		head = ""
	}
	for c := range v.Columns {
		switch text := v.summaryCell(c); {
		case text != "":
			b.WriteString(`<td class="num">` + html.EscapeString(text) + "</td>")
		case head != "":
			b.WriteString(head)
			head = ""
		default:
			b.WriteString("<td></td>")
		}
	}
	b.WriteString("</tr></tfoot>")
}

func (v *View) htmlLists(b *strings.Builder) {
	lines := v.remarks()
	if len(lines) == 0 {
		return
	}
	b.WriteString("<ul>")
	for _, line := range lines {
		b.WriteString("<li>" + html.EscapeString(plain(line)) + "</li>")
	}
	b.WriteString("</ul>")
}
