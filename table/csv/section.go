package csv

import (
	"fmt"
	"strconv"
	"strings"

	"catena/internal/text"
	"catena/table"
	"catena/table/content"
)

// Section is one table of a text: a grid whose first row is the header, if there is one.
type Section struct {
	*grid
	name   string
	left   int // empty columns that were left out there
	report table.LoadReport
}

// Load makes the table of a section, and completes its report.
func (s *Section) Load(lim table.Limits) (table.Named, error) {
	t, err := s.table(&s.report, lim)
	if err != nil {
		return table.Named{}, err
	}
	return table.Named{Name: s.name, Table: t, Report: s.report}, nil
}

// sections makes a grid of each part.
func (l *layout) sections(parts []part, report table.LoadReport) ([]Section, error) {
	base := content.BaseName(report.Source)
	var out []Section
	for i := range parts {
		if err := l.reserveNames(&parts[i]); err != nil {
			return nil, err
		}
		s := l.section(&parts[i])
		s.name = base
		if i > 0 {
			s.name = base + "_" + strconv.Itoa(i+1)
		}
		out = append(out, s)
	}
	for i := 1; i < len(out); i++ {
		rows := len(parts[i].body)
		report.More = append(
			report.More,
			table.FoundTable{Name: out[i].name, Line: out[i].Rows[0].line, Rows: rows, Columns: parts[i].width},
		)
		if i > 5 {
			continue
		}
		report.Notes = append(
			report.Notes,
			fmt.Sprintf(
				"another table begins in line %d, of %s and %s; it is not part of this one",
				out[i].Rows[0].line,
				text.CountOf(rows, "row", "rows"),
				text.CountOf(parts[i].width, "column", "columns"),
			),
		)
	}
	for i := range out {
		own := out[i].report
		out[i].report = table.LoadReport{
			Source:   report.Source,
			Format:   report.Format,
			Encoding: report.Encoding,
			Comma:    report.Comma,
			Quote:    report.Quote,
			Escape:   report.Escape,
		}
		if i == 0 {
			out[i].report = report
		}
		out[i].report.Header, out[i].report.HeaderRows = own.Header, own.HeaderRows
		out[i].report.Notes = append(out[i].report.Notes, own.Notes...)
	}
	return out, nil
}

// reserveNames draws what the joined names of a part's columns take: the name of a group counts for all columns below
// it.
func (l *layout) reserveNames(p *part) error {
	if len(p.head) < 2 {
		return nil
	}
	m := table.Meter{Lim: &l.lim}
	for _, r := range p.head {
		group := 0
		for c := range max(p.width, r.to-r.from) {
			if c < r.to-r.from && l.g.Cells[r.from+c] != "" {
				group = len(l.g.Cells[r.from+c])
			}
			if err := m.Add(int64(2 * (group + 1))); err != nil {
				return err
			}
		}
	}
	return nil
}

// section makes a grid of a part, without its empty columns at the left.
func (l *layout) section(p *part) Section {
	s := Section{grid: &grid{text: l.g.text, Typed: l.g.Typed, Typist: l.g.Typist}}
	left := p.width
	for _, r := range p.head {
		for i := r.from; i < r.to; i++ {
			l.g.Cells[i] = strings.Trim(l.g.Cells[i], " \t")
		}
	}
	for _, rows := range [][]csvRow{p.head, p.body} {
		for _, r := range rows {
			if left == 0 {
				break
			}
			cells := l.g.of(r)
			for left > 0 && !blankFrom(cells[:min(left, len(cells))], 0) {
				left--
			}
		}
	}
	if len(p.head) > 0 {
		s.report.Header, s.report.HeaderRows = true, len(p.head)
		head := p.head[0]
		if len(p.head) > 1 {
			width := p.width
			for _, r := range p.head {
				width = max(width, r.to-r.from)
			}
			names := l.joinHeader(p.head, width)
			head.from, head.to = len(l.g.Cells), len(l.g.Cells)+len(names)
			l.g.Cells = append(l.g.Cells, names...)
			s.report.Notes = append(
				s.report.Notes,
				fmt.Sprintf("%d rows name the columns; their texts were joined", len(p.head)),
			)
		}
		s.Rows = append(make([]csvRow, 0, len(p.body)+1), head)
	}
	s.Rows = append(s.Rows, p.body...)
	if s.left = left; left > 0 {
		s.report.Notes = append(
			s.report.Notes,
			fmt.Sprintf(
				"%s left out",
				text.CountOf(left, "empty column at the left was", "empty columns at the left were"),
			),
		)
		for i := range s.Rows {
			s.Rows[i].from = min(s.Rows[i].from+left, s.Rows[i].to)
		}
	}
	s.Cells = l.g.Cells
	if len(p.head) > 0 && len(p.body) > 2 && s.Rows[0].to-s.Rows[0].from < p.width-left {
		s.report.Notes = append(
			s.report.Notes,
			fmt.Sprintf(
				"the header has %s for %d columns; the names may belong to other columns",
				text.CountOf(s.Rows[0].to-s.Rows[0].from, "name", "names"),
				p.width-left,
			),
		)
	}
	return s
}
