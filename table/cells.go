package table

// Cells is one table of a delimited text as it was read, before its columns have types: for a preview, or to see what a repair did.
type Cells struct {
	Name   string
	Header []string   // as the text has it, repeated names and all; nil when it has none
	Rows   [][]string // of one width, that of the header if there is one
	Report LoadReport
}

// ReadCells reads every table of a delimited text, as ReadCSV does, but leaves the cells text.
func ReadCells(data []byte, source string, lim Limits) ([]Cells, error) {
	lim = lim.withDefaults()
	text, encoding, err := decodeText(data, source)
	if err != nil {
		return nil, err
	}
	s, forced := sepLine(string(text))
	d := sniff(s, lim)
	if forced != 0 {
		d.comma = forced
	}
	report := LoadReport{Source: source, Format: "csv", Encoding: encoding, Comma: string(d.comma)}
	g, err := parseCSV(s, d, lim, source, 0)
	if err != nil {
		return nil, err
	}
	if len(g.rows) == 0 {
		return []Cells{{Report: report}}, nil
	}
	g.dropPreamble(&report)
	report.Header = hasHeader(g)
	width := g.width(&report)
	out := Cells{Name: baseName(source), Report: report}
	for i := range g.rows {
		row := make([]string, width)
		copy(row, g.row(i))
		if i == 0 && report.Header {
			out.Header = row
			continue
		}
		out.Rows = append(out.Rows, row)
	}
	return []Cells{out}, nil
}
