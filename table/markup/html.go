package markup

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"catena/internal/text"
	"catena/table"
	"catena/table/content"
	"catena/table/csv"
	"catena/table/infer"
)

// Bounds of HTML's own (HTML Standard, 4.9.11).
const (
	maxColspan = 1000
	maxRowspan = 65534
)

// htmlReader walks over the tags of a text. Unlike a parser it builds no tree, so that no nesting costs more than its
// length.
type htmlReader struct {
	source string
	lim    table.Limits
	open   []*htmlTable
	tables []*htmlTable // all, in the order in which they begin
	room   content.TextBudget
	memory table.Meter
	aside  atom.Atom // script, style or the like that is being read, whose text is none
	raised atom.Atom // sup or sub, whose text is being read
	stray  bool      // there is text outside of tables
	unread htmlUnread

	covered int // cells that others reach into
}

// ReadHTML reads the tables of an HTML text: the rows of thead, or those of th cells at the top, name the columns;
// cells that span several fill them; tables in cells of others are tables of their own. Those that only arrange a page,
// of one row or one column, are left out. None where there is no table.
func ReadHTML(s, source string, lim table.Limits) ([]table.Named, error) {
	r := &htmlReader{
		source: source,
		lim:    lim,
		room:   content.TextBudget{Left: content.UnpackLimit(int64(len(s)), lim), Source: source, Lim: lim},
		memory: table.Meter{Lim: &lim},
	}
	if err := r.read(s); err != nil {
		return nil, err
	}
	var out []table.Named
	left := 0
	for _, t := range r.tables {
		if t.layout() && len(r.tables) > 1 {
			left++
			continue
		}
		found, err := t.load(&r.room)
		if err != nil {
			return nil, err
		}
		for _, named := range found {
			named.Name = csv.TableName(source, len(out))
			if t.caption != "" {
				named.Name = text.Clip(t.caption, 60)
			}
			out = append(out, named)
		}
		if len(out) > lim.Tables {
			return nil, table.OverLimit(
				source,
				0,
				table.LimitTables,
				int64(lim.Tables),
				"there are more than %d tables",
				lim.Tables,
			)
		}
	}
	if len(out) > 0 && left > 0 {
		out[0].Report.Notes = append(
			out[0].Report.Notes,
			fmt.Sprintf(
				"%s left out",
				text.CountOf(left, "table that only arranges the page was", "tables that only arrange the page were"),
			),
		)
	}
	if len(out) > 0 {
		out[0].Report.Notes = append(out[0].Report.Notes, r.unread.notes()...)
	}
	if len(out) > 0 && r.stray {
		out[0].Report.Notes = append(out[0].Report.Notes, dropAround)
	}
	return out, nil
}

func (r *htmlReader) read(s string) error {
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		switch z.Next() {
		case html.ErrorToken: // the end: what is still open ends here
			for len(r.open) > 0 {
				r.endTable()
			}
			return nil
		case html.TextToken:
			if err := r.addText(z.Text()); err != nil {
				return err
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if err := r.start(z); err != nil {
				return err
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if err := r.end(atom.Lookup(name)); err != nil {
				return err
			}
		}
	}
}

// addText adds a text, of which entities are resolved, to the cell or caption being read.
func (r *htmlReader) addText(text []byte) error {
	t := r.table()
	switch {
	case r.aside != 0:
	case r.unread.tag != 0 && !r.unread.struck:
	case t == nil || t.text == nil:
		r.stray = r.stray || len(bytes.TrimSpace(text)) > 0
	default:
		if r.raised != 0 {
			text = raisedDigits(text, r.raised)
		}
		to := t.text
		if r.unread.tag != 0 {
			to = &t.struck
		}
		if to.Write(text); to.Len() > markupTimes*r.lim.CellSize {
			return table.CellTooLarge(r.source, 0, r.lim)
		}
	}
	return nil
}

// raisedDigits writes a number in sup or sub with raised or lowered digits, as a power, an index or the mark of a
// footnote is no part of the number before it.
func raisedDigits(text []byte, tag atom.Atom) []byte {
	digits := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	if tag == atom.Sub {
		digits = []rune("₀₁₂₃₄₅₆₇₈₉")
	}
	return bytes.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return digits[c-'0']
		}
		return c
	}, text)
}

func (r *htmlReader) table() *htmlTable {
	if len(r.open) == 0 {
		return nil
	}
	return r.open[len(r.open)-1]
}

func (r *htmlReader) start(z *html.Tokenizer) error {
	name, more := z.TagName()
	tag := atom.Lookup(name)
	t := r.table()
	switch tag {
	case atom.Table:
		if len(r.open) >= r.lim.Depth {
			return table.OverLimit(
				r.source,
				0,
				table.LimitDepth,
				int64(r.lim.Depth),
				"tables are nested more than %d levels deep",
				r.lim.Depth,
			)
		}
		if t != nil {
			t.nested = true
		}
		t = &htmlTable{part: atom.Tbody}
		r.open, r.tables = append(r.open, t), append(r.tables, t)
		return nil
	case atom.Script, atom.Style, atom.Template, atom.Title:
		r.aside = tag
		return nil
	}
	if t == nil {
		return nil
	}
	if t.text != nil && !structure[tag] {
		more = !r.unread.open(tag, name, z, more) && more
	}
	switch tag {
	case atom.Thead, atom.Tbody, atom.Tfoot:
		if err := r.endCell(t); err != nil {
			return err
		}
		t.part, t.open = tag, nil
	case atom.Tr:
		if err := r.endCell(t); err != nil {
			return err
		}
		return r.startRow(t)
	case atom.Caption:
		t.what, t.text = tag, &strings.Builder{}
	case atom.Td, atom.Th:
		if err := r.endCell(t); err != nil {
			return err
		}
		return r.startCell(t, tag, z, more)
	case atom.Sup, atom.Sub:
		r.raised = tag
	case atom.Br, atom.P, atom.Div, atom.Li:
		if t.text != nil {
			t.text.WriteByte(' ')
		}
	}
	return nil
}

func (r *htmlReader) end(tag atom.Atom) error {
	t := r.table()
	r.unread.close(tag)
	switch tag {
	case atom.Script, atom.Style, atom.Template, atom.Title:
		r.aside = 0
	case atom.Sup, atom.Sub:
		r.raised = 0
	case atom.Table:
		if t != nil {
			if err := r.endCell(t); err != nil {
				return err
			}
			r.endTable()
		}
	case atom.Td, atom.Th, atom.Tr, atom.Caption, atom.Thead, atom.Tbody, atom.Tfoot:
		if t == nil {
			return nil
		}
		err := r.endCell(t)
		if tag == atom.Thead || tag == atom.Tfoot {
			t.part, t.open = atom.Tbody, nil
		}
		return err
	}
	return nil
}

func (r *htmlReader) startRow(t *htmlTable) error {
	if len(t.rows) >= r.lim.Rows+csv.MaxExtraRows {
		return table.TooManyRows(r.source, r.lim)
	}
	t.rows = append(t.rows, htmlRow{part: t.part})
	if len(t.rows)%infer.BlockRows == 0 {
		if err := r.lim.Ended(); err != nil {
			return err
		}
	}
	return r.memory.Add(htmlMemory)
}

// startCell finds the place of a cell: the first column that no cell above reaches into.
func (r *htmlReader) startCell(t *htmlTable, tag atom.Atom, z *html.Tokenizer, more bool) error {
	if len(t.rows) == 0 {
		if err := r.startRow(t); err != nil {
			return err
		}
	}
	cols, rows := 1, 1
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		n, err := strconv.Atoi(strings.TrimSpace(string(value)))
		switch {
		case err != nil || n < 0:
		case string(key) == "colspan":
			cols = min(max(n, 1), maxColspan)
		case string(key) == "rowspan":
			if rows = min(n, maxRowspan); n == 0 {
				rows = maxRowspan
			}
		}
	}
	row := len(t.rows) - 1
	col := 0
	if cells := t.rows[row].cells; len(cells) > 0 {
		col = cells[len(cells)-1].span.Right + 1
	}
	for col < len(t.open) && t.open[col] > row {
		col++
		r.covered++
	}
	if col+cols > r.lim.Columns {
		return table.TooManyColumns(r.source, r.lim)
	}
	if r.covered += cols; r.covered > maxCovered {
		return table.OverLimit(
			r.source,
			0,
			table.LimitBytes,
			maxCovered,
			"cells that span several rows and columns cover more than %d cells",
			maxCovered,
		)
	}
	for len(t.open) < col+cols {
		t.open = append(t.open, 0)
	}
	for c := col; c < col+cols; c++ {
		t.open[c] = row + rows
	}
	t.span = csv.Span{Top: row, Bottom: row + rows - 1, Left: col, Right: col + cols - 1}
	t.what, t.text = tag, &strings.Builder{}
	return nil
}

// endCell closes the cell or caption being read. The tags that do so need not be written.
func (r *htmlReader) endCell(t *htmlTable) error {
	r.raised = 0
	r.unread.tag = 0
	if t.text == nil {
		return nil
	}
	text := cellText(t.text)
	if struck := cellText(&t.struck); text == "" {
		text = struck // or nothing would be left of the cell
	} else if struck != "" {
		r.unread.strikes++
	}
	t.text = nil
	t.struck.Reset()
	if len(text) > r.lim.CellSize {
		return table.CellTooLarge(r.source, 0, r.lim)
	}
	if t.what == atom.Caption {
		t.caption = text
		return nil
	}
	row := &t.rows[len(t.rows)-1]
	row.cells = append(row.cells, htmlCell{text: text, header: t.what == atom.Th, span: t.span})
	t.cells++
	t.width = max(t.width, t.span.Right+1)
	return r.memory.Add(htmlMemory + int64(len(text)))
}

// cellText is the text of a cell without what only lays it out.
func cellText(b *strings.Builder) string {
	text := strings.Join(strings.Fields(b.String()), " ")
	return strings.TrimSpace(strings.Trim(text, csv.Blanks+csv.Invisible))
}

func (r *htmlReader) endTable() {
	last := len(r.open) - 1
	t := r.open[last]
	_ = r.endCell(t) // only at the end of the text, where a cell beyond the limit has been refused
	r.open = r.open[:last]
}
