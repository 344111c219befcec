package xlsx

import (
	"strings"

	"catena/internal/text"
	"catena/table"
	"catena/table/infer"
)

// mixed types a column of texts beside other cells: texts that mean the same kind of value are read as such; a few
// others among many are null.
func (s *sheetTyper) mixed(numbers, dates int) infer.Result {
	if s.counts[sheetBool] > 0 || numbers > 0 && dates > 0 {
		return s.asText()
	}
	read, words, bad, spans := 0, 0, []int{}, s.spans()
	kept := append([]sheetCell(nil), s.cells...)
	point, usual := s.writtenPoint(), s.usual()
	for i := range s.cells {
		c := &s.cells[i]
		if c.kind != sheetText {
			continue
		}
		text := strings.TrimSpace(c.text)
		switch {
		case text == "" || infer.IsNullWord(text):
			c.kind = sheetBlank
			words++
		case dates > 0 && isMoment(text), spans && !spanOf(text).IsNull():
			c.kind, c.text = sheetDate, text
			read++
		default:
			plain, ok := readWritten(text, point, usual.unit)
			if !ok || numbers == 0 {
				bad = append(bad, i)
				break
			}
			c.kind, c.text, c.format, c.exact = sheetNumber, plain, usual, true
			read++
		}
	}
	if len(bad) > 0 && (numbers+dates < 20 || len(bad)*20 > numbers+dates) {
		s.cells = kept
		return s.asText()
	}
	for _, i := range bad {
		s.cells[i].kind = sheetBlank
	}
	s.counts[sheetText] = 0
	s.noteMixed(read, words, bad, kept)
	if point == ',' && read > 0 && numbers > 0 {
		s.note("the comma was read as the decimal point of numbers written as text")
	}
	if numbers > 0 {
		s.counts[sheetNumber] += read
		return s.numbers()
	}
	return s.moments()
}

func (s *sheetTyper) noteMixed(read, words int, bad []int, kept []sheetCell) {
	if read > 0 {
		s.note("%s text that was read like the others", text.CountOf(read, "cell holds", "cells hold"))
	}
	if words > 0 {
		s.note("%s read as null", text.CountOf(words, "cell such as NA or - was", "cells such as NA or - were"))
	}
	if len(bad) > 0 {
		var shown []string
		for _, i := range bad[:min(len(bad), 5)] {
			shown = append(shown, text.Clip(kept[i].text, 30))
		}
		s.note(
			"%s null: %s",
			text.CountOf(len(bad), "text among numbers or dates is", "texts among numbers or dates are"),
			table.QuoteList(shown, 5),
		)
	}
}

// usual is the format of the first number.
func (s *sheetTyper) usual() *numFormat {
	for _, c := range s.cells {
		if c.kind == sheetNumber && !c.format.percent {
			return c.format
		}
	}
	return &numFormat{decimals: -1}
}

func writtenPlain(s string) bool {
	kind, _, _ := infer.ScanNumber(s)
	return kind == infer.Whole || kind == infer.Fraction || kind == infer.Exponent
}

// writtenPoint is the decimal point of the numbers among the texts of a column, where some can be read with one point
// only and none with the other only; else 0.
func (s *sheetTyper) writtenPoint() byte {
	dots, commas := false, false
	for _, c := range s.cells {
		if c.kind != sheetText {
			continue
		}
		_, _, dot := undressNumber(c.text, '.')
		_, _, comma := undressNumber(c.text, ',')
		dots, commas = dots || dot && !comma, commas || comma && !dot
	}
	switch {
	case dots == commas:
		return 0
	case commas:
		return ','
	}
	return '.'
}

// undressNumber gives a number that is written as text as a plain one, and its currency. Percentages and codes with
// leading zeros are none.
func undressNumber(s string, point byte) (plain, unit string, ok bool) {
	plain, look, ok := infer.Undress(s, point)
	return plain, look.Unit, ok && look.Unit != "%" && writtenPlain(plain)
}

// readWritten reads a text beside numbers of a unit, "" for none. With the point open it reads what is a plain number,
// or means the same with both points.
func readWritten(text string, point byte, unit string) (plain string, ok bool) {
	if kind, _, _ := infer.ScanNumber(
		text,
	); kind == infer.Whole || kind == infer.Exponent ||
		kind == infer.Fraction && point != ',' {
		return text, true
	}
	read := point
	if point == 0 {
		read = '.'
	}
	plain, written, ok := undressNumber(text, read)
	if other, _, _ := undressNumber(text, ','); point == 0 && other != plain {
		return "", false
	}
	return plain, ok && (written == "" || written == unit)
}
