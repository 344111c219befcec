package report

import (
	"encoding/base64"
	"fmt"
	"html"
	"strings"
	"time"

	"catena/chat"
)

// Document is a chat on its way to a reader. The zero value is an empty one.
type Document struct {
	Title string
	Taken time.Time // when it was written
	Turns []Turn
}

// Turn is a question with its answer.
type Turn struct {
	At       time.Time
	Message  string
	Files    []string // names of the files that came with the message
	Response string   // Markdown, as answers have it
	Notes    []string // those that the response does not say
	Charts   []chat.AnswerChart
	Tables   []Table
}

// Table is the copy of a table of which the answer shows the first rows only.
type Table struct {
	Title string
	Rows  int // of the table; the text may have fewer
	Text  chat.TableText
}

// style is how the document looks, in the reader's light or dark theme and on paper.
const style = `:root{color-scheme:light dark;font:16px/1.55 system-ui,sans-serif}
body{max-width:60rem;margin:2rem auto;padding:0 1.2rem}
h1{font-size:1.5rem}h3{font-size:1rem}
h2{font-size:1.1rem;margin:2.2rem 0 .6rem;padding-top:1.2rem;border-top:1px solid #8885;white-space:pre-wrap}
.quiet{color:light-dark(#5f686b,#9aa3a6);font-size:.88rem}.table{max-width:100%;overflow:auto}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums;margin:.4rem 0 1rem}
th,td{padding:.35rem .8rem;text-align:left;vertical-align:top;border-bottom:1px solid #8884}
th{font-weight:600}th.num,td.num{text-align:right;white-space:nowrap}
figure{margin:1rem 0}img{max-width:100%;background:#fff;border-radius:8px}
pre{overflow:auto;padding:.6rem;border:1px solid #8884}summary{cursor:pointer}
@media print{details::details-content{content-visibility:visible}}`

// HTML writes the document. It names no address and runs nothing, so it can be opened anywhere.
func (d Document) HTML() []byte {
	var b strings.Builder
	b.WriteString("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">" +
		`<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">` +
		`<meta name="referrer" content="no-referrer"><title>` + html.EscapeString(d.Title) + "</title><style>" + style +
		"</style></head>\n<body><main><h1>" + html.EscapeString(d.Title) + "</h1>\n")
	fmt.Fprintf(&b, "<p class=\"quiet\">A chat with Catena, as it was on %s</p>\n", written(d.Taken))
	for i := range d.Turns {
		d.Turns[i].write(&b)
	}
	b.WriteString("</main></body></html>\n")
	return []byte(b.String())
}

func written(at time.Time) string { return at.UTC().Format("2 January 2006 15:04 MST") }

func (t *Turn) write(b *strings.Builder) {
	b.WriteString("<article><h2>" + html.EscapeString(t.Message) + "</h2>\n")
	said := written(t.At)
	if len(t.Files) > 0 {
		said += ", with " + strings.Join(t.Files, ", ")
	}
	b.WriteString(`<p class="quiet">` + html.EscapeString(said) + "</p>\n")
	markdown(b, t.Response)
	for _, c := range t.Charts {
		picture(b, c)
	}
	for _, table := range t.Tables {
		table.write(b)
	}
	for _, n := range t.Notes {
		b.WriteString(`<p class="quiet">` + html.EscapeString(n) + "</p>\n")
	}
	b.WriteString("</article>\n")
}

// picture writes a chart as an image, in which nothing can run.
func picture(b *strings.Builder, c chat.AnswerChart) {
	data, media := []byte(c.SVG), "image/svg+xml"
	if c.SVG == "" {
		data, media = c.PNG, "image/png"
	}
	if len(data) == 0 {
		return
	}
	fmt.Fprintf(b, "<figure><img alt=\"%s\" src=\"data:%s;base64,%s\"></figure>\n", html.EscapeString(c.Alt), media,
		base64.StdEncoding.EncodeToString(data))
}

func (t Table) write(b *strings.Builder) {
	title := fmt.Sprintf("All %d rows of %s", t.Rows, t.Title)
	if n := len(t.Text.Cells); n < t.Rows {
		title = fmt.Sprintf("%d of %d rows of %s", n, t.Rows, t.Title)
	}
	b.WriteString("<details><summary>" + html.EscapeString(title) + `</summary><div class="table"><table><thead><tr>`)
	class := make([]string, len(t.Text.Columns))
	for i, c := range t.Text.Columns {
		if c.Right {
			class[i] = ` class="num"`
		}
		b.WriteString(`<th scope="col"` + class[i] + ">" + html.EscapeString(c.Heading) + "</th>")
	}
	b.WriteString("</tr></thead><tbody>\n")
	for _, row := range t.Text.Cells {
		b.WriteString("<tr>")
		for i, cell := range row {
			b.WriteString("<td" + class[i] + ">" + html.EscapeString(cell) + "</td>")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody></table></div></details>\n")
}
