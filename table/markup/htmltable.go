package markup

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"catena/internal/text"
	"catena/table"
	"catena/table/content"
	"catena/table/csv"
)

// htmlTable is a table being read.
type htmlTable struct {
	caption string
	rows    []htmlRow
	cells   int
	width   int
	part    atom.Atom // thead, tbody or tfoot
	open    []int     // the first row that the cells above do not reach into, by column
	nested  bool      // holds another table
	text    *strings.Builder
	struck  strings.Builder // of the cell being read: what is struck out in it
	what    atom.Atom       // td, th or caption: what the text is for
	span    csv.Span        // of the cell being read
}

type htmlRow struct {
	part  atom.Atom
	cells []htmlCell
}

type htmlCell struct {
	text   string
	header bool
	span   csv.Span // top and bottom count rows from 0
}

// layout reports whether a table arranges a page rather than holding data.
func (t *htmlTable) layout() bool {
	return t.cells == 0 || t.nested && (len(t.rows) < 2 || t.width < 2) || len(t.rows) == 1 && t.width == 1
}

// load makes tables of what was read: one, where the header is marked, else those that the looks of the cells tell.
func (t *htmlTable) load(room *content.TextBudget) ([]table.Named, error) {
	source, lim := room.Source, room.Lim
	rows := slices.DeleteFunc(t.rows, func(r htmlRow) bool { return len(r.cells) == 0 })
	if len(rows) == 0 {
		return nil, nil
	}
	if content.TooSparse(len(rows), t.width, t.cells) {
		return nil, content.SparseError(source)
	}
	// the rows of thead come first and those of tfoot last, wherever they are written
	rank := map[atom.Atom]int{atom.Thead: 0, atom.Tbody: 1, atom.Tfoot: 2}
	slices.SortStableFunc(rows, func(a, b htmlRow) int { return rank[a.part] - rank[b.part] })
	g, err := csv.NewGrid(len(rows), t.width, lim, room)
	if err != nil {
		return nil, err
	}
	g.Fills = true
	head := headRows(rows)
	var dropped []table.DroppedRow
	for i, row := range rows {
		if row.part == atom.Tfoot {
			dropped = append(
				dropped,
				table.DroppedRow{Line: i + 1, Text: text.Clip(row.joined(), 200), Why: csv.DropFooter},
			)
			continue
		}
		cells := g.Row(i + 1)
		for _, c := range row.cells {
			cells[c.span.Left] = c.text
			if c.span.Bottom > c.span.Top || c.span.Right > c.span.Left {
				s := c.span
				s.Bottom += i + 1 - s.Top
				s.Top = i + 1
				g.Spans = append(g.Spans, s)
			}
		}
	}
	report := table.LoadReport{Source: source, Format: "html", Encoding: "utf-8"}
	if len(g.Rows) == 0 {
		return nil, nil
	}
	if head = min(head, len(g.Rows)); head > 0 {
		named, err := g.Load(head, dropped, report, lim)
		return []table.Named{named}, err
	}
	var out []table.Named
	parts, err := g.Sections(report, lim)
	if err != nil {
		return nil, err
	}
	for _, s := range parts {
		named, err := s.Load(lim)
		if err != nil {
			return nil, err
		}
		out = append(out, named)
	}
	return out, nil
}

// maxCovered is how many cells of a page the cells above or beside them may reach into: a short row below a wide span
// is looked through anew in each row.
const maxCovered = 64 << 20

const htmlMemory = 80 // of an HTML cell that is not in a grid yet
