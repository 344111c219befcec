package link

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/internal/text"
	"catena/table"
	"catena/table/units"
)

// numbers finds what is written in digits and said in words. With a unit behind it, a number is found both ways.
func (l *linker) numbers() {
	for i := 0; i < len(l.toks); {
		list := l.numberAt(i)
		for _, f := range list {
			l.add(f)
		}
		if len(list) > 0 {
			i = list[0].To
			continue
		}
		i++
	}
}

// numberAt gives the number that begins at a token, alone and with what belongs to it; none where there is no number.
func (l *linker) numberAt(i int) []Span {
	n, end, ok := l.digits(i)
	if !ok {
		n, end, ok = l.numerals(i)
	}
	if !ok {
		n, end, ok = l.ordinal(i)
	}
	if !ok {
		n, end, ok = l.oneUnit(i)
	}
	if !ok {
		return nil
	}
	found := func(from, to int, n NumberRef) Span {
		return Span{From: from, To: to, Category: CatNumber, Score: 1, How: HowForm, Meaning: n}
	}
	out := []Span{found(i, end, n)}
	if n.Ordinal || n.Unit != "" || n.Percent {
		return out
	}
	if u, ok := l.datum(end, catUnit); ok {
		n.setUnit(u.sense.sense)
		out = append(out, found(i, u.to, n))
	} else if u, ok := l.datum(i-1, catUnit); ok && l.toks[i-1].kind == markToken {
		n.setUnit(u.sense.sense)
		out = append(out, found(i-1, end, n))
	}
	return out
}

const percentSign = "%"

func (n *NumberRef) setUnit(unit string) {
	n.Unit = unit
	n.Percent = unit == percentSign
}

var (
	pointNumber = regexp.MustCompile(`^(\d+|\d{1,3}([,' ]\d{3})+)?(\.\d+)?$`)
	commaNumber = regexp.MustCompile(`^(\d+|\d{1,3}([.' ]\d{3})+)(,\d+)?$`)
)

// written reads digits with marks in them as an English or, where the tables have decimal commas, as another number.
func (s *Scope) written(digits string) (string, bool) {
	point, comma := pointNumber.MatchString(digits), commaNumber.MatchString(digits)
	switch {
	case comma && (!point || s.DecimalComma):
		digits = strings.NewReplacer(".", "", "'", "", " ", "", ",", ".").Replace(digits)
	case point:
		digits = strings.NewReplacer(",", "", "'", "", " ", "").Replace(digits)
	default:
		return "", false
	}
	return digits, digits != ""
}

// digits reads a number token: 1,234.5, $3m, 12%, 100kg, 3rd. A multiplier may follow as a word: 3 million.
func (l *linker) digits(i int) (NumberRef, int, bool) {
	var n NumberRef
	if l.toks[i].kind != numberToken {
		return n, i, false
	}
	sign, prefix, digits, suffix := cutNumber(l.toks[i].fold)
	digits, ok := l.s.written(digits)
	if !ok {
		return n, i, false
	}
	exponent, end := "", i+1
	if prefix != "" {
		n.setUnit(l.unitOf(prefix))
	}
	if suffix != "" {
		if exponent, ok = l.suffix(suffix, &n); !ok {
			return n, i, false
		}
	} else if m, ok := l.datum(end, catMultiplier); ok {
		exponent, end = m.sense.sense, m.to
	}
	n.Value, ok = number(sign+digits, exponent)
	return n, end, ok
}

// cutNumber divides a number token into its sign, a currency, its digits and what is written onto them.
func cutNumber(s string) (sign, prefix, digits, suffix string) {
	if r, size := utf8.DecodeRuneInString(s); strings.ContainsRune("-+−", r) {
		if r != '+' {
			sign = "-"
		}
		s = s[size:]
	}
	if r, size := utf8.DecodeRuneInString(s); unicode.Is(unicode.Sc, r) {
		prefix, s = s[:size], s[size:]
	}
	end := strings.LastIndexAny(s, "0123456789") + 1
	if at := strings.IndexFunc(s, unicode.IsLetter); at >= 0 {
		end = at
	}
	return sign, prefix, s[:end], s[end:]
}

// suffix reads what is written onto digits: a multiplier, a unit, the ending of an ordinal.
func (l *linker) suffix(s string, n *NumberRef) (exponent string, ok bool) {
	if e, ok := l.wordOf(s, catMultiplier); ok {
		return e, true
	}
	if e, ok := l.wordOf(s, catSuffix); ok && e == suffixOrdinal {
		n.Ordinal = true
		return "", true
	}
	if u := l.unitOf(s); u != "" {
		n.setUnit(u)
		return "", true
	}
	return "", false
}

// Senses of what is written onto digits.
const (
	suffixOrdinal = "ord"
	suffixDecade  = "dec"
)

func (l *linker) unitOf(s string) string {
	u, _ := l.wordOf(s, catUnit)
	return u
}

// wordOf is the sense that a single word has in a category, in a spoken language.
func (l *linker) wordOf(fold string, cat Category) (string, bool) {
	for _, lex := range l.spoken {
		at := lex.root.next[text.Stem(fold)]
		if at == nil {
			continue
		}
		for _, e := range at.ends {
			if e.cat == cat && (!e.exact || e.folds[0] == fold) {
				return e.sense, true
			}
		}
	}
	return "", false
}

// number is a decimal with an exponent, a whole one as such.
func number(digits, exponent string) (table.Value, bool) {
	if exponent != "" {
		digits += "e" + exponent
	}
	if i, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return table.IntValue(i), true
	}
	v, err := table.ParseDecimal(digits)
	if err != nil {
		return v, false
	}
	if i, whole := v.Int(); whole {
		return table.IntValue(i), true
	}
	return v, true
}

// numerals reads numbers said in words: three hundred and five thousand.
func (l *linker) numerals(i int) (NumberRef, int, bool) {
	var sum, part int64
	end, some := i, false
	for j := i; j < len(l.toks); {
		if h, ok := l.datum(j, catNumeral); ok {
			n, err := strconv.ParseInt(h.sense.sense, 10, 64)
			if err != nil || some && (part%10 != 0 || n >= 100 || part > 0 && part < 20) {
				break
			}
			part, some, j, end = part+n, true, h.to, h.to
			continue
		}
		if h, ok := l.datum(j, catMultiplier); ok {
			e, err := strconv.Atoi(h.sense.sense)
			if err != nil || e > 12 || part > math.MaxInt32 {
				break
			}
			times := int64(math.Pow10(e))
			if part = max(part, 1) * times; e > 2 {
				sum, part = sum+part, 0
			}
			some, j, end = true, h.to, h.to
			continue
		}
		if _, ok := l.is(j, catNumeralLink); !ok || !some {
			break
		}
		j++
	}
	return NumberRef{Value: table.IntValue(sum + part)}, end, some
}

// oneUnit is the number before a unit that an article stands for: more than an hour.
func (l *linker) oneUnit(i int) (NumberRef, int, bool) {
	_, one := l.is(i, catOne)
	_, compares := l.is(i-1, catCompares)
	_, unit := l.datum(i+1, catUnit)
	return NumberRef{Value: table.IntValue(1)}, i + 1, one && compares && unit
}

func (l *linker) ordinal(i int) (NumberRef, int, bool) {
	h, ok := l.datum(i, catOrdinal)
	if !ok {
		return NumberRef{}, i, false
	}
	n, err := strconv.ParseInt(h.sense.sense, 10, 64)
	return NumberRef{Value: table.IntValue(n), Ordinal: true}, h.to, err == nil
}

// unitFields are the columns that are measured in a unit that the words name, and those of what is done with money.
func (l *linker) unitFields() {
	for i := range l.toks {
		end, named := l.unitsAt(i)
		for _, ref := range l.index.units.of(named) {
			l.add(Span{From: i, To: end, Category: CatField, Score: 0.7, How: HowUnit, Meaning: ref})
		}
		if h, ok := l.is(i, catMoney); ok {
			for _, ref := range l.index.money {
				l.add(Span{From: i, To: h.to, Category: CatField, Score: 0.7, How: HowUnit, Meaning: ref})
			}
		}
	}
}

// shownUnits takes units that numbers are to be shown in: where every column of the kind has that unit the words say
// nothing new, and where it would have to be converted no answer passes over them, and they mean nothing else: a delay
// in hours, of a column of minutes, is none for each hour.
func (l *linker) shownUnits() {
	for i := range l.toks {
		_, in := l.is(i-1, catOf, "in")
		to, named := l.unitsAt(i)
		if !in || len(named) == 0 {
			continue
		}
		switch same, others := l.index.units.beside(named); {
		case same && !others:
			l.out = slices.DeleteFunc(l.out, func(s Span) bool {
				meant := s.Category == catDur || s.How == HowUnit || s.How == HowSynonym
				return meant && s.From >= i-1 && s.To <= to
			})
			l.add(Span{From: i - 1, To: to, Category: SkipFiller, Score: 1, How: HowWord})
		case others && !same:
			l.out = slices.DeleteFunc(l.out, func(s Span) bool {
				return s.From == i && s.To <= to && s.Category != CatValue
			})
			l.add(Span{From: i, To: to, Category: catInUnit, Score: 1, How: HowWord, Fixed: true})
		}
	}
}

// unitsAt are the units that words mean, and where these end.
func (l *linker) unitsAt(i int) (end int, named []string) {
	end = i
	for _, h := range l.hits[i] {
		if h.cat == catUnit && h.score == fitsForm && h.to >= end && l.toks[i].kind == wordToken {
			named, end = append(named, h.sense.sense), h.to
		}
	}
	return end, named
}

// beside reports whether columns have one of the units, and whether some have others of their kind.
func (x unitIndex) beside(named []string) (same, others bool) {
	for unit := range x {
		if slices.Contains(named, unit) {
			same = true
			continue
		}
		for _, n := range named {
			money := currencyCode(n) && currencyCode(unit)
			others = others || money || units.Alike(n, unit)
		}
	}
	return same, others
}

// currencyCode reports whether a unit is written as ISO 4217 writes currencies; no other unit is.
func currencyCode(unit string) bool {
	return len(unit) == 3 && strings.Trim(unit, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// unitIndex are fields by their units.
type unitIndex map[string][]FieldRef

func (x unitIndex) of(named []string) []FieldRef {
	var out []FieldRef
	for _, u := range named {
		for _, ref := range x[u] {
			if !slices.Contains(out, ref) {
				out = append(out, ref)
			}
		}
	}
	return out
}
