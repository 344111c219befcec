package chat

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/formatter"
	"catena/internal/text"
	"catena/profiler"
)

// What the log of a run and the turn of a session have of an answer is bounded, in bytes of their JSON: beyond that
// they have the first rows, and the whole answer is kept beside the tables (see answers.go).
const (
	briefRows   = defaultRows
	briefTable  = 64 << 10  // of one table: metadata, rows and Markdown
	briefTables = 192 << 10 // of all tables of an answer
	briefText   = 192 << 10 // of the text
	bareText    = 4 << 10   // of a table's Markdown where not even one row has room
)

// Whole says that an answer is the short form of a larger one, and where that is.
type Whole struct {
	// Handle names the whole answer in the store; "" where it could not be kept. It is no table's.
	Handle  string    `json:"handle,omitempty"`
	Link    string    `json:"link,omitempty"`   // gives the whole answer, below the server's root
	Expires time.Time `json:"expires,omitzero"` // when the whole answer goes, with its tables
	Detail  string    `json:"detail"`           // what is left out and where it is, in a sentence or two
}

// paragraph is one of the answer's, and what the log and the session have of it.
type paragraph struct{ whole, brief string }

// texts are the paragraphs of one form.
func texts(list []paragraph, brief bool) []string {
	out := make([]string, len(list))
	for i, p := range list {
		if out[i] = p.whole; brief {
			out[i] = p.brief
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// short is what the log and the session have of an answer that is too large for them.
type short struct {
	text         string
	completeness Completeness
	whole        *Whole
}

// logged is the response as the log has it.
func (t *turn) logged() Response {
	r := t.resp
	if t.short == nil {
		return r
	}
	r.Response, r.Tables, r.Completeness, r.Whole = t.short.text, t.tables, t.short.completeness, t.short.whole
	r.encoded, r.logged = nil, nil
	return r
}

// ForLog is the response as the log has it.
func (r Response) ForLog() Response {
	if r.logged != nil {
		return *r.logged
	}
	return r
}

// jsonSize is how many bytes a value takes in the log; texts that can only be small are not counted out.
func jsonSize(v any) int {
	if s, ok := v.(string); ok && len(s) < briefText/6 { // no character takes more than six for each of its bytes
		return len(s)
	}
	data, err := Encode(v)
	if err != nil {
		return 0 // what cannot be written is not in the log either
	}
	return len(data)
}

// briefOf is a table as the log has it: as it is where it has room, else the first rows of it, none where even they
// have not.
func (t *turn) briefOf(
	s shownTable, meta []profiler.ColumnMetadata, opt formatter.Options, whole AnswerTable, view *formatter.View,
) (AnswerTable, *formatter.View) {
	room := min(briefTable, briefTables-t.tablesSize)
	size := jsonSize(whole)
	if size <= room {
		t.tablesSize += size
		return whole, view
	}
	small, first := whole, view
	for n := min(briefRows, whole.RowCount); n > 0; n /= 2 {
		opt.Limit = n
		v, err := formatter.Format(s.table, meta, opt)
		if err != nil {
			break // it was formatted before
		}
		first, small = v, t.answerTable(s, v)
		small.Truncated = small.RowCount < whole.TotalRows
		if size = jsonSize(small); size <= room {
			t.tablesSize += size
			return small, first
		}
	}
	small.Columns, small.Rows, small.RowCount, small.Truncated = []profiler.ColumnMetadata{}, []byte("[]"), 0,
		whole.TotalRows > 0
	small.Markdown = clipLines(small.Markdown, bareText)
	t.tablesSize += jsonSize(small)
	return small, first
}

// briefText is the table as the log has it in the answer's text.
func (t *turn) briefText(s shownTable, small AnswerTable, first *formatter.View) string {
	if small.RowCount == 0 {
		return small.Markdown
	}
	s.text = "" // it is of the whole table
	return t.viewText(s, first)
}

// clipLines cuts a text to n bytes at most, between lines where that leaves some.
func clipLines(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = clip(s, n)
	if i := strings.LastIndexByte(s, '\n'); i > 0 {
		s = s[:i]
	}
	return s + "\n…"
}

// shortened makes the short form of the answer, where it needs one, and keeps the whole.
func (t *turn) shortened(keep func() (handle string, expires time.Time)) {
	var left []string
	for i, at := range t.tables {
		if whole := t.resp.Tables[i]; at.RowCount < whole.RowCount {
			left = append(left, firstOf(at, whole.RowCount))
		}
	}
	if len(left) == 0 && jsonSize(t.resp.Response) <= briefText {
		return
	}
	if len(left) == 0 {
		left = []string{"Here is the beginning of the text."}
	}
	w := &Whole{}
	if w.Handle, w.Expires = keep(); w.Handle != "" {
		w.Link = "/api/v1/runs/" + t.req.RunID
		left = append(left, fmt.Sprintf("The whole answer: GET %s, until %s.", w.Link,
			w.Expires.UTC().Format("2 January 2006 15:04 MST")))
	} else {
		left = append(left, "The whole answer could not be kept; ask again for it.")
	}
	w.Detail = strings.Join(left, " ")
	c := t.resp.Completeness
	if c.State == "complete" || c.State == "stale" || c.State == "" {
		c.State = "truncated"
	}
	c.Detail = strings.TrimSpace(w.Detail + " " + c.Detail)
	t.short = &short{completeness: c, whole: w}
	t.short.text = t.shortText(w, c)
}

// firstOf says which rows of a table the short form has.
func firstOf(at AnswerTable, rows int) string {
	switch {
	case at.RowCount > 0:
		return fmt.Sprintf("Here are the first %s of %s rows%s.", text.Thousands(at.RowCount),
			text.Thousands(rows), of(at.Title))
	case rows == 1:
		return fmt.Sprintf("Here is at most the beginning of the one row%s.", of(at.Title))
	}
	return fmt.Sprintf("Here is at most the beginning of the first of %s rows%s.", text.Thousands(rows), of(at.Title))
}

// shortText is the text of the short form in the asked format.
func (t *turn) shortText(w *Whole, c Completeness) string {
	list := texts(t.text, true)
	if !plainText(t.req.OutputFormat) {
		text := t.format(list, t.firsts, c)
		if jsonSize(text) <= briefText {
			return text
		}
		if t.req.OutputFormat == "json" {
			return t.format([]string{w.Detail}, nil, c)
		}
		return clipText(text, briefText)
	}
	note := "- " + plainLine(w.Detail)
	text := clipText(strings.Join(list, "\n\n"), briefText-2*len(note))
	if endsInList(text) {
		return text + "\n" + note
	}
	return strings.TrimPrefix(text+"\n\n"+note, "\n\n")
}

// clipText cuts a text between lines so that it takes n bytes in the log at most.
func clipText(text string, n int) string {
	for room := n; jsonSize(text) > n; room = cmp.Or(room/2, 1) {
		text = clipLines(text, room)
	}
	return text
}
