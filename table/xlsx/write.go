package xlsx

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"catena/table"
	"catena/table/infer"
)

// Sheet is one sheet of a workbook to be written.
type Sheet struct {
	// "" gives Sheet1, Sheet2 ...; what Excel does not allow in names is replaced, repeated names get a suffix
	Name     string
	Table    *table.Table // nil gives an empty sheet
	Headings []string     // what stands above the columns, in their order; a missing or empty one is the column's name
	// Excel number formats of the columns, in their order; a missing or empty one goes by the column's type and unit
	Formats []string
}

// Bounds of XLSX (Excel's specifications and limits).
const (
	sheetRows     = 1 << 20
	sheetColumns  = 1 << 14
	sheetCellText = 32767 // UTF-16 units of a cell
	sheetNames    = 31
	sheetDigits   = 15 // of a number
)

// What writing a workbook takes, at most.
const (
	sheetCellMemory = 96 // bytes, for each cell
	workbookTime    = time.Minute
)

// Write writes a workbook with a header row and one row for each of a table's rows. Numbers, booleans, dates and times
// are cells of these types, and every text is a text: none is ever a formula. Integers and decimals of more than 15
// digits, which a sheet would round, are texts, and so are dates before 1900-03-01. Numbers of a column with the unit %
// are stored as their hundredth with a percent format; currencies and other units stand in the number format. Times of
// a zone are written as its clocks show them; the zone is in the number format. JSON is its text. File gives equal
// tables, but for types that sheets do not have: JSON comes back as text, and a Float column without more than 15
// digits as Int or Decimal.
//
// Columns behind the hundredth have Excel's own width. It ends when ctx does.
//
// A table of more than 1,048,575 rows or 16,384 columns, a text of more than 32,767 UTF-16 units, cells that take more
// memory than one call may have, drawn from the work of ctx or else from the process's budget, and more than a minute
// of writing them give a *LimitError.
func Write(ctx context.Context, w io.Writer, sheets ...Sheet) error {
	work := table.WorkOf(ctx)
	if work == nil {
		ctx, work = table.WithWork(ctx, nil)
		defer work.End()
	}
	cells := int64(0)
	for _, s := range sheets {
		cells += int64(s.Table.NumRows()) * int64(s.Table.NumCols())
	}
	if err := work.Draw(cells * sheetCellMemory); err != nil {
		return fmt.Errorf("table: writing a workbook: %w", err)
	}
	late := &table.LimitError{
		What:  table.LimitTime,
		Limit: workbookTime.Milliseconds(),
		Text: fmt.Sprintf(
			"the workbook takes more than the %s that one may take; save it as CSV or Parquet",
			workbookTime,
		),
	}
	timed, cancel := context.WithTimeoutCause(ctx, workbookTime, late)
	defer cancel()
	f := excelize.NewFile()
	defer f.Close()
	if len(sheets) == 0 {
		sheets = []Sheet{{}}
	}
	names := sheetNamesOf(sheets)
	for i, s := range sheets {
		var err error
		if i == 0 {
			err = f.SetSheetName(f.GetSheetName(0), names[0])
		} else {
			_, err = f.NewSheet(names[i])
		}
		if err != nil {
			return fmt.Errorf("table: writing the sheet %q: %w", names[i], err)
		}
		if err := writeSheet(timed, f, names[i], s); err != nil {
			return err
		}
	}
	if err := f.Write(w); err != nil {
		return fmt.Errorf("table: writing a workbook: %w", err)
	}
	return nil
}

// sheetNamesOf makes names that Excel takes: of 31 UTF-16 units at most, without []:*?/\, not beginning or ending with
// an apostrophe, not History, and distinct without regard to case.
func sheetNamesOf(sheets []Sheet) []string {
	names, taken := make([]string, len(sheets)), map[string]bool{"history": true}
	for i, s := range sheets {
		name := strings.Map(func(r rune) rune {
			if r < ' ' || r == utf8.RuneError || strings.ContainsRune(`[]:*?/\`, r) {
				return '_'
			}
			return r
		}, s.Name)
		name = strings.Trim(cutUnits(strings.TrimSpace(name), sheetNames), "' ")
		if name == "" {
			name = "Sheet" + strconv.Itoa(i+1)
		}
		names[i] = name
		for n := 2; taken[strings.ToLower(names[i])]; n++ {
			suffix := "_" + strconv.Itoa(n)
			names[i] = cutUnits(name, sheetNames-len(suffix)) + suffix
		}
		taken[strings.ToLower(names[i])] = true
	}
	return names
}

// cutUnits cuts a text to n UTF-16 units.
func cutUnits(s string, n int) string {
	for i, r := range s {
		if n -= utf16.RuneLen(r); n < 0 {
			return s[:i]
		}
	}
	return s
}

func units(s string) int {
	if len(s) <= sheetCellText {
		return len(s) // at most
	}
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// sheetWriter writes one sheet, row by row.
type sheetWriter struct {
	table  *table.Table
	styles []int // of the columns
	bold   int
	row    []any
}

func writeSheet(ctx context.Context, f *excelize.File, name string, s Sheet) error {
	switch t := s.Table; {
	case t.NumRows() >= sheetRows:
		return &table.LimitError{
			What:  table.LimitRows,
			Limit: sheetRows - 1,
			Text: fmt.Sprintf(
				"the table has %d rows and a sheet holds %d; save it as CSV or Parquet",
				t.NumRows(),
				sheetRows-1,
			),
		}
	case t.NumCols() > sheetColumns:
		return &table.LimitError{
			What:  table.LimitColumns,
			Limit: sheetColumns,
			Text: fmt.Sprintf(
				"the table has %d columns and a sheet holds %d; save it as CSV or Parquet",
				t.NumCols(),
				sheetColumns,
			),
		}
	}
	w := &sheetWriter{table: s.Table, row: make([]any, s.Table.NumCols())}
	if err := w.makeStyles(f, s.Formats); err != nil {
		return fmt.Errorf("table: writing the sheet %q: %w", name, err)
	}
	out, err := f.NewStreamWriter(name)
	if err != nil {
		return fmt.Errorf("table: writing the sheet %q: %w", name, err)
	}
	if err := w.widths(out, s.Headings); err != nil {
		return fmt.Errorf("table: writing the sheet %q: %w", name, err)
	}
	for i := range w.row {
		w.row[i] = excelize.Cell{StyleID: w.bold, Value: sheetString(heading(s, i))}
	}
	if len(w.row) > 0 {
		err = out.SetRow("A1", w.row)
	}
	for r := 0; err == nil && r < s.Table.NumRows() && len(w.row) > 0; r++ {
		if err = context.Cause(ctx); err == nil {
			err = w.fill(r)
		}
		if err == nil {
			err = out.SetRow("A"+strconv.Itoa(r+2), w.row)
		}
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("table: writing the sheet %q: %w", name, err)
	}
	return nil
}

func heading(s Sheet, i int) string {
	if i < len(s.Headings) && s.Headings[i] != "" {
		return s.Headings[i]
	}
	return s.Table.Column(i).Name
}

// widths makes columns wide enough for their headings and first cells, and keeps the header in sight.
func (w *sheetWriter) widths(out *excelize.StreamWriter, headings []string) error {
	const sample, least, most = 50, 8, 60
	const columns = 100 // the library takes time by the square of them; the others have Excel's width
	for c := range w.row[:min(len(w.row), columns)] {
		n := utf8.RuneCountInString(heading(Sheet{Table: w.table, Headings: headings}, c))
		for r := range min(sample, w.table.NumRows()) {
			n = max(n, utf8.RuneCountInString(w.table.Value(r, c).Text()))
		}
		if err := out.SetColWidth(c+1, c+1, float64(min(max(n+2, least), most))); err != nil {
			return err
		}
	}
	if len(w.row) == 0 {
		return nil
	}
	return out.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"})
}

func (w *sheetWriter) makeStyles(f *excelize.File, formats []string) error {
	var err error
	if w.bold, err = f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}}); err != nil {
		return err
	}
	w.styles = make([]int, len(w.row))
	for i := range w.styles {
		code := ""
		if i < len(formats) {
			code = formats[i]
		}
		if code == "" {
			code = sheetFormat(w.table.Column(i))
		}
		if code == "" {
			continue
		}
		if w.styles[i], err = f.NewStyle(&excelize.Style{CustomNumFmt: &code}); err != nil {
			return err
		}
	}
	return nil
}

// fill puts the cells of a row into w.row.
func (w *sheetWriter) fill(r int) error {
	for c := range w.row {
		v := w.table.Value(r, c)
		col := w.table.Column(c)
		if v.IsNull() {
			w.row[c] = nil
			continue
		}
		cell := w.cell(v, col)
		if s, ok := cell.(string); ok {
			if n := units(s); n > sheetCellText {
				return &table.LimitError{
					What:  table.LimitCell,
					Limit: sheetCellText,
					Text: fmt.Sprintf(
						"column %q, row %d: the text has %d characters and a cell holds %d; save it as CSV or Parquet",
						col.Name,
						r+1,
						n,
						sheetCellText,
					),
				}
			}
			cell = sheetString(s)
		}
		w.row[c] = excelize.Cell{StyleID: w.styles[c], Value: cell}
	}
	return nil
}

// cell is a value as a sheet stores it: a number, a boolean or a text.
func (w *sheetWriter) cell(v table.Value, col table.Column) any {
	switch v.Type() {
	case table.Bool:
		return v.Bool()
	case table.Float:
		f, _ := v.Float()
		if col.Unit == "%" {
			f /= 100
		}
		return f
	case table.Int, table.Decimal:
		text := v.Text()
		if infer.SignificantDigits(text) > sheetDigits {
			return text
		}
		f, _ := strconv.ParseFloat(text, 64) // it is a plain number of few digits
		if col.Unit == "%" {
			f, _ = strconv.ParseFloat(text+"e-2", 64)
		}
		return f
	case table.Date, table.DateTime:
		micros := v.InMicros()
		if v.Type() == table.DateTime {
			if !isZone(col.Zone) && col.Zone != "" {
				return v.Text()
			}
			micros = shownIn(micros, col.Zone)
		}
		return sheetDays(micros-epoch1900*table.DayMicros, 61*table.DayMicros, v)
	case table.Time, table.Duration:
		return sheetDays(v.InMicros(), -1<<62, v)
	}
	return v.Text()
}

// shownIn is the time that clocks in a zone show at an instant.
func shownIn(micros int64, zone string) int64 {
	if zone == "" || zone == "UTC" {
		return micros
	}
	_, offset := time.UnixMicro(micros).In(table.Location(zone)).Zone()
	return micros + int64(offset)*1_000_000
}

// sheetDays is a time as a count of days; its text where it is below the least, or where the count would not give it
// back.
func sheetDays(micros, least int64, v table.Value) any {
	days := float64(micros) / table.DayMicros
	back, ok := roundMicros(days, strconv.FormatFloat(days, 'f', -1, 64))
	if micros < least || !ok || back != micros {
		return v.Text()
	}
	return days
}

// sheetString is a text as the library wants it, which cuts nothing of it.
func sheetString(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\ufffd")
}
