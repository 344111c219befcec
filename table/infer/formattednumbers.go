package infer

import "strings"

// commaUse is what the commas in the numbers of a column are.
type commaUse uint8

const (
	noCommas    commaUse = iota
	openCommas           // 1,234: read as separators, though they could be points
	groupCommas          // 1,234,567 or 1,234.5
	pointCommas          // 0,999 or 12,5
	mixedCommas          // 1,234 beside 0,999: not read as numbers
)

// DressedNumbers reads numbers with separators, a currency or a percent sign, if all cells have the same sign. Commas
// are points where all cells that have one say so, or something else has proved it.
func DressedNumbers(values []string, point byte, proven bool) (Result, bool) {
	texts := make([]string, len(values))
	shape := NewNumberShape()
	var look Notation
	first, bracketed, open, shown := true, 0, false, false
	use := noCommas
	for i, s := range values {
		if s == "" {
			continue
		}
		plain, l, ok := Undress(s, point)
		if !ok || !shape.Add(plain) || !first && l.sign != look.sign {
			return Result{}, false
		}
		if strings.IndexByte(s, ',') >= 0 {
			use = max(use, commasOf(s, point))
			mayBe := point == ',' && mayBeThousands(s)
			open, shown = open || mayBe, shown || !mayBe
		}
		if s[0] == '(' {
			bracketed++
		}
		look, first, texts[i] = l, false, plain
	}
	switch {
	case open && shown && !proven:
		return Result{commas: mixedCommas}, false
	case open && !proven:
		return Result{}, false
	}
	if bracketed == shape.n { // (1), (2), (3) are labels
		return Result{}, false
	}
	col, lost := shape.Column(texts, true)
	col.Unit = look.Unit
	var notes []string
	switch look.sign {
	case "$":
		notes = append(notes, "$ was read as US dollars")
	case "¥", "￥":
		notes = append(notes, "¥ may be yen or yuan: the currency stays open")
	case "kr", "kr.":
		notes = append(notes, "kr may be Swedish, Norwegian, Danish or Icelandic: the currency stays open")
	}
	switch {
	case point == ',' && use == noCommas:
		notes, use = append(notes, "the point was read as the separator of thousands"), pointCommas
	case point == ',':
		notes = append(notes, "the comma was read as the decimal point")
	}
	notes = append(notes, lost...)
	if bracketed > 0 {
		notes = append(notes, "numbers in parentheses were read as negative")
	}
	out, ok := NumberResult(col, texts, notes)
	if ok {
		out.commas = use
	}
	return out, ok
}

// mixedAmounts reports whether all cells are numbers, of which some have a currency or a percent sign and others have
// another or none.
func mixedAmounts(values []string) bool {
	var sign string
	first, mixed := true, false
	for _, s := range values {
		if s == "" {
			continue
		}
		_, l, ok := Undress(s, '.')
		if !ok {
			return false
		}
		mixed = mixed || !first && l.sign != sign
		sign, first = l.sign, false
	}
	return mixed
}

// commasOf is the use of the commas in a number that has some, read with a point.
func commasOf(s string, point byte) commaUse {
	switch {
	case point == ',':
		return pointCommas
	case strings.IndexByte(s, '.') >= 0, strings.Count(s, ",") > 1:
		return groupCommas
	}
	return openCommas
}

// SettleCommas reads numbers such as 1,234 with the decimal comma where others of their column have one and no comma
// delimits the cells, as it does where people write points; and where another column of the table has one, or the
// locale does and no comma delimits the cells, and none has other commas.
func SettleCommas(columns []Result, delimiter string, marks LocaleMarks) {
	points, groups := false, false
	mixed := delimiter != "" && delimiter[0] != ','
	for _, c := range columns {
		points = points || c.commas == pointCommas || c.commas == mixedCommas && mixed
		groups = groups || c.commas == groupCommas
	}
	hinted := marks.point == "," && delimiter != ","
	for i, c := range columns {
		if c.commas == mixedCommas && mixed ||
			c.commas == openCommas && (points || hinted) && !groups && c.again != nil {
			values, words := c.again.Trimmed()
			if out, ok := DressedNumbers(values, ',', true); ok {
				if c.commas == openCommas && !points {
					out.Notes = append(out.Notes, "nothing in the text tells it but the locale "+marks.locale)
				}
				columns[i] = c.again.named(out, words)
			}
		}
		columns[i].again = nil
	}
}

// mayBeThousands reports whether a number with commas could as well have thousands separators: 12,345 but not 0,345.
func mayBeThousands(s string) bool {
	plain, _, ok := Undress(s, '.')
	if !ok || !strings.Contains(s, ",") {
		return false
	}
	kind, _, _ := ScanNumber(plain)
	return kind != ZeroLed
}
