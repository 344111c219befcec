package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"catena/formatter"
	"catena/internal/text"
	"catena/planner/plan"
	"catena/profiler"
	"catena/table"
	"catena/tools"
)

// shownTable is a table on its way into the answer.
type shownTable struct {
	table  *table.Table
	handle string // "" for one that was put together out of values
	name   string
	title  string
	total  int // rows before the tool's own limit
	hide   []string
	signed []string
	notes  []string
	text   string // the tool's own way of writing it; "" leaves it to us
	// outside: an upstream server made it. What it kept back nobody here has asked it to.
	outside bool
	// untrusted: its cells are somebody's words. They are read rather than compared, so more of each is shown.
	untrusted bool
}

// Texts of an answer's cells are cut at formatter's own bound, those of tables that are words at maxCell; fewRows is
// how many rows such a table may have.
const fewRows = 20

// showTable profiles and formats a table and adds it to the answer.
func (t *turn) showTable(ctx context.Context, s shownTable) {
	meta := profiler.ProfileWith(ctx, s.table, profiler.Options{Title: s.name})
	opt := formatter.Options{
		Title: s.title, Limit: t.maxRows(), Total: max(s.total, s.table.NumRows()), Locale: t.req.Locale,
		Notes: s.notes, SignedColumns: signed(s, meta),
	}
	if s.untrusted && s.table.NumRows() <= fewRows {
		opt.MaxCell = maxCell
	}
	for _, h := range s.hide {
		if s.table.Index(h) >= 0 {
			opt.Hide = append(opt.Hide, h)
		}
	}
	if column, ascending := ranked(s, meta); column != "" {
		opt.RankBy, opt.Ascending, opt.SummaryRow = column, ascending, true
	}
	opt.SummaryRow = opt.SummaryRow || hasShare(meta)
	view, err := formatter.Format(s.table, meta, opt)
	if err != nil {
		t.opts.Log.ErrorContext(ctx, "a table could not be formatted", "run", t.req.RunID, "error", err.Error())
		t.lack(fmt.Sprintf("The table %s could not be formatted.", s.title))
		return
	}
	if rows := s.table.NumRows(); s.outside && s.total > rows {
		t.cut = append(t.cut, fmt.Sprintf("%s of %s rows came%s.", text.Thousands(rows),
			text.Thousands(s.total), of(s.title)))
	}
	t.views = append(t.views, view)
	at := t.answerTable(s, view)
	t.resp.Tables = append(t.resp.Tables, at)
	small, first := t.briefOf(s, meta, opt, at, view)
	t.tables, t.firsts = append(t.tables, small), append(t.firsts, first)
	t.shown = append(t.shown, shape(s, view))
	text := t.viewText(s, view)
	if first == view {
		t.say(text)
	} else {
		t.sayBoth(text, t.briefText(s, small, first))
	}
	t.facts, t.figures = append(t.facts, at.Markdown), append(t.figures, figures(s, view))
	t.send(Payload{
		Type: ActivitySnapshot, MessageID: fmt.Sprintf("%s-table-%d", t.req.RunID, len(t.resp.Tables)),
		ActivityType: ActivityTable, Content: &small,
	})
}

func (t *turn) maxRows() int {
	if t.req.MaxRows > 0 {
		return int(t.req.MaxRows)
	}
	return defaultRows
}

// viewText is the table as the answer's text has it.
func (t *turn) viewText(s shownTable, v *formatter.View) string {
	if t.req.OutputFormat == "bullets" {
		return v.Bullets()
	}
	if strings.HasPrefix(s.text, "{") {
		return "```json\n" + strings.ReplaceAll(s.text, "```", "'''") + "\n```"
	}
	if s.text != "" {
		return s.text
	}
	if v.NumRows() == 1 && len(v.Columns) == 1 && v.Columns[0].Right {
		heading := s.title
		if heading == "" {
			heading = v.Columns[0].Metadata.CleanedName
		}
		text := fmt.Sprintf("**%s**: %s", escape(heading), v.Quantity(0, 0))
		for i, n := range v.Notes {
			if i == 0 {
				text += "\n"
			}
			text += "\n- " + plainLine(n)
		}
		return text
	}
	return v.Markdown()
}

// answerTable is the table as clients get it: the rows that the text shows, with their exact values, and links to all.
func (t *turn) answerTable(s shownTable, v *formatter.View) AnswerTable {
	at := AnswerTable{
		Handle: s.handle, Title: s.title, RowCount: v.NumRows(), TotalRows: s.table.NumRows(),
		Truncated: v.NumRows() < s.table.NumRows(),
		Links:     map[string]string{}, Markdown: v.Markdown(),
		Columns: make([]profiler.ColumnMetadata, len(v.Columns)),
	}
	if s.total > at.TotalRows {
		at.TotalRows = s.total
	}
	for i, c := range v.Columns {
		at.Columns[i] = c.Metadata
	}
	rows, err := json.Marshal(table.Wire(v.Table(), s.handle, at.TotalRows, at.Truncated).Rows)
	if err != nil {
		rows = []byte("[]")
		t.lack(fmt.Sprintf("The rows of %s hold JSON that is not valid; only its text is shown.", s.title))
	}
	at.Rows = rows
	if s.handle != "" {
		for _, ending := range []string{"csv", "json", "md"} {
			at.Links[ending] = tablePath(s.handle) + "." + ending
		}
	}
	return at
}

// shape is what a session remembers of a shown table: names and types, never a cell, nor a range that could be one.
func shape(s shownTable, v *formatter.View) plan.TableInfo {
	info := plan.TableInfo{Name: s.name, Handle: s.handle, Rows: s.table.NumRows(), Source: "result",
		Untrusted: s.outside, Columns: make([]plan.ColumnInfo, 0, s.table.NumCols())}
	if info.Name == "" {
		info.Name = s.handle
	}
	byName := make(map[string]profiler.ColumnMetadata, len(v.Columns))
	for _, c := range v.Columns {
		byName[c.Name] = c.Metadata
	}
	for _, c := range s.table.Columns() {
		col := plan.ColumnInfo{Name: c.Name, Type: c.Type.String(), Unit: c.Unit}
		if m, ok := byName[c.Name]; ok {
			col.Label, col.Semantic, col.Role, col.Unit = m.CleanedName, m.SemanticType, m.Role, m.Units
		}
		info.Columns = append(info.Columns, col)
	}
	return info
}

// ranked finds the column that a "top n" was cut by: the tool left rows out, and the measure goes one way all through.
func ranked(s shownTable, meta []profiler.ColumnMetadata) (column string, ascending bool) {
	if s.total <= s.table.NumRows() || s.table.NumRows() < 2 || s.table.Index("rank") >= 0 {
		return "", false
	}
	for _, m := range meta {
		sorted := m.Sortedness == "descending" || m.Sortedness == "ascending"
		if sorted && m.Role == profiler.RoleMeasure && !slices.Contains(s.hide, m.OriginalName) {
			return m.OriginalName, m.Sortedness == "ascending"
		}
	}
	return "", false
}

// hasShare reports whether a column holds shares of one whole, which a sum row completes.
func hasShare(meta []profiler.ColumnMetadata) bool {
	return slices.ContainsFunc(meta, func(m profiler.ColumnMetadata) bool {
		return m.SemanticType == profiler.Percentage &&
			slices.Contains(profiler.ReadName(m.OriginalName).Words, "share")
	})
}

// signed are the columns whose numbers mean up or down: those that the tool names, and those that are called so.
func signed(s shownTable, meta []profiler.ColumnMetadata) []string {
	var out []string
	for _, m := range meta {
		named := slices.Contains(s.signed, m.OriginalName)
		called := m.Role == profiler.RoleMeasure &&
			slices.ContainsFunc(profiler.ReadName(m.OriginalName).Words, func(w string) bool {
				return w == "growth" || w == "change" || w == "delta"
			})
		if named || called {
			out = append(out, m.OriginalName)
		}
	}
	return out
}

// endsInList reports whether the last line of a paragraph is a list item.
func endsInList(text string) bool {
	return strings.HasPrefix(text[strings.LastIndexByte(text, '\n')+1:], "- ")
}

// plainText reports whether a format's text is made of paragraphs.
func plainText(format string) bool {
	return format == "" || format == "markdown" || format == "bullets"
}

// compose puts the answer's text together in the asked format.
func (t *turn) compose() {
	var lines []string
	for _, m := range t.missing {
		if !t.saidAlready(m) {
			lines = append(lines, "- "+plainLine(m))
		}
	}
	for _, n := range t.resp.Notes {
		if n != offlineNote {
			lines = append(lines, "- "+plainLine(n))
		}
	}
	notes := strings.Join(lines, "\n")
	if n := len(t.text); n > 0 && notes != "" && endsInList(t.text[n-1].whole) {
		last := &t.text[n-1]
		last.whole, last.brief = last.whole+"\n"+notes, last.brief+"\n"+notes // one list, not two with a gap
	} else {
		t.say(notes)
	}
	t.resp.Response = t.format(texts(t.text, false), t.views, t.resp.Completeness)
}

// format writes the answer in the asked format.
func (t *turn) format(text []string, views []*formatter.View, c Completeness) string {
	switch {
	case t.req.OutputFormat == "json":
		return t.composeJSON(text, views, c)
	case t.req.OutputFormat == "csv" && len(views) > 0:
		parts := make([]string, len(views))
		for i, v := range views {
			parts[i] = v.CSV()
		}
		return strings.Join(parts, "\n")
	}
	return strings.Join(text, "\n\n")
}

// saidAlready reports whether the text tells of a missing part by itself: a refusal, the error, or the call that waits
// for approval.
func (t *turn) saidAlready(missing string) bool {
	if slices.ContainsFunc(t.text, func(p paragraph) bool { return p.whole == escape(missing) }) {
		return true
	}
	if e := t.resp.Error; e != nil && strings.Contains(missing, strings.TrimRight(e.Detail, ". ")) {
		return true
	}
	return slices.ContainsFunc(t.resp.Pending, func(p Pending) bool {
		return strings.Contains(missing, p.Step+" ("+p.Tool+")")
	})
}

// composeJSON writes the answer as one object: its tables with their profiles, or its text where it has none.
func (t *turn) composeJSON(text []string, views []*formatter.View, c Completeness) string {
	out := struct {
		Title        string            `json:"title"`
		Outcome      string            `json:"outcome"`
		Text         string            `json:"text,omitempty"`
		Tables       []json.RawMessage `json:"tables"`
		Notes        []string          `json:"notes,omitempty"`
		Completeness Completeness      `json:"completeness"`
	}{Title: t.resp.Title, Outcome: t.resp.Outcome, Tables: []json.RawMessage{}, Notes: t.resp.Notes, Completeness: c}
	for _, v := range views {
		b, err := v.JSON()
		if err != nil {
			t.lack("A table holds JSON that is not valid and is left out.")
			continue
		}
		out.Tables = append(out.Tables, b)
	}
	if len(views) == 0 {
		out.Text = strings.Join(text, "\n\n")
	}
	b, err := json.Marshal(out)
	if err != nil {
		return `{"error":"the answer could not be written as JSON"}`
	}
	return string(b)
}

// showChart adds a chart.
func (t *turn) showChart(c tools.Chart) {
	chart := AnswerChart{
		Title: c.Title, SVG: c.SVG, PNG: c.PNG, MediaType: c.Media, VegaLite: c.VegaLite, Table: c.Table, Alt: c.Alt,
	}
	chart.Links = chartLinks(t.req.RunID, len(t.resp.Charts)+1, c)
	t.resp.Charts = append(t.resp.Charts, chart)
	text := c.Alt
	if c.Title != "" {
		text = fmt.Sprintf("**%s** (chart): %s", escape(c.Title), escape(c.Alt))
	}
	t.say(text)
	t.send(Payload{
		Type: ActivitySnapshot, MessageID: fmt.Sprintf("%s-chart-%d", t.req.RunID, len(t.resp.Charts)),
		ActivityType: ActivityChart, Content: &chart,
	})
}

// chartLinks are where the pictures of a chart of a run can be read, below the server's root.
func chartLinks(run string, n int, c tools.Chart) map[string]string {
	base := fmt.Sprintf("/api/v1/runs/%s/charts/%d", run, n)
	switch {
	case c.SVG != "":
		return map[string]string{"svg": base + ".svg", "png": base + ".png"}
	case c.Media == "image/png" && len(c.PNG) > 0:
		return map[string]string{"png": base + ".png"}
	}
	return nil
}

// TableProfile says what a table's columns hold, as the tables of an answer do.
type TableProfile struct {
	Handle    string                    `json:"handle,omitempty"` // "" for a table that is known by its name only
	Name      string                    `json:"name"`
	Title     string                    `json:"title,omitempty"`
	RowCount  int                       `json:"row_count"`  // rows that the statistics are made of
	TotalRows int                       `json:"total_rows"` // rows that there are: more where the tool kept some back
	Columns   []profiler.ColumnMetadata `json:"columns"`    // never null
}

// ProfileOf profiles the table of a result, which it must have. After the end of ctx it is as far as it got.
func ProfileOf(ctx context.Context, res tools.Result) TableProfile {
	columns := profiler.ProfileWith(ctx, res.Table, profiler.Options{Title: res.Name})
	if columns == nil {
		columns = []profiler.ColumnMetadata{}
	}
	rows := res.Table.NumRows()
	return TableProfile{Handle: res.Handle, Name: res.Name, Title: res.Title, RowCount: rows,
		TotalRows: max(rows, res.Total), Columns: columns}
}
