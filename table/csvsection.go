package table

import (
	"fmt"
	"strconv"
	"strings"

	"catena/internal/text"
)

// section is one table of a text: a grid whose first row is the header, if there is one.
type section struct {
	*grid
	name   string
	left   int // empty columns that were left out there
	report LoadReport
}

func (s *section) load(lim Limits) (Named, error) {
	t, err := s.table(&s.report, lim)
	if err != nil {
		return Named{}, err
	}
	return Named{Name: s.name, Table: t, Report: s.report}, nil
}

// sections makes a grid of each part.
func (l *layout) sections(parts []part, report LoadReport) ([]section, error) {
	base := BaseName(report.Source)
	var out []section
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
		report.More = append(report.More, FoundTable{Name: out[i].name, Line: out[i].rows[0].line, Rows: rows, Columns: parts[i].width})
		if i > 5 {
			continue
		}
		report.Notes = append(report.Notes, fmt.Sprintf("another table begins in line %d, of %s and %s; it is not part of this one", out[i].rows[0].line, text.CountOf(rows, "row", "rows"), text.CountOf(parts[i].width, "column", "columns")))
	}
	for i := range out {
		own := out[i].report
		out[i].report = LoadReport{Source: report.Source, Format: report.Format, Encoding: report.Encoding, Comma: report.Comma, Quote: report.Quote, Escape: report.Escape}
		if i == 0 {
			out[i].report = report
		}
		out[i].report.Header, out[i].report.HeaderRows = own.Header, own.HeaderRows
		out[i].report.Notes = append(out[i].report.Notes, own.Notes...)
	}
	return out, nil
}

// reserveNames draws what the joined names of a part's columns take: the name of a group counts for all columns below it.
func (l *layout) reserveNames(p *part) error {
	if len(p.head) < 2 {
		return nil
	}
	m := meter{lim: &l.lim}
	for _, r := range p.head {
		group := 0
		for c := range max(p.width, r.to-r.from) {
			if c < r.to-r.from && l.g.cells[r.from+c] != "" {
				group = len(l.g.cells[r.from+c])
			}
			if err := m.add(int64(2 * (group + 1))); err != nil {
				return err
			}
		}
	}
	return nil
}

// section makes a grid of a part, without its empty columns at the left.
func (l *layout) section(p *part) section {
	s := section{grid: &grid{text: l.g.text, typed: l.g.typed, typist: l.g.typist}}
	left := p.width
	for _, r := range p.head {
		for i := r.from; i < r.to; i++ {
			l.g.cells[i] = strings.Trim(l.g.cells[i], " \t")
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
			head.from, head.to = len(l.g.cells), len(l.g.cells)+len(names)
			l.g.cells = append(l.g.cells, names...)
			s.report.Notes = append(s.report.Notes, fmt.Sprintf("%d rows name the columns; their texts were joined", len(p.head)))
		}
		s.rows = append(make([]csvRow, 0, len(p.body)+1), head)
	}
	s.rows = append(s.rows, p.body...)
	if s.left = left; left > 0 {
		s.report.Notes = append(s.report.Notes, fmt.Sprintf("%s left out", text.CountOf(left, "empty column at the left was", "empty columns at the left were")))
		for i := range s.rows {
			s.rows[i].from = min(s.rows[i].from+left, s.rows[i].to)
		}
	}
	s.cells = l.g.cells
	if len(p.head) > 0 && len(p.body) > 2 && s.rows[0].to-s.rows[0].from < p.width-left {
		s.report.Notes = append(s.report.Notes, fmt.Sprintf("the header has %s for %d columns; the names may belong to other columns", text.CountOf(s.rows[0].to-s.rows[0].from, "name", "names"), p.width-left))
	}
	return s
}
