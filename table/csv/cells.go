package csv

import (
	"bytes"
	"strings"

	"catena/table"
	"catena/table/content"
)

// Cells is one table of a delimited text as it was read, before its columns have types: for a preview, or to see what a
// repair did.
type Cells struct {
	Name   string
	Header []string   // as the text has it, repeated and empty names and all; nil when it has none
	Rows   [][]string // each as wide as the widest row or the header
	Report table.LoadReport
}

// ReadCells reads every table of a delimited text, as Tables does, but leaves the cells text. A text without content
// gives one empty table and a note, not an error. Errors are *FormatError.
func ReadCells(data []byte, source string, lim table.Limits) ([]Cells, error) {
	lim, end := lim.Begin()
	defer end()
	found, err := readCells(data, source, lim)
	return found, lim.Explain(source, err)
}

func readCells(data []byte, source string, lim table.Limits) ([]Cells, error) {
	if int64(len(data)) > lim.Bytes {
		return nil, table.TooLarge(source, lim)
	}
	if text, encoding, err := content.Decode(data, source); err == nil && strings.TrimSpace(string(text)) == "" {
		return []Cells{
			{
				Name: content.BaseName(source),
				Report: table.LoadReport{
					Source:   source,
					Format:   "csv",
					Encoding: encoding,
					Notes:    []string{"the text is empty"},
				},
			},
		}, nil
	}
	c, err := openCSV(bytes.Clone(data), source, lim) // the cells are parts of it
	if err != nil {
		return nil, err
	}
	found, err := c.sections()
	if err != nil {
		return nil, err
	}
	out := make([]Cells, len(found))
	for i := range found {
		out[i] = found[i].cellsOf()
	}
	return out, nil
}

// cellsOf copies a section's rows, all of one width: that of the widest row without the empty cells at its end.
func (s *Section) cellsOf() Cells {
	out := Cells{Name: s.name, Report: s.report}
	width := 0
	if !s.report.Header {
		width = len(s.row(0))
	}
	for i := range s.Rows {
		row := s.row(i)
		for len(row) > width && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		width = max(width, len(row))
	}
	for i := range s.Rows {
		row := make([]string, width)
		copy(row, s.row(i))
		if i == 0 && s.report.Header {
			out.Header = row
			continue
		}
		out.Rows = append(out.Rows, row)
	}
	out.Report.Rows = len(out.Rows)
	return out
}
