package infer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// How the name of a month is written: in short, in full, or both where they are the same. Bits.
const (
	shortMonth = 1 << iota
	fullMonth
)

// monthWord is what a word of a language stands for.
type monthWord struct {
	month int // 1 is January; 0 for a weekday
	day   int // 1 is Monday; 0 for a month
	form  int
}

// monthWords are the names of months and weekdays of a language, in lower case. They are the full names of CLDR 41
// (German, French, Spanish) and its short ones, without points, beside other short ones in use (German Mrz), a word
// that is also Austrian or older (Jänner, setiembre), and the spellings without accents that keyboards and old systems
// bring.
type monthWords map[string]monthWord

// foreignMonths are the languages, besides English, whose dates are read. A column is read in one of them.
var foreignMonths = []monthWords{
	newMonthWords(
		"januar jänner jaenner|februar|märz maerz|april|mai|juni|juli|august|september|oktober|november|dezember",
		"jan jän|feb|mär mrz maer märz maerz|apr|mai|jun juni|jul juli|aug|sep sept|okt|nov|dez",
		"montag|dienstag|mittwoch|donnerstag|freitag|samstag sonnabend|sonntag"),
	newMonthWords(
		"janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
		"janv jan|févr fév|mars|avr|mai|juin|juil|août|sept sep|oct|nov|déc",
		"lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"),
	newMonthWords(
		"enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre setiembre|octubre|noviembre|diciembre",
		"ene|feb|mar|abr|may|jun|jul|ago|sep sept|oct|nov|dic",
		"lunes|martes|miércoles|jueves|viernes|sábado|domingo"),
}

// newMonthWords reads lists of names, from January or Monday on, of which each may have several spellings.
func newMonthWords(full, short, weekdays string) monthWords {
	words, unaccented := monthWords{}, strings.NewReplacer("é", "e", "û", "u", "á", "a")
	add := func(list string, form int) {
		for i, names := range strings.Split(list, "|") {
			for _, name := range strings.Fields(names) {
				word := monthWord{month: i + 1, form: words[name].form | form}
				words[name], words[unaccented.Replace(name)] = word, word
			}
		}
	}
	add(full, fullMonth)
	add(short, shortMonth)
	for i, names := range strings.Split(weekdays, "|") {
		for _, name := range strings.Fields(names) {
			words[name], words[unaccented.Replace(name)] = monthWord{day: i + 1}, monthWord{day: i + 1}
		}
	}
	return words
}

// englishMonths and englishDays are how package time writes names in full.
var (
	englishMonths = strings.Fields("January February March April May June July August September October November " +
		"December")
	englishDays = strings.Fields("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
)

// inEnglish writes a date of a language as an English one with the month in one form: "1er janvier 2026" is "1 January
// 2026". False where it names no month in that form, or has a word that no date has.
func (m monthWords) inEnglish(s string, form int) (string, bool) {
	var b strings.Builder
	months := 0
	for s != "" {
		n := strings.IndexFunc(s, unicode.IsLetter)
		if n < 0 {
			n = len(s)
		}
		b.WriteString(s[:n])
		digit := n > 0 && s[n-1]-'0' <= 9
		if s = s[n:]; s == "" {
			break
		}
		end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
		if end < 0 {
			end = len(s)
		}
		word := s[:end]
		s = s[end:]
		known, ok := m[strings.ToLower(word)]
		switch {
		case ok && known.day > 0:
			b.WriteString(englishDays[known.day-1])
		case ok && known.form&form != 0 && months == 0:
			months++
			name := englishMonths[known.month-1]
			if form == shortMonth {
				name, s = name[:3], strings.TrimPrefix(s, ".")
			}
			b.WriteString(name)
		case digit && word == "er": // the first, in French
		case word == "de" && strings.HasPrefix(s, " "): // 1 de enero de 2026
			s = s[1:]
		default:
			return "", false
		}
	}
	return b.String(), months == 1
}

// monthNamed gives the first word of a date that names a month, in lower case; "" where there is none in any of the
// languages.
func (m monthWords) monthNamed(s string) string {
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(word) > longestMonth {
			return ""
		}
		if low := strings.ToLower(word); m[low].month > 0 {
			return low
		}
	}
	return ""
}

// longestMonth is the most bytes that a name has.
const longestMonth = len("septiembre") + 2

// foreignDates writes the dates of a column, which are of one language, in English; nil where they are not. Months with
// a year and no day need two different months: "Mars 2020" may be the name of anything.
func foreignDates(values []string) []string {
	for _, words := range foreignMonths {
		for _, form := range []int{fullMonth, shortMonth} {
			if out := words.allInEnglish(values, form); out != nil {
				return out
			}
		}
	}
	return nil
}

func (m monthWords) allInEnglish(values []string, form int) []string {
	var out []string
	first, several, days := "", false, false
	for i, s := range values {
		if s == "" {
			continue
		}
		if !mayBeDate(s) || !mayBeForeign(s) {
			return nil
		}
		english, ok := m.inEnglish(s, form)
		if !ok {
			return nil
		}
		if out == nil {
			out, first = make([]string, len(values)), m.monthNamed(s)
		}
		out[i] = english
		several = several || m.monthNamed(s) != first
		days = days || leadingDigits(strings.TrimLeftFunc(s, func(r rune) bool { return r-'0' > 9 || r < '0' })) < 3
	}
	if !several && !days {
		return nil
	}
	return out
}

// mayBeForeign is a cheap test: letters, a year of four digits, and nothing that no date has.
func mayBeForeign(s string) bool {
	letters, digits, year := 0, 0, false
	for _, r := range s {
		isDigit := r >= '0' && r <= '9'
		switch {
		case isDigit:
			if digits++; digits > 4 {
				return false
			}
			year = year || digits == 4
		case r >= utf8.RuneSelf || r|32 >= 'a' && r|32 <= 'z':
			letters++
		case !strings.ContainsRune(" .,:/-+", r):
			return false
		}
		if !isDigit {
			digits = 0
		}
	}
	return year && letters > 2 && letters < 32
}

// isForeignDate reports whether a cell is a date with the name of a month in one of the languages.
func isForeignDate(s string) bool {
	if !mayBeForeign(s) {
		return false
	}
	for _, words := range foreignMonths {
		if words.monthNamed(s) == "" {
			continue
		}
		for _, form := range []int{fullMonth, shortMonth} {
			if english, ok := words.inEnglish(s, form); ok && readsAsDate(english) {
				return true
			}
		}
	}
	return false
}
