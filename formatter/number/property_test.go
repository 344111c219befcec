package number

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"

	"catena/table"
)

// Every line of the embedded data can be read, and what it holds is complete.
func TestData(t *testing.T) {
	for _, tag := range tags() {
		d, err := load(tag)
		if err != nil {
			t.Errorf("%s: %v", tag, err)
			continue
		}
		r := d.raw
		for what, n := range map[string]int{"months": len(r.MonthsWide), "short months": len(r.MonthsAbbreviated), "lone months": len(r.LoneMonthsWide), "short lone months": len(r.LoneMonthsAbbreviated)} {
			if n != 12 {
				t.Errorf("%s: %d %s", tag, n, what)
			}
		}
		if len(r.DaysWide) != 7 || len(r.DaysAbbreviated) != 7 || len(r.Dates) != 4 || len(r.Times) != 4 || len(r.Halves) != 2 || len(d.short) != 12 || len(d.long) != 12 || len(d.money) != 12 {
			t.Errorf("%s: its data are not complete", tag)
		}
		if len(d.symbolsOf) == 0 || r.Names["USD"]["other"] == "" {
			t.Errorf("%s: currencies are missing", tag)
		}
	}
	if CurrencyDigits("JPY") != 0 || CurrencyDigits("KWD") != 3 || CurrencyDigits("EUR") != 2 {
		t.Error("digits of currencies are wrong")
	}
}

func TestFor(t *testing.T) {
	for tag, want := range map[string]string{"": "en", "en_US": "en", "de-AT": "de-AT", "de_CH": "de-CH", "de-LI": "de", "pt-BR": "pt", "no": "nb", "zh-TW": "zh-Hant", "zh-Hant-HK": "zh-Hant", "xx": "en",
		"digits": "en", "EN-gb": "en-GB", "-": "en", "#": "en"} {
		if got := For(tag).Tag(); got != want {
			t.Errorf("%q is served by %s, want %s", tag, got, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, spec := range []string{"q", ".f", ",,", ".2ff", "99999", ".999f", "$%", "$.1f%", "f$", "é"} {
		var bad *SyntaxError
		if f, err := Parse(spec); !errors.As(err, &bad) || bad.Spec != spec || f != (Format{}) {
			t.Errorf("%q: %v, %v", spec, f, err)
		}
	}
	for _, spec := range []string{"", "abc", "#,##0.00.0", "0;0;0", "@0", "0,", "0E9"} {
		var bad *SyntaxError
		if _, err := ParsePattern(spec); !errors.As(err, &bad) {
			t.Errorf("pattern %q: %v", spec, err)
		}
	}
	for _, spec := range []string{"_d", "a$", "$$", "k"} {
		if _, err := ParseD3(spec); err == nil {
			t.Errorf("d3 %q is accepted", spec)
		}
	}
}

// A format is what its text says, whatever is asked of it nothing panics, and the width is kept.
func FuzzSpec(f *testing.F) {
	for _, spec := range []string{",.2f", "$", "a$k", "*^+$$,.1~f", "09,.3e", "#x", ".1f%", "<<5", "é=8d", "(z$$$.0f", "_>12s", "020,s", "K", "\x010"} {
		f.Add(spec, "-1234.5678e3", "de")
	}
	f.Fuzz(func(t *testing.T, spec, digits, tag string) {
		loc := For(tag)
		for _, parse := range []func(string) (Format, error){Parse, ParseD3, ParsePattern} {
			form, err := parse(spec)
			if err != nil {
				continue
			}
			again, err := parse(form.String())
			if err != nil || form.pattern == nil && again != form {
				t.Fatalf("%q is %+v and reads %q, which is %+v: %v", spec, form, form.String(), again, err)
			}
			for _, code := range []string{"", "JPY", "CHF"} {
				got, ok := form.WithCurrency(code).appended(digits, loc)
				if ok && utf8.ValidString(spec) && utf8.RuneCountInString(got) < form.Width {
					t.Fatalf("%s by %q is %q, narrower than it should be", digits, spec, got)
				}
			}
		}
	})
}

func (f Format) appended(digits string, loc Locale) (string, bool) {
	b, ok := f.AppendDigits(nil, digits, loc)
	return string(b), ok
}

// A number that is written reads back within half a unit of its last digit, in every locale.
func FuzzRoundTrip(f *testing.F) {
	f.Add("1204551.25", uint8(2), true, uint8(0))
	f.Add("-0.005", uint8(2), false, uint8(7))
	f.Add("99999999999999999999999999999999.999", uint8(2), true, uint8(30))
	all := tags()
	f.Fuzz(func(t *testing.T, text string, digits uint8, group bool, tag uint8) {
		v, err := table.ParseDecimal(text)
		if err != nil || digits > 20 || len(text) > 20 {
			return
		}
		loc := For(all[int(tag)%len(all)])
		checkRoundTrip(t, v, int(digits), group, loc)
	})
}

func checkRoundTrip(t *testing.T, v table.Value, digits int, group bool, loc Locale) {
	t.Helper()
	got := Fixed(digits, group).Text(v, loc)
	back, err := loc.Read(got)
	if err != nil {
		t.Fatalf("%s is written %q in %s: %v", v, got, loc.Tag(), err)
	}
	var diff apd.Decimal
	if _, err := apd.BaseContext.WithPrecision(200).Sub(&diff, v.Apd(), back.Apd()); err != nil {
		t.Fatal(err)
	}
	if diff.Abs(&diff); diff.Cmp(apd.New(5, -int32(digits)-1)) > 0 {
		t.Fatalf("%s with %d digits is written %q in %s, off by %s", v, digits, got, loc.Tag(), diff.String())
	}
}

func TestRoundTripEverywhere(t *testing.T) {
	for _, tag := range tags() {
		for _, text := range []string{"0", "-0.5", "999.995", "-1234.56", "123456", "12345678901234.5678"} {
			v, err := table.ParseDecimal(text)
			if err != nil {
				t.Fatal(err)
			}
			checkRoundTrip(t, v, 2, true, For(tag))
			checkRoundTrip(t, v, 0, false, For(tag))
		}
	}
}

func TestRead(t *testing.T) {
	for _, tt := range []struct{ text, tag, want string }{
		{"1.234,5", "de", "1234.5"}, {"1 234,5", "fr", "1234.5"}, {"12,34,567", "en-IN", "1234567"}, {"−5", "sv", "-5"},
		{"1,5", "en", ""}, {"1.23.456", "de", ""}, {"", "en", ""}, {"5.", "en", ""}, {"x", "en", ""}, {",5", "de", "0.5"},
	} {
		v, err := For(tt.tag).Read(tt.text)
		if v.Text() != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%q in %s is %s, %v", tt.text, tt.tag, v.Text(), err)
		}
	}
}

func TestDates(t *testing.T) {
	at := time.Date(1999, 12, 31, 15, 4, 5, 250_000_000, time.UTC)
	tests := []struct{ pattern, tag, want string }{
		{"EEEE, d MMMM y", "fr", "vendredi, 31 décembre 1999"},
		{"EEE dd.MM.yy HH:mm:ss.SSS", "de", "Fr. 31.12.99 15:04:05.250"},
		{"h:mm a 'o''clock' ''", "en", "3:04 PM o'clock '"},
		{"LLLL", "ru", "декабрь"},
		{"d MMMM", "ru", "31 декабря"},
		{"QQ D KK kk xx", "en", "04 365 03 15 +0000"},
	}
	for _, tt := range tests {
		if got := string(For(tt.tag).AppendTime(nil, at, tt.pattern)); got != tt.want {
			t.Errorf("%q in %s is %q, want %q", tt.pattern, tt.tag, got, tt.want)
		}
	}
	for _, tag := range tags() {
		for s := ShortDate; s <= FullDate; s++ {
			if got := string(For(tag).AppendDate(nil, at, s)); !strings.Contains(got, "31") || strings.Contains(got, "'") {
				t.Errorf("%s writes the date %q", tag, got)
			}
		}
	}
}
