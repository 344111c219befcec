package xlsx

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"catena/table"
	"catena/table/infer"
)

// numFormat is what a number format says about the numbers that it shows.
type numFormat struct {
	date     bool   // has years, months or days
	clock    bool   // has hours, minutes or seconds
	elapsed  bool   // hours, minutes or seconds that go on beyond a day: [h]:mm
	percent  bool   // shows the hundredfold
	text     bool   // "@": what is typed is text
	mask     string // 00000 or 000-0000: the digits are a code, which has so many
	decimals int    // digits after the point; -1 where the format leaves them open
	unit     string // currency or a unit that stands behind the number
	guessed  bool   // the sign of the currency is used for several
	scaled   bool   // commas behind the digits show thousands or millions of the number
	hundred  bool   // "%" as a text: the number is that of the hundredths already
	zone     string // of a date-time, as this package writes it
	from04   bool   // days are counted from 1904-01-01
}

// builtinFormats are the number formats that files name by number alone (ECMA-376 part 1, 18.8.30). Those for East
// Asian dates are all dates.
var builtinFormats = map[int]string{
	0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: "$#,##0", 6: "$#,##0", 7: "$#,##0.00",
	8: "$#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
	12: "# ?/?", 13: "# ??/??", 14: "m/d/yyyy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM",
	19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
	22: "m/d/yyyy h:mm", 37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00", 41: "#,##0", 42: "$#,##0",
	43: "#,##0.00", 44: "$#,##0.00",
	45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
}

func builtinFormat(id int) string {
	if id >= 27 && id <= 36 || id >= 50 && id <= 58 {
		return "yyyy-mm-dd"
	}
	return builtinFormats[id]
}

// readStyles reads the number formats of the cells' styles.
func (w *workbook) readStyles() error {
	text, err := w.part("styles")
	if err != nil {
		return err
	}
	codes, known := map[int]string{}, map[int]*numFormat{}
	inside := false
	x := &xmlScanner{s: text}
	for kind := x.next(); kind != xmlEnd; kind = x.next() {
		switch {
		case x.name == "cellXfs" && kind != xmlText:
			inside = kind == xmlOpen
		case kind != xmlOpen && kind != xmlEmpty:
		case x.name == "numFmt":
			if id, err := strconv.Atoi(x.attr("numFmtId")); err == nil {
				codes[id] = x.attr("formatCode")
			}
		case x.name == "xf" && inside:
			id, _ := strconv.Atoi(x.attr("numFmtId"))
			if known[id] == nil {
				code, ok := codes[id]
				if !ok {
					code = builtinFormat(id)
				}
				known[id] = parseFormat(code)
				known[id].from04 = w.from04
			}
			w.styles = append(w.styles, known[id])
		}
	}
	if len(w.styles) == 0 {
		w.styles = []*numFormat{{decimals: -1, from04: w.from04}}
	}
	return nil
}

// localeDollars are the countries of a dollar sign by the language identifier that stands beside it in a number format.
var localeDollars = map[string]string{
	"409": "USD", "C09": "AUD", "1009": "CAD", "C0C": "CAD", "1409": "NZD", "4809": "SGD", "C04": "HKD", "80A": "MXN",
	"340A": "CLP", "2C0A": "ARS", "240A": "COP",
	"41D": "SEK", "414": "NOK", "406": "DKK", "411": "JPY", "804": "CNY",
}

// parseFormat reads a number format (ECMA-376 part 1, 18.8.31), as far as types go: its first section.
func parseFormat(code string) *numFormat {
	f := &numFormat{decimals: -1}
	if code == "" || strings.EqualFold(code, "general") {
		return f
	}
	r := formatReader{numFormat: f}
	for i := 0; i < len(code) && !r.end; i++ {
		i += r.read(code, i)
	}
	f.settle(r.word.String(), r.digits, r.minutes)
	if strings.HasPrefix(code, "00") && strings.Trim(code, "0-") == "" {
		f.mask = code
	}
	return f
}

// formatReader is a number format that is being read.
type formatReader struct {
	*numFormat
	word                        strings.Builder // literal text
	digits, point, minutes, end bool
}

// read takes what stands at i and gives the number of further bytes that belong to it.
func (r *formatReader) read(code string, i int) int {
	switch c := code[i]; c {
	case ';':
		r.end = true
	case '"', '\\', '_', '*', '[':
		return r.enclosed(code[i:])
	case '%':
		r.percent = true
	case '@':
		r.text = true
	case '0', '#', '?':
		r.digit()
	case ',':
		r.scaled = r.scaled || r.digits && i > 0 && strings.IndexByte("0#?,.", code[i-1]) >= 0
	case '.':
		r.point = r.digits || !r.clock
	case 'e', 'E':
		if r.digits && i+1 < len(code) && (code[i+1] == '+' || code[i+1] == '-') {
			r.decimals, r.end = -1, true
		} else {
			r.date = true
		}
	case 'y', 'Y', 'd', 'D', 'g', 'G', 'h', 'H', 's', 'S', 'm', 'M', 'a', 'A':
		r.minutes = r.minutes || c == 'm' || c == 'M'
		return r.letter(code[i:])
	case '/':
		if r.digits { // a fraction, to the end of the section
			r.decimals, r.end = -1, true
		}
	case ' ', '-', '(', ')', '+', ':':
	default:
		r.word.WriteByte(c)
	}
	return 0
}

// enclosed takes a text in quotes or brackets, or the character behind a mark, that rest begins with, and gives the
// number of bytes behind its first.
func (r *formatReader) enclosed(rest string) int {
	switch rest[0] {
	case '"':
		text, _, _ := strings.Cut(rest[1:], `"`)
		r.word.WriteString(text)
		return len(text) + 1
	case '\\':
		r.word.WriteString(rest[1:min(2, len(rest))])
	case '[':
		n := strings.IndexByte(rest, ']')
		if r.end = n < 0; r.end {
			return 0
		}
		r.bracket(rest[1:n], &r.word)
		return n
	}
	return 1
}

// digit takes the place of a digit. In clocks it is one of a fraction of a second.
func (r *formatReader) digit() {
	if r.clock || r.date {
		return
	}
	r.scaled = false // 0,0: the comma stands between digits
	if r.digits = true; r.point {
		r.decimals++
	} else {
		r.decimals = 0
	}
}

// masked writes the digits of a whole number into the mask, from the last one on, and reports whether it could.
func (f *numFormat) masked(digits string) (string, bool) {
	if f.mask == "" || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return digits, false
	}
	var out []byte
	rest := len(digits)
	for i := len(f.mask) - 1; i >= 0; i-- {
		c := f.mask[i]
		if c == '0' && rest > 0 {
			rest--
			c = digits[rest]
		}
		out = append(out, c)
	}
	slices.Reverse(out)
	return digits[:rest] + string(out), true
}

// letter reads a letter of a date or clock that rest begins with, and gives the number of bytes behind it that belong
// to it. An m may be months or minutes: settle decides.
func (f *numFormat) letter(rest string) int {
	switch rest[0] {
	case 'h', 'H', 's', 'S':
		f.clock = true
	case 'y', 'Y', 'd', 'D', 'g', 'G':
		if len(rest) >= len("general") && strings.EqualFold(rest[:len("general")], "general") {
			return len("general") - 1
		}
		f.date = true
	case 'a', 'A':
		for _, mark := range []string{"AM/PM", "A/P"} {
			if len(rest) >= len(mark) && strings.EqualFold(rest[:len(mark)], mark) {
				return len(mark) - 1
			}
		}
	}
	return 0
}

// bracket reads [h], [$€-407] and the like; colours and conditions say nothing of types.
func (f *numFormat) bracket(s string, word *strings.Builder) {
	if sign, ok := strings.CutPrefix(s, "$"); ok {
		sign, locale, _ := strings.Cut(sign, "-")
		if sign == "$" || sign == "kr" || sign == "¥" || sign == "￥" {
			if code := localeDollars[strings.ToUpper(strings.TrimLeft(locale, "0"))]; code != "" {
				sign = code
			}
		}
		word.WriteString(sign)
		return
	}
	if low := strings.ToLower(s); low != "" &&
		(strings.Trim(low, "h") == "" || strings.Trim(low, "m") == "" || strings.Trim(low, "s") == "") {
		f.clock, f.elapsed = true, true
	}
}

// unitWord is a literal text of a number format that is a unit.
var unitWord = regexp.MustCompile(`^[\p{L}°µ][\p{L}\d²³/·]{0,11}$`)

// shownScales are the words of number formats for thousands and more, in lower case, and what they are called in units.
// Longer ones stand before those that they begin or end with.
var shownScales = []struct{ word, unit string }{
	{"thousand", "thousands"}, {"million", "millions"}, {"billion", "billions"}, {"trillion", "trillions"},
	{"tsd.", "thousands"}, {"mio.", "millions"}, {"mrd.", "billions"},
	{"tsd", "thousands"}, {"mio", "millions"}, {"mrd", "billions"}, {"bn", "billions"}, {"mn", "millions"},
	{"mm", "millions"}, {"k", "thousands"}, {"t", "thousands"}, {"m", "millions"}, {"b", "billions"},
}

// scaledCurrency takes the currency that a text names beside a magnitude: k€, T€, Mio. EUR, $M. False where it is no
// such text.
func (f *numFormat) scaledCurrency(word string) (multiple string, ok bool) {
	low := strings.ToLower(word)
	if len(low) != len(word) {
		return "", false
	}
	for _, m := range shownScales {
		if rest, found := strings.CutPrefix(low, m.word); found &&
			f.currencyOf(strings.TrimSpace(word[len(word)-len(rest):])) {
			return m.unit, true
		}
		if rest, found := strings.CutSuffix(low, m.word); found && f.currencyOf(strings.TrimSpace(word[:len(rest)])) {
			return m.unit, true
		}
	}
	return "", false
}

// currencyOf takes the currency that a text is the sign or code of; false where it is none.
func (f *numFormat) currencyOf(word string) bool {
	for _, s := range infer.Symbols {
		if word == s.Sign {
			f.unit, f.guessed = s.Code, s.Sign == "$"
			return true
		}
	}
	return false
}

// settle decides what the literal text and the letter m mean.
func (f *numFormat) settle(word string, digits, minutes bool) {
	word = strings.TrimSpace(word)
	if minutes && !f.clock || minutes && f.date {
		f.date = true
	}
	if f.date || f.clock {
		f.decimals, f.percent = -1, false
		if f.date && f.clock && isZone(word) {
			f.zone = word
		}
		return
	}
	if f.percent {
		f.unit = "%"
		return
	}
	switch {
	case f.scaled: // what stands there is the unit of the shown number: of the stored one it can only be the currency
		f.decimals = -1
		if !f.currencyOf(word) {
			f.scaledCurrency(word)
		}
	case f.currencyOf(word), !digits:
	case word == "%":
		f.unit, f.hundred = "%", true
	default:
		if multiple, ok := f.scaledCurrency(word); ok {
			f.unit += " " + multiple
		} else if unitWord.MatchString(word) {
			f.unit = word
		}
	}
}

// isZone reports whether a text names a zone that times can be brought to.
func isZone(s string) bool {
	if s == "UTC" {
		return true
	}
	if _, err := time.Parse("-07:00", s); err == nil {
		return true
	}
	_, err := time.LoadLocation(s)
	return err == nil && strings.Contains(s, "/")
}

// Value is a number as its format means it; null where it is a day that does not exist.
func (c sheetCell) value() table.Value {
	f, err := strconv.ParseFloat(c.text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return table.NullValue
	}
	switch {
	case c.format.date:
		return c.format.moment(f, c.text)
	case c.format.clock:
		micros, ok := roundMicros(f, c.text)
		if !ok {
			return table.NullValue
		}
		if c.format.elapsed || micros < 0 || micros >= table.DayMicros {
			return table.DurationOfMicros(micros)
		}
		return table.MicrosValue(table.Time, micros, "")
	}
	return table.FloatValue(f)
}

// The days from which sheets count, as days since 1970-01-01: 1899-12-30 and 1904-01-01.
const (
	epoch1900 = -25569
	epoch1904 = -24107
)
