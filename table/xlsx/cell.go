package xlsx

import (
	"math"
	"strconv"
	"strings"

	"catena/table"
	"catena/table/csv"
	"catena/table/infer"
)

// sheetKind is what a cell of a sheet holds.
type sheetKind uint8

const (
	sheetBlank  sheetKind = iota
	sheetNumber           // the text is the number as the file has it
	sheetText
	sheetBool  // 1 or 0
	sheetDate  // an ISO 8601 text, which some writers use in place of a number
	sheetError // #N/A and the like
)

// sheetCell is one cell of a sheet.
type sheetCell struct {
	text   string
	format *numFormat
	kind   sheetKind
	exact  bool // a number that the file has as text: all its digits count
}

// content tells what a cell of a type holds (ECMA-376 part 1, 18.18.11).
func (w *workbook) content(typ, value, inline string) (sheetKind, string) {
	switch typ {
	case "s":
		i, err := strconv.Atoi(strings.TrimSpace(value))
		switch {
		case value == "" || err == nil && i >= 0 && i < len(w.strings) && w.strings[i] == "":
			return sheetBlank, ""
		case err != nil || i < 0 || i >= len(w.strings):
			return sheetError, "no text " + value
		}
		return sheetText, w.strings[i]
	case "inlineStr":
		if inline == "" {
			return sheetBlank, ""
		}
		return sheetText, inline
	case "str":
		if value == "" {
			return sheetBlank, ""
		}
		return sheetText, unescapeCell(value)
	}
	if value = strings.TrimSpace(value); value == "" {
		return sheetBlank, ""
	}
	switch typ {
	case "b":
		return sheetBool, value
	case "e":
		return sheetError, value
	case "d":
		return sheetDate, value
	}
	if kind, _, _ := infer.ScanNumber(
		strings.TrimLeft(value, "0"),
	); kind == infer.NotNumber && strings.Trim(value, "0") != "" &&
		!strings.HasPrefix(strings.TrimLeft(value, "0"), ".") {
		return sheetText, value
	}
	if f, _ := strconv.ParseFloat(value, 64); math.IsInf(f, 0) { // and no number to calculate with
		return sheetError, value
	}
	return sheetNumber, value
}

// parseRef reads a reference such as BC12: the column from 0, the row from 1 (0 where there is none).
func parseRef(ref string) (col, row int, ok bool) {
	i := 0
	for i < len(ref) && i < 4 && (ref[i]|0x20)-'a' < 26 {
		col = col*26 + int(ref[i]|0x20-'a') + 1
		i++
	}
	if i == 0 || col > 1<<14 {
		return 0, 0, false
	}
	if i < len(ref) {
		n, err := strconv.Atoi(ref[i:])
		if err != nil || n < 1 {
			return 0, 0, false
		}
		row = n
	}
	return col - 1, row, true
}

// parseSpan reads a range such as A1:B2 that covers more than one cell.
func parseSpan(ref string) (csv.Span, bool) {
	a, b, ok := strings.Cut(ref, ":")
	left, top, ok1 := parseRef(a)
	right, bottom, ok2 := parseRef(b)
	ok = ok && ok1 && ok2 && top > 0 && bottom >= top && right >= left
	return csv.Span{Top: top, Bottom: bottom, Left: left, Right: right}, ok
}

// shown is a cell's text as far as the layout needs it.
func (c sheetCell) shown() string {
	switch c.kind {
	case sheetNumber:
		v := c.value()
		if v.Type() == table.Float && infer.SignificantDigits(v.Text()) > sheetDigits { // as sheets show it
			f, _ := v.Float()
			f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', sheetDigits, 64), 64)
			v = table.FloatValue(f)
		}
		if !v.IsNull() {
			return v.Text()
		}
	case sheetBool:
		return strconv.FormatBool(c.text == "1" || c.text == "true")
	case sheetText:
		return strings.TrimSpace(c.text)
	}
	return c.text
}
