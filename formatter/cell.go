package formatter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"catena/formatter/number"
	"catena/profiler"
	"catena/table"
)

// look is how the cells of one column are written; it is decided once for the column.
type look struct {
	format   profiler.Suggestion
	locale   Locale
	negative Negative
	compact  bool
	raw      bool // canonical text
	bare     bool // without percent sign
	tame     bool // what is written needs no escapes in any output

	numbers number.Writer
	minus   string
	day     string  // CLDR pattern of the date in front of a layout; "" where the layout says it all
	from    float64 // compact: the size from which on numbers are shortened
	below   float64 // numbers that are smaller would be shown as zero
	clock   string  // the rest of the layout, for package time
}

// looksOf decides how the columns of a view are written.
func (v *View) looksOf(opt Options) {
	v.looks = make([]look, len(v.Columns))
	for i := range v.Columns {
		c, l := &v.Columns[i], &v.looks[i] // large
		l.format, l.locale, l.negative, l.compact, l.raw = c.Format, v.locale, opt.Negative,
			opt.Compact && compactable(c), opt.Raw
		l.prepare()
		l.tame = l.isTame(v.shown.Column(i).Type)
	}
}

// compactable reports whether large numbers of a column may be shortened: amounts and counts, no identifiers, years or
// percentages.
func compactable(c *Column) bool {
	return c.Metadata.Role == profiler.RoleMeasure && c.Format.Kind != "percent"
}

// prepare makes what writing a cell needs.
func (l *look) prepare() {
	l.minus = Minus
	if l.raw || l.negative == Hyphen {
		l.minus = ASCIIMinus
	}
	if l.format.Numeric() {
		f := NumberFormat(l.format, l.minus)
		if l.negative == Parentheses && !l.format.Plus {
			f.Sign = '('
		}
		l.numbers, l.below = f.In(l.locale), vanishing(l.format)
		if l.compact {
			l.from = l.compactFrom()
		}
	}
	if l.format.Kind == "date" {
		l.day, l.clock = dayPattern(l.format.Layout, l.locale)
	}
}

// compactFrom is the size from which on a locale shortens numbers: ten thousand, or a million where it has no short
// word for thousands.
func (l *look) compactFrom() float64 {
	const first = 10_000
	digits := 0
	for _, c := range l.compacted(nil, table.IntValue(first)) {
		if c >= '0' && c <= '9' {
			digits++
		}
	}
	if digits >= len("10000") {
		return 1e6
	}
	return first
}

// compacted writes a number with one digit after the point and the locale's word for its magnitude.
func (l *look) compacted(b []byte, value table.Value) []byte {
	f := NumberFormat(l.format, l.minus).WithPrecision(1)
	f.Type, f.Trim, f.Group = 'k', true, 0
	if l.negative == Parentheses && !l.format.Plus {
		f.Sign = '('
	}
	return f.Append(b, value, l.locale)
}

// append writes a cell as it is shown, without escaping or cutting. It takes a pointer since cells are large and copied
// for each call otherwise.
func (l *look) append(b []byte, value *table.Value) []byte {
	typ := value.Type()
	switch {
	case l.raw, typ == table.Text, typ == table.JSON:
		return value.AppendText(b)
	case typ == table.Null:
		return b
	case typ.Numeric() && l.format.Numeric():
		return l.number(b, value)
	case l.format.Kind == "weekday" || l.format.Kind == "month":
		return l.period(b, value)
	case l.format.Kind == "date" && typ.Temporal() && l.day != "":
		at, _ := value.Time()
		b = l.locale.AppendTime(b, at, l.day)
		return at.AppendFormat(b, l.clock)
	case typ == table.Duration:
		micros, _ := value.Micros()
		return number.AppendDuration(b, micros, number.UnitDuration)
	case l.format.Kind == "date" && typ == table.Date && l.format.Layout == time.DateOnly:
		return value.AppendText(b)
	}
	return appendValue(b, *value, l.format, l.locale, l.minus)
}

func (l *look) number(b []byte, value *table.Value) []byte {
	if l.compact || value.Type() == table.Float {
		switch f, _ := value.Float(); {
		case f >= astronomicFrom || f <= -astronomicFrom:
			return appendValue(b, *value, l.format, l.locale, l.minus)
		case l.compact && (f >= l.from || f <= -l.from):
			return l.compacted(b, *value)
		}
	}
	start := len(b)
	if size, ok := tiny(value, l.below); ok {
		f := NumberFormat(l.format, l.minus)
		if l.negative == Parentheses && !l.format.Plus {
			f.Sign = '('
		}
		f = inFigures(f, size)
		b = f.Append(b, *value, l.locale)
	} else {
		b = l.numbers.AppendTo(b, value)
	}
	if !l.bare {
		return b
	}
	return b[:start+len(bytes.TrimSuffix(b[start:], []byte{'%'}))]
}

// period writes the name of a weekday, 1 being Monday, or a month; another number is written as it is.
func (l *look) period(b []byte, value *table.Value) []byte {
	n, ok := periodNumber(*value, l.format.Kind)
	switch {
	case !ok:
		return value.AppendText(b)
	case l.format.Kind == "weekday":
		return append(b, l.locale.Weekday(time.Weekday(n%7))...)
	}
	return append(b, l.locale.Month(time.Month(n))...)
}

// dayPattern is how a locale writes the date that an ISO layout begins with, and what follows it: the locale's short
// date with a year of four digits. English has many ways; there dates stay as ISO 8601 has them, which no reader takes
// for another day.
func dayPattern(layout string, loc Locale) (day, rest string) {
	if tag := loc.Tag(); tag == "en" || strings.HasPrefix(tag, "en-") {
		return "", ""
	}
	short := loc.DatePattern(number.ShortDate)
	if !strings.Contains(short, "yyyy") {
		short = strings.Replace(short, "yy", "y", 1)
	}
	if rest, ok := strings.CutPrefix(layout, time.DateOnly); ok {
		return short, rest
	}
	if layout != "2006-01" {
		return "", ""
	}
	for _, part := range []string{"dd.", "d.", "dd/", "d/", "dd-", "d-", "/dd", "/d", "-dd", "-d", ".dd", ".d"} {
		if at := strings.Index(short, part); at >= 0 {
			return short[:at] + short[at+len(part):], ""
		}
	}
	return "", ""
}

// appendCell writes a cell as it is shown, without escaping or cutting.
func (v *View) appendCell(b []byte, row, col int) []byte {
	value := v.shown.Value(row, col)
	return v.looks[col].append(b, &value)
}

// Cell is one cell as it is shown, without any escaping or cutting.
func (v *View) Cell(row, col int) string {
	var buf [64]byte
	return string(v.appendCell(buf[:0], row, col))
}

// full is Cell for columns that hold texts, which cost no allocation. Lists of single values are written as people
// write them.
func (v *View) full(row, col int) string {
	switch typ := v.shown.Column(col).Type; {
	case typ == table.JSON && !v.raw:
		return listText(v.shown.Text(row, col))
	case typ == table.Text, typ == table.JSON:
		return v.shown.Text(row, col)
	}
	return v.Cell(row, col)
}

// listText writes a JSON list of numbers, texts and truths with commas between them. JSON stays what is no such list,
// is long, or would read otherwise: an empty text, one with a comma of its own.
func listText(cell string) string {
	const most = 4096
	var list []any
	d := json.NewDecoder(strings.NewReader(cell))
	d.UseNumber()
	if !strings.HasPrefix(cell, "[") || len(cell) > most || d.Decode(&list) != nil || len(list) == 0 {
		return cell
	}
	parts := make([]string, len(list))
	for i, element := range list {
		switch x := element.(type) {
		case json.Number, bool:
			parts[i] = fmt.Sprint(x)
		case string:
			parts[i] = x
		}
		if parts[i] == "" || strings.Contains(parts[i], ",") {
			return cell
		}
	}
	return strings.Join(parts, ", ")
}

// Text is a cell as it is shown, without any escaping, cut to the view's limit. Lists of single values have commas
// between them.
func (v *View) Text(row, col int) string { return cut(v.full(row, col), v.maxCell) }

// isTame reports whether what is written of a column holds no characters that any output would have to escape: numbers,
// dates and the like by formats of our own. Layouts of dates come with the data and may hold anything.
func (l *look) isTame(typ table.Type) bool {
	return typ != table.Text && typ != table.JSON && allSafe(l.format.Layout, &markdownSafe) &&
		allSafe(l.format.Layout, &htmlSafe) && !strings.ContainsAny(l.day, "'")
}
