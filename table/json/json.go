package json

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"catena/internal/buffer"
	"catena/internal/text"
	"catena/table"
	"catena/table/content"
)

// Read reads a table from JSON: a list of objects (or of arrays, of which the first may have the names of the columns,
// or of scalars), an object of columns {"a": [1, 2], "b": [3, 4]}, the wire form (see WireTable), an object of which
// output, data, rows, result, items or records holds one of these, or of which other members hold lists of objects, or
// a single object, which is one row (a single scalar is one cell). Objects of objects are columns, {"a": {"0": 1, "1":
// 2}}, or rows, where three or more, or two named by numbers or dates, have the same members. Columns are in order of
// first appearance. Numbers keep all their digits; strings may be dates but never become numbers. Objects in a row are
// flattened one level (a.b); what is deeper stays JSON. JSON Lines are recognised. Of several lists of objects in an
// object the first is given; the report names the others in More, and in Notes what else stands beside the table.
// Anything else gives a *FormatError.
func Read(r io.Reader, source string, lim table.Limits) (table.Named, error) {
	lim, end := lim.Begin()
	defer end()
	data, err := content.ReadAll(r, source, lim)
	if err != nil {
		return table.Named{}, lim.Explain(source, err)
	}
	named, err := ReadBytes(data, source, lim)
	return named, lim.Explain(source, err)
}

// ReadBytes is Read of a text in memory.
func ReadBytes(data []byte, source string, lim table.Limits) (table.Named, error) {
	return table.FirstNamed(jsonInPieces(data, source, lim, jsonPieceBytes, false))
}

// ReadTables reads the tables of a JSON text; the first of them unless all is set.
func ReadTables(data []byte, source string, lim table.Limits, all bool) ([]table.Named, error) {
	return jsonInPieces(data, source, lim, jsonPieceBytes, all)
}

// jsonInPieces reads the tables of a JSON text, long lists in pieces of about so many bytes; 0 reads all rows one by
// one. Without all a further table that cannot be read is left out.
func jsonInPieces(data []byte, source string, lim table.Limits, piece int, all bool) ([]table.Named, error) {
	decoded, encoding, err := content.Decode(data, source)
	if err != nil {
		return nil, err
	}
	p := &scanner{s: buffer.String(decoded), lim: lim, source: source, piece: piece}
	named, err := p.tables(encoding, all)
	if err == nil && len(named) > 0 {
		if n := loneSurrogates(p.s); n > 0 {
			named[0].Report.Notes = append(named[0].Report.Notes,
				fmt.Sprintf("%s half a character (\\ud800) and was read as \ufffd",
					text.CountOf(n, "escape was", "escapes were")))
		}
	}
	return named, err
}

// tables reads the tables of a JSON text, of which the given encoding is told.
func (p *scanner) tables(encoding string, all bool) ([]table.Named, error) {
	source := p.source
	if p.peek() == 0 {
		return nil, content.EmptyFile(source)
	}
	start := p.pos
	if p.peek() == '[' { // the usual list of rows is read in one pass
		if named, err := p.listTable(encoding); named.Table != nil || err != nil {
			return table.OneNamed(named, err)
		}
		p.pos = start
	}
	kind, whole, err := p.value()
	if err != nil {
		return nil, p.brokenLine(start, err)
	}
	if p.peek(); p.pos < len(p.s) {
		if kind != jsonObject && kind != jsonArray {
			return nil, p.fail("there is text after the end of the JSON")
		}
		if !strings.Contains(p.s[start+len(whole):p.pos], "\n") {
			return nil, p.fail("there is text after the end of the JSON")
		}
		p.pos = start
		named, err := p.lines(encoding)
		if err == nil {
			named.Report.Notes = append(named.Report.Notes, "the text is JSON Lines: each value is a row")
		}
		return table.OneNamed(named, err)
	}
	report := table.LoadReport{Source: source, Format: "json", Encoding: encoding, Header: true}
	if kind != jsonObject && kind != jsonArray {
		p.pos = start
		report.Notes = append(report.Notes, "a single value was read as one cell")
		whole, kind = "["+strings.TrimSpace(p.s[start:])+"]", jsonArray
	}
	r := &jsonReading{p: p, report: report, all: all}
	if err := r.read(kind, whole, 0); err != nil {
		return nil, err
	}
	return r.finish(), nil
}

// listTable reads the array at the current position as a table, if nothing comes after it.
func (p *scanner) listTable(encoding string) (table.Named, error) {
	report := table.LoadReport{Source: p.source, Format: "json", Encoding: encoding, Header: true}
	rows := newJSONRows(p.lim)
	if err := rows.list(p); err != nil {
		return table.Named{}, err
	}
	if p.peek(); p.pos < len(p.s) {
		return table.Named{}, nil
	}
	if rows.rows == 0 {
		report.Notes = append(report.Notes, "the list has no rows")
	}
	t, err := rows.table(&report)
	if err != nil {
		return table.Named{}, err
	}
	return table.Named{Name: content.BaseName(p.source), Table: t, Report: report}, nil
}

// lines reads all values from the current position as rows.
func (p *scanner) lines(encoding string) (table.Named, error) {
	if p.peek() == 0 {
		return table.Named{}, content.EmptyFile(p.source)
	}
	rows := newJSONRows(p.lim)
	err := rows.read(p, func() error {
		if _, err := rows.takeHeader(p, false); err != nil {
			return err
		}
		for p.peek() != 0 {
			rows.ahead(p, false)
			start := p.pos
			if err := rows.row(p); err != nil {
				return p.brokenLine(start, err)
			}
			if p.peek() == ',' {
				return p.fail("a comma stands between two values; JSON Lines have none")
			}
		}
		return nil
	})
	if err != nil {
		return table.Named{}, err
	}
	report := table.LoadReport{Source: p.source, Format: "jsonl", Encoding: encoding, Header: true}
	t, err := rows.table(&report)
	if err != nil {
		return table.Named{}, err
	}
	return table.Named{Name: content.BaseName(p.source), Table: t, Report: report}, nil
}

// wireTable reads {"columns": [...], "rows": [...]}, and pandas' split form with "data" for "rows"; nil when the
// members are others.
func (p *scanner) wireTable(members []jsonMember, report *table.LoadReport) (*table.Table, error) {
	var columns, body *jsonMember
	for i := range members {
		switch m := &members[i]; {
		case m.kind != jsonArray:
		case m.key == "columns":
			columns = m
		case m.key == "rows" || m.key == "data":
			body = m
		}
	}
	rows := newJSONRows(p.lim)
	if columns == nil || body == nil || !rows.declareColumns(columns.text) {
		return nil, nil
	}
	declared := len(rows.cols)
	sub := &scanner{s: body.text, lim: p.lim, source: p.source, piece: p.piece}
	if err := rows.list(sub); err != nil {
		return nil, err
	}
	if len(rows.cols) > declared {
		report.Notes = append(report.Notes,
			fmt.Sprintf("rows have more cells than the %s", text.CountOf(declared, "column", "columns")))
	}
	return rows.table(report)
}

// columnsObject reads {"a": [1, 2], "b": [3, 4]}; nil when the members are others or differ in length.
func (p *scanner) columnsObject(members []jsonMember, report *table.LoadReport) (*table.Table, error) {
	if len(members) == 0 || slices.ContainsFunc(members, func(m jsonMember) bool { return m.kind != jsonArray }) {
		return nil, nil
	}
	rows := newJSONRows(p.lim)
	length := -1
	for _, m := range members {
		c, err := rows.column(m.key, -1)
		if err != nil {
			return nil, rows.limit(p, err)
		}
		sub := &scanner{s: m.text, lim: p.lim, source: p.source}
		c.collect = true
		err = sub.array(func() error {
			kind, text, err := sub.value()
			c.add(kind, text)
			rows.present++
			return err
		})
		if err != nil {
			return nil, err
		}
		if length >= 0 && c.n != length {
			return nil, nil // a single row that has lists
		}
		length = c.n
	}
	if rows.rows = length; length > p.lim.Rows {
		return nil, table.TooManyRows(p.source, p.lim)
	}
	return rows.table(report)
}
