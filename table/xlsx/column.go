package xlsx

import (
	"fmt"
	"strconv"
	"strings"

	"catena/internal/text"
	"catena/table"
	"catena/table/csv"
	"catena/table/infer"
)

// sheetColumn types a column of a sheet. The cells' own types count: a text never becomes a number because it looks
// like one, but for a few among many numbers. Texts may be dates, as those of JSON. What cannot be kept is null and
// said in a note.
func (s *sheet) sheetColumn(name string, cells []int32, texts []string) infer.Result {
	typer := &sheetTyper{name: name, cells: make([]sheetCell, len(cells))}
	for i, at := range cells {
		switch {
		case at > 0:
			typer.cells[i] = s.cells[at-1]
		case at == csv.AddedText:
			typer.cells[i] = sheetCell{kind: sheetText, text: texts[i]}
		}
	}
	out := typer.infer()
	out.Column.Name = name
	for i, note := range typer.notes {
		typer.notes[i] = fmt.Sprintf("column %q: %s", name, note)
	}
	out.Notes = append(out.Notes, typer.notes...)
	return out
}

// sheetTyper chooses the type of one column.
type sheetTyper struct {
	name   string
	cells  []sheetCell
	counts [sheetError + 1]int
	times  int // numbers that are dates, times or durations
	notes  []string
}

func (s *sheetTyper) note(text string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(text, args...))
}

func (s *sheetTyper) infer() infer.Result {
	for i := range s.cells {
		c := &s.cells[i]
		if c.kind == sheetNumber && (c.format.date || c.format.clock) {
			s.times++
		}
		s.counts[c.kind]++
	}
	s.dropErrors()
	numbers, dates := s.counts[sheetNumber]-s.times, s.times+s.counts[sheetDate]
	texts, bools := s.counts[sheetText], s.counts[sheetBool]
	switch {
	case numbers+dates+texts+bools == 0:
		return infer.Result{Array: table.Nulls(len(s.cells))}
	case texts == 0 && dates == 0 && bools == 0:
		return s.numbers()
	case texts == 0 && numbers == 0 && bools == 0:
		return s.moments()
	case texts == 0 && numbers == 0 && dates == 0:
		return s.bools()
	case numbers+dates+bools == 0:
		return s.texts()
	}
	return s.mixed(numbers, dates)
}

// dropErrors makes cells with an error null.
func (s *sheetTyper) dropErrors() {
	if s.counts[sheetError] == 0 {
		return
	}
	codes := map[string]bool{}
	var names []string
	for i := range s.cells {
		if c := &s.cells[i]; c.kind == sheetError {
			if !codes[c.text] {
				codes[c.text], names = true, append(names, text.Clip(c.text, 20))
			}
			c.kind = sheetBlank
		}
	}
	s.note(
		text.CountOf(
			s.counts[sheetError],
			"cell has an error (%s) and is null",
			"cells have an error (%s) and are null",
		),
		strings.Join(names[:min(len(names), 5)], ", "),
	)
}

func (s *sheetTyper) bools() infer.Result {
	b := table.NewColumnBuilder(table.Column{Type: table.Bool}, len(s.cells))
	for _, c := range s.cells {
		if c.kind == sheetBlank {
			b.AppendNull()
		} else {
			b.AppendBool(c.text == "1" || c.text == "true")
		}
	}
	return infer.Result{Column: b.Col, Array: b.Finish()}
}

// numbers types plain numbers, percentages and amounts. Sheets hold doubles; those of up to 15 digits are taken for the
// decimal that they show. Percentages become the number before the sign, as in text, with the unit %.
func (s *sheetTyper) numbers() infer.Result {
	look := s.numberLook()
	if look.several {
		return s.withUnits()
	}
	texts := make([]string, len(s.cells))
	shape := infer.NewNumberShape()
	long, exact := false, false
	for i, c := range s.cells {
		if c.kind != sheetNumber {
			continue
		}
		texts[i] = c.number()
		exact = exact || c.exact
		long = long || !c.exact && infer.SignificantDigits(texts[i]) > sheetDigits
		if look.percents && !c.format.hundred {
			texts[i] = hundredfold(texts[i])
		}
		shape.Add(texts[i])
	}
	col, notes := shape.Column(texts, false)
	switch {
	case col.Type == table.Decimal && (long || col.Scale > 15):
		if col = (table.Column{Type: table.Float}); exact {
			notes = infer.LossNotes(infer.CountLost(texts))
		}
	case look.decimals > 0 && (col.Type == table.Decimal || col.Type == table.Int) &&
		shape.Digits+look.decimals <= table.MaxDigits && int(col.Scale) <= look.decimals:
		col.Type, col.Scale = table.Decimal, int32(look.decimals)
	}
	s.notes = append(s.notes, notes...)
	col.Unit = look.unit
	out, ok := infer.NumberResult(col, texts, nil)
	if !ok {
		return s.asText()
	}
	return out
}

// numberLook is how the numbers of a column are shown.
type numberLook struct {
	percents bool // all of them
	decimals int  // of all of them; -1 where they differ
	unit     string
	several  bool // two units or more
}

// numberLook looks at the formats of all numbers; what they do not have in common is noted.
func (s *sheetTyper) numberLook() numberLook {
	var look numberLook
	percents, hundreds, scaled, units, guessed, first := 0, 0, 0, map[string]bool{}, false, true
	for _, c := range s.cells {
		if c.kind != sheetNumber {
			continue
		}
		switch {
		case c.format.percent:
			percents++
		case c.format.hundred:
			hundreds++
		case c.format.scaled:
			scaled++
		}
		look.unit, guessed = c.format.unit, guessed || c.format.guessed
		units[look.unit] = true
		if first {
			look.decimals, first = c.format.decimals, false
		} else if look.decimals != c.format.decimals {
			look.decimals = -1
		}
	}
	n := s.counts[sheetNumber]
	if scaled > 0 {
		s.note(
			"%s; the table has the numbers as they are stored",
			text.CountOf(
				scaled,
				"number is shown in thousands or millions by its format",
				"numbers are shown in thousands or millions by their format",
			),
		)
	}
	if look.percents = percents > 0 && percents+hundreds == n; percents > 0 && !look.percents {
		s.note(
			"%s, of %d in all; all are kept as they are stored",
			text.CountOf(percents, "number is shown as a percentage", "numbers are shown as percentages"),
			n,
		)
	}
	if len(units) > 1 {
		delete(units, "")
		look.unit, look.several = "", percents == 0 && len(units) > 1
		switch {
		case look.several:
			s.note("its numbers are in several units, so each is a text with its unit")
		case percents == 0:
			s.note("some of its numbers have a unit and some have none, so it has none")
		}
	} else if guessed {
		s.note("$ was read as US dollars")
	}
	return look
}

// number is the shortest decimal that means the same double; those of more than 15 digits are doubles that were
// computed.
func (c sheetCell) number() string {
	if c.exact {
		return c.text
	}
	if kind, digits, scale := infer.ScanNumber(
		c.text,
	); kind == infer.Whole && digits <= 15 ||
		kind == infer.Fraction && digits+int(scale) <= 15 {
		return c.text
	}
	v := c.value()
	if v.Type() != table.Float {
		return ""
	}
	return v.Text()
}

// hundredfold moves the point of a plain number by two places.
func hundredfold(s string) string {
	if strings.Contains(s, "e") {
		f, _ := strconv.ParseFloat(s, 64) // ScanNumber has accepted it
		return strconv.FormatFloat(f*100, 'g', -1, 64)
	}
	sign := ""
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		sign, s = s[:1], s[1:]
	}
	intPart, frac, _ := strings.Cut(s, ".")
	frac += "00"
	intPart, frac = strings.TrimLeft(intPart+frac[:2], "0"), strings.TrimRight(frac[2:], "0")
	if intPart == "" {
		intPart = "0"
	}
	if frac == "" {
		return sign + intPart
	}
	return sign + intPart + "." + frac
}

// texts types a column of texts only. Where all their cells are formatted as text they stay so.
func (s *sheetTyper) texts() infer.Result {
	t := &infer.Texts{
		Name:   s.name,
		Cells:  make([]string, len(s.cells)),
		Absent: make([]bool, len(s.cells)),
		Quoted: true,
	}
	typed := true
	for i, c := range s.cells {
		t.Cells[i], t.Absent[i] = c.text, c.kind == sheetBlank
		typed = typed && (t.Absent[i] || c.format.text || c.format.mask != "")
	}
	if typed {
		return t.AsText()
	}
	if values, _ := t.Trimmed(); values != nil {
		for _, point := range [...]byte{'.', ','} {
			if out, ok := infer.DressedNumbers(values, point, false); ok && out.Column.Unit != "" {
				s.notes = append(s.notes, out.Notes...)
				out.Notes = nil
				s.note("amounts written as text were read as numbers")
				return out
			}
		}
	}
	return t.Infer()
}

// asText gives all cells as text: dates as they are stored, and numbers with the point of the numbers among the texts.
func (s *sheetTyper) asText() infer.Result {
	point := "."
	if s.writtenPoint() == ',' {
		point = ","
	}
	b := table.NewColumnBuilder(table.Column{Type: table.Text}, len(s.cells))
	for _, c := range s.cells {
		switch c.kind {
		case sheetBlank:
			b.AppendNull()
		case sheetText:
			b.AppendText(c.text)
		case sheetNumber:
			if c.format.date || c.format.clock {
				b.AppendText(c.shown())
			} else {
				b.AppendText(strings.Replace(c.number(), ".", point, 1))
			}
		default:
			b.AppendText(c.shown())
		}
	}
	arr := b.Finish()
	if n, filled := s.counts[sheetText], arr.Len()-arr.NullN(); n > 0 && n < filled {
		s.note(
			"%s and %s are mixed, so all are text",
			text.CountOf(filled-n, "number, date or boolean", "numbers, dates or booleans"),
			text.CountOf(n, "text", "texts"),
		)
	}
	return infer.Result{Column: b.Col, Array: arr}
}

// withUnits gives numbers in several units as texts with their units, as other files write them: a number alone would
// lose its own.
func (s *sheetTyper) withUnits() infer.Result {
	b := table.NewColumnBuilder(table.Column{Type: table.Text}, len(s.cells))
	for _, c := range s.cells {
		switch {
		case c.kind == sheetBlank:
			b.AppendNull()
		case c.kind == sheetNumber && c.format.unit != "":
			b.AppendText(c.number() + " " + c.format.unit)
		default:
			b.AppendText(c.number())
		}
	}
	return infer.Result{Column: b.Col, Array: b.Finish()}
}
