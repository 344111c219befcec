package formatter

import "slices"

// HTML is the view as a table element with a caption that counts the rows, headers with scope, the summary in the foot,
// and lists below. Every text is escaped; there is no script, style or address in it. Classes: "num" for what lines up
// right, "neg" for numbers below zero, "unusual" for cells that stand out, with a title that says why. The first column
// that is not of numbers heads its row. A view of one row with many columns has its fields below each other.
func (v *View) HTML() string {
	b := append(make([]byte, 0, 512), `<div class="table"><table>`...)
	if caption := v.caption(); caption != "" {
		b = append(appendHTML(append(b, "<caption>"...), caption), "</caption>"...)
	}
	tail := []byte("</tbody>")
	if v.isRecord() {
		b = v.htmlRecord(append(b, "<tbody>"...))
	} else {
		b = append(v.htmlHead(b), "<tbody>"...)
		tail = v.htmlFoot(tail)
	}
	tail = append(tail, "</table>"...)
	if v.NumRows() == 0 {
		tail = append(tail, "<p>No rows.</p>"...)
	}
	tail = append(v.htmlLists(tail), "</div>"...)
	if v.isRecord() {
		return string(append(b, tail...))
	}
	unusual := v.marked
	heads := slices.IndexFunc(v.Columns, func(c Column) bool { return !c.Right })
	return v.writeText(b, tail, 32*(len(v.visible)+1), func(b []byte, r int) []byte {
		return v.htmlRow(b, r, heads, unusual)
	})
}

// unusual says why cells stand out, by row and column.
func (v *View) unusual() map[[2]int]string {
	if len(v.Anomalies) == 0 {
		return nil
	}
	out := make(map[[2]int]string, len(v.Anomalies))
	for _, a := range v.Anomalies {
		out[[2]int{a.Row, a.Column}] = a.Why
	}
	return out
}

func (v *View) htmlHead(b []byte) []byte {
	b = append(b, "<thead><tr>"...)
	if v.Ranks != nil {
		b = append(b, `<th scope="col" class="num" aria-label="Rank">#</th>`...)
	}
	if v.leads() {
		b = append(b, "<td></td>"...)
	}
	for _, c := range v.visible {
		b = append(b, `<th scope="col"`...)
		if v.Columns[c].Right {
			b = append(b, ` class="num"`...)
		}
		b = append(appendHTML(append(b, '>'), v.Columns[c].Heading), "</th>"...)
	}
	return append(b, "</tr></thead>"...)
}

func (v *View) htmlRow(b []byte, r, heads int, unusual map[[2]int]string) []byte {
	b = append(b, "<tr>"...)
	if v.Ranks != nil {
		b = append(appendRank(append(b, `<td class="num">`...), v.Ranks[r]), "</td>"...)
	}
	if v.leads() {
		b = append(b, "<td></td>"...)
	}
	for _, c := range v.visible {
		why := ""
		if unusual != nil {
			why = unusual[[2]int{r, c}]
		}
		if c == heads {
			b = v.htmlCell(append(b, `<th scope="row"`...), r, c, why)
			b = append(b, "</th>"...)
		} else {
			b = v.htmlCell(append(b, "<td"...), r, c, why)
			b = append(b, "</td>"...)
		}
	}
	return append(b, "</tr>"...)
}

// maxTitle is how much of a text that is cut in its cell stands in the title, in characters.
const maxTitle = 1000

// htmlCell writes attributes and content of a cell whose tag is open.
func (v *View) htmlCell(b []byte, r, c int, why string) []byte {
	if v.Columns[c].Right {
		b = append(b, ` class="num`...)
		if v.shown.Value(r, c).Sign() < 0 {
			b = append(b, " neg"...)
		}
		if why != "" {
			b = append(b, " unusual"...)
		}
		b = append(b, '"')
	}
	if why != "" {
		b = append(appendHTML(append(b, ` title="`...), why), '"')
	}
	if v.looks[c].tame {
		return v.appendCell(append(b, '>'), r, c)
	}
	full := plain(v.full(r, c))
	short := cut(full, v.maxCell)
	if why == "" && len(short) != len(full) {
		b = append(appendHTML(append(b, ` title="`...), cut(full, maxTitle)), '"')
	}
	return appendHTML(append(b, '>'), short)
}

// htmlRecord writes a view of one row as fields and values.
func (v *View) htmlRecord(b []byte) []byte {
	if v.Ranks != nil {
		b = append(appendRank(append(b, `<tr><th scope="row" aria-label="Rank">#</th><td class="num">`...), v.Ranks[0]),
			"</td></tr>"...)
	}
	unusual := v.marked
	for _, c := range v.visible {
		b = append(appendHTML(append(b, `<tr><th scope="row">`...), v.Columns[c].Heading), "</th><td"...)
		b = append(v.htmlCell(b, 0, c, unusual[[2]int{0, c}]), "</td></tr>"...)
	}
	return b
}

func (v *View) htmlFoot(b []byte) []byte {
	if v.Summary == nil {
		return b
	}
	label := v.Summary.Label
	if v.Summary.Detail != "" {
		label += " (" + v.Summary.Detail + ")"
	}
	b = append(b, "<tfoot><tr>"...)
	if v.Ranks != nil {
		b = append(b, "<td></td>"...)
	}
	head := func() {
		b = append(appendHTML(append(b, `<th scope="row">`...), label), "</th>"...)
	}
	at := v.labelAt()
	if at < 0 {
		head()
	}
	for _, c := range v.visible {
		switch text := v.SummaryCell(c); {
		case text != "" && v.Summary.Values[c].Sign() < 0:
			b = append(appendHTML(append(b, `<td class="num neg">`...), text), "</td>"...)
		case text != "":
			b = append(appendHTML(append(b, `<td class="num">`...), text), "</td>"...)
		case c == at:
			head()
		default:
			b = append(b, "<td></td>"...)
		}
	}
	return append(b, "</tr></tfoot>"...)
}

func (v *View) htmlLists(b []byte) []byte {
	lines := v.remarks()
	if len(lines) == 0 {
		return b
	}
	b = append(b, "<ul>"...)
	for _, line := range lines {
		b = append(appendHTML(append(b, "<li>"...), line), "</li>"...)
	}
	return append(b, "</ul>"...)
}
