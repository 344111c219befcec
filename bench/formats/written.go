package main

import (
	"math/big"
	"strconv"
	"strings"
	"time"

	"catena/bench/sets"
	"catena/formatter/number"
)

// written gives a number in a format; an error is part of the result, so that it shows as a miss.
func written(f number.Format, err error, value string, loc number.Locale) string {
	if err != nil {
		return "error: " + err.Error()
	}
	b, ok := f.AppendDigits(nil, value, loc)
	if !ok {
		return "error: not a number: " + value
	}
	return string(b)
}

// double is the exact value of the double nearest to a decimal text: 0.1 has 55 digits. The references that computed with doubles rounded
// this value.
func double(text string) string {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f == 0 || f-f != 0 {
		return text
	}
	return new(big.Float).SetFloat64(f).Text('f', 1100)
}

// python scores the format specification of Python. Where CPython's decimals have no result to compare with (d, e, g), the record has the result for
// the double, or the integer, and that is what is formatted here.
func python(o *sets.Options, path string) (t tally, err error) {
	type record struct {
		ID      int
		Spec    string
		Value   string
		Float   string  `json:"expected_float"`
		Decimal *string `json:"expected_decimal_half_even"`
	}
	records, err := sets.Lines[record](path, o.Limit)
	for _, r := range records {
		value, want := r.Value, r.Float
		switch {
		case r.Decimal != nil:
			want = *r.Decimal
		case strings.IndexByte("dbxXo", r.Spec[max(len(r.Spec)-1, 0)]) < 0:
			value = double(value)
		}
		f, err := number.Parse(r.Spec)
		t.add(o, "python "+strconv.Quote(r.Spec)+" "+r.Value, written(f, err, value, number.Locale{}), want)
	}
	return t, err
}

// d3 scores d3-format in its default locale; its numbers are doubles. Whole numbers are the digits that JavaScript writes.
func d3(o *sets.Options, path string) (t tally, err error) {
	type record struct{ Spec, Value, Expected string }
	records, err := sets.Lines[record](path, o.Limit)
	for _, r := range records {
		value := r.Value
		if !strings.HasSuffix(r.Spec, "d") {
			value = double(value)
		}
		f, err := number.ParseD3(r.Spec)
		t.add(o, "d3 "+strconv.Quote(r.Spec)+" "+r.Value, written(f, err, value, number.Locale{}), r.Expected)
	}
	return t, err
}

// babelFormat makes a format as Babel applies it: the minus is always -, and no space is put between letters and digits (CLDR's currencySpacing).
func babelFormat(spec string, currency string) (number.Format, error) {
	f, err := number.Parse(spec)
	f.Minus, f.Tight, f.Currency = number.ASCIIMinus, true, currency
	return f, err
}

// cldr scores Babel's output with the data of CLDR 41.
func cldr(o *sets.Options, path string) (t tally, err error) {
	type record struct {
		Kind, Locale, Currency, Value, Expected, Accounting string
		Pattern                                             *string
	}
	records, err := sets.Lines[record](path, o.Limit)
	for _, r := range records {
		loc := number.For(r.Locale)
		what := "cldr " + r.Kind + " " + r.Locale + " " + r.Value
		got, want := "", r.Expected
		switch r.Kind {
		case "currency":
			f, err := babelFormat("$", r.Currency)
			a, err2 := babelFormat("a$", r.Currency)
			got, want = written(f, err, r.Value, loc)+"\n"+written(a, err2, r.Value, loc), r.Expected+"\n"+r.Accounting
		case "decimal":
			f, err := babelFormat(",.3~f", "")
			got = written(f, err, r.Value, loc)
		case "percent":
			f, err := babelFormat(",.0%", "")
			if r.Pattern != nil {
				f, err = number.ParsePattern(*r.Pattern)
			}
			f.Minus = number.ASCIIMinus
			got = written(f, err, r.Value, loc)
		case "date":
			got = date(loc, r.Value, r.Pattern)
		}
		t.add(o, what, got, want)
	}
	return t, err
}

// date writes a day by a style or a pattern.
func date(loc number.Locale, day string, pattern *string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return "error: " + err.Error()
	}
	text := "medium"
	if pattern != nil {
		text = *pattern
	}
	styles := map[string]number.DateStyle{"short": number.ShortDate, "medium": number.MediumDate, "long": number.LongDate, "full": number.FullDate}
	if s, ok := styles[text]; ok {
		return string(loc.AppendDate(nil, at, s))
	}
	return string(loc.AppendTime(nil, at, text))
}
