package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"catena/bench/sets"
	"catena/formatter/number"
)

// assertion is one of Babel's own tests: a call and what it must give, as they stand in the source.
type assertion struct {
	Func     string
	Args     []string
	Kwargs   map[string]string
	Expected string
}

// suite scores Babel's own tests. Some of them stand for newer releases of CLDR, and some name variables of the test instead of values; all are
// counted.
func suite(o *sets.Options, path string) (t tally, err error) {
	records, err := sets.Lines[assertion](path, o.Limit)
	for _, r := range records {
		got, err := r.result()
		if err != nil {
			got = "error: " + err.Error()
		}
		t.add(o, fmt.Sprintf("babel %s %v %v", r.Func, r.Args, r.Kwargs), got, literal(r.Expected))
	}
	return t, err
}

// literal is the value of a Python literal: a text without its quotes, a number as it stands.
func literal(s string) string {
	if inner, ok := strings.CutPrefix(s, "decimal.Decimal("); ok {
		return literal(strings.TrimSuffix(inner, ")"))
	}
	if len(s) >= 2 && (s[0] == '\'' || s[0] == '"') && s[len(s)-1] == s[0] {
		body := s[1 : len(s)-1]
		if s[0] == '\'' {
			body = strings.ReplaceAll(strings.ReplaceAll(body, `\'`, "'"), `"`, `\"`)
		}
		// Python's \xa0 is a character, Go's a byte.
		if text, err := strconv.Unquote(`"` + strings.ReplaceAll(body, `\x`, `\u00`) + `"`); err == nil {
			return text
		}
	}
	return s
}

// arg is an argument by place or name, "" when there is none.
func (a assertion) arg(i int, name string) string {
	if v, ok := a.Kwargs[name]; ok {
		if v == "None" {
			return ""
		}
		return literal(v)
	}
	if i < len(a.Args) && a.Args[i] != "None" {
		return literal(a.Args[i])
	}
	return ""
}

func (a assertion) result() (string, error) {
	loc := number.For(a.arg(99, "locale"))
	switch a.Func {
	case "parse_number", "parse_decimal":
		v, err := loc.Read(a.arg(0, ""))
		return v.Text(), err
	case "parse_grouping":
		f, err := number.ParsePattern(a.arg(0, ""))
		last, others := f.Groups()
		if last == 0 {
			last, others = 1000, 1000 // Babel's way to say none
		}
		return fmt.Sprintf("(%d, %d)", last, others), err
	}
	f, err := a.format()
	f.Minus, f.Tight = number.ASCIIMinus, true
	return written(f, err, a.arg(0, ""), loc), err
}

// format is the format that a call asks for.
func (a assertion) format() (number.Format, error) {
	ungrouped := a.arg(99, "group_separator") == "False"
	all := a.arg(99, "decimal_quantization") == "False"
	digits := a.arg(99, "fraction_digits")
	switch a.Func {
	case "format_decimal", "format_number":
		return spec(a.arg(1, "format"), ungrouped, pick(all, ",~", ",.3~f"), "")
	case "format_percent":
		return spec(a.arg(1, "format"), ungrouped, pick(all, ",.20~%", ",.0%"), "")
	case "format_scientific":
		return spec(pick(a.arg(1, "format") == "", "#E0", a.arg(1, "format")), false, "", "")
	case "format_compact_decimal":
		return number.Parse("." + pick(digits == "", "0", digits) + "~" + pick(a.arg(99, "format_type") == "long", "K", "k"))
	case "format_compact_currency":
		f, err := number.Parse("$." + pick(digits == "", "0", digits) + "~k")
		return f.WithCurrency(a.arg(1, "currency")), err
	case "format_currency":
		return a.currency(ungrouped, all)
	}
	return number.Format{}, errors.New("no such function here")
}

func (a assertion) currency(ungrouped, all bool) (number.Format, error) {
	code := a.arg(1, "currency")
	symbol := map[string]string{"accounting": "a$", "name": "$$$"}[a.arg(99, "format_type")]
	if symbol == "" {
		symbol = "$"
	}
	pattern := a.arg(2, "format")
	if symbol == "$$$" && pattern != "" { // the pattern is that of the number beside the name
		f, err := number.Parse("$$$" + pick(strings.Contains(pattern, ","), ",", "") + "." + strconv.Itoa(number.CurrencyDigits(code)) + "f")
		return f.WithCurrency(code), err
	}
	switch {
	case all:
		symbol += ",.20~f"
	case a.arg(99, "currency_digits") == "False" && pattern == "":
		symbol += ",.2f"
	case ungrouped:
		symbol += "." + strconv.Itoa(number.CurrencyDigits(code)) + "f"
	}
	f, err := spec(pattern, ungrouped, symbol, code)
	if a.arg(99, "currency_digits") == "False" && pattern != "" {
		_, frac, _ := strings.Cut(pattern, ".")
		f = f.WithPrecision(strings.Count(frac, "0"))
	}
	return f, err
}

// spec is a pattern of CLDR where one is given, else a specification.
func spec(pattern string, ungrouped bool, otherwise, currency string) (number.Format, error) {
	if pattern != "" {
		f, err := number.ParsePattern(pattern)
		return f.WithCurrency(currency), err
	}
	if ungrouped {
		otherwise = strings.ReplaceAll(otherwise, ",", "")
	}
	f, err := number.Parse(otherwise)
	return f.WithCurrency(currency), err
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}
