package formatter

import (
	"math"
	"strings"
	"testing"

	"github.com/cockroachdb/apd/v3"

	"catena/formatter/number"
	"catena/profiler"
	"catena/table"
)

func decimal(t testing.TB, text string) table.Value {
	t.Helper()
	v, err := table.ParseDecimal(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestNumbers(t *testing.T) {
	tests := []struct{ text, format, locale, want string }{
		{"1204551.25", "currency:USD:,.2f", "", "$1,204,551.25"},
		{"-140226.81", "currency:USD:,.2f", "en-US", "−$140,226.81"},
		{"598210.03", "currency:USD:+,.2f", "", "+$598,210.03"},
		{"0", "currency:USD:+,.2f", "", "$0.00"},
		{"-0.004", "currency:USD:,.2f", "", "−$0.004"},
		{"0.0000012", "currency:USD:,.4f", "", "$0.0000012"},
		{"0.00012", "percent:ratio:.1f", "", "0.012%"},
		{"0.04", "percent:points:.1f", "", "0.04%"},
		{"0.00000000000000000012", "decimal:,.2f", "", "1.2e-19"},
		{"12.5", "currency:CHF:,.2f", "", "CHF\u00a012.50"},
		{"1234.5", "currency:JPY:,.0f", "ja", "￥1,234"},
		{"1235.5", "currency:JPY:,.0f", "ja", "￥1,236"},
		{"1204551.25", "currency:EUR:,.2f", "de", "1.204.551,25\u00a0€"},
		{"-1204551.25", "currency:EUR:,.2f", "de", "−1.204.551,25\u00a0€"},
		{"1204551.25", "currency:EUR:,.2f", "fr", "1\u202f204\u202f551,25\u00a0€"},
		{"1204.25", "currency:EUR:,.2f", "es", "1204,25\u00a0€"},
		{"12045.25", "currency:EUR:,.2f", "es", "12.045,25\u00a0€"},
		{"1.5", "currency:BRL:,.2f", "pt-BR", "R$\u00a01,50"},
		{"-1.5", "currency:EUR:,.2f", "nl", "€\u00a0−1,50"},
		{"0.152", "percent:ratio:.1f", "", "15.2%"},
		{"0.152", "percent:ratio:.1f", "de", "15,2\u00a0%"},
		{"0.152", "percent:ratio:.1f", "fr", "15,2\u00a0%"},
		{"15.25", "percent:points:.1f", "", "15.2%"},
		{"15.35", "percent:points:.1f", "", "15.4%"},
		{"0.142", "percent:ratio:+.1f", "", "+14.2%"},
		{"1", "percent:ratio:.0f", "", "100%"},
		{"12", "percent:ratio:.1f", "", "1200.0%"},
		{"0.5", "decimal:.0f", "", "0"},
		{"1.5", "decimal:.0f", "", "2"},
		{"2.5", "decimal:.0f", "", "2"},
		{"9.995", "decimal:,.2f", "", "10.00"},
		{"999.995", "decimal:,.2f", "", "1,000.00"},
		{"999", "integer:,", "", "999"},
		{"1000", "integer:,", "", "1,000"},
		{"1000", "integer:plain", "", "1000"},
		{"1000.50", "integer:,", "", "1,000.5"},
		{"-7", "text", "", "−7"},
		{"12345678901234567890123456789.123456789", "decimal:,.9f", "", "12,345,678,901,234,567,890,123,456,789.123456789"},
	}
	for _, tt := range tests {
		s, err := profiler.ParseSuggestion(tt.format)
		if err != nil {
			t.Fatal(err)
		}
		if got := Value(decimal(t, tt.text), s, LocaleFor(tt.locale), Minus); got != tt.want {
			t.Errorf("%s by %s in %q is %q, want %q", tt.text, tt.format, tt.locale, got, tt.want)
		}
	}
}

func TestOtherValues(t *testing.T) {
	tests := []struct {
		v            table.Value
		format, want string
	}{
		{table.NullValue, "decimal:,.2f", ""},
		{table.FloatValue(1e300), "decimal:,.2f", "1e+300"},
		{table.FloatValue(2.675), "decimal:,.2f", "2.68"}, // the digits that were written, not those of the double
		{table.FloatValue(1e-9), "decimal:,.2f", "0.000000001"},
		{table.IntValue(math.MinInt64), "integer:,", "−9,223,372,036,854,775,808"},
		{table.TextValue("12"), "decimal:,.2f", "12"},
		{table.BoolValue(true), "boolean", "yes"},
		{table.DateValue(2026, 11, 21), "date:2006-01", "2026-11"},
		{table.DateValue(2026, 11, 21), "integer:,", "2026-11-21"},
	}
	for _, tt := range tests {
		s, err := profiler.ParseSuggestion(tt.format)
		if err != nil {
			t.Fatal(err)
		}
		if got := Value(tt.v, s, LocaleFor(""), Minus); got != tt.want {
			t.Errorf("%v by %s is %q, want %q", tt.v, tt.format, got, tt.want)
		}
	}
	if got := Value(table.IntValue(-5), profiler.Suggestion{Kind: "integer"}, LocaleFor(""), ASCIIMinus); got != "-5" {
		t.Errorf("ASCII minus: %q", got)
	}
}

// A formatted number reads back within half a unit of its last digit, in every locale.
func FuzzNumber(f *testing.F) {
	f.Add("1204551.25", uint8(2), true, false, uint8(0))
	f.Add("-0.005", uint8(2), false, true, uint8(1))
	f.Add("99999999999999999999999999999999999999", uint8(0), true, true, uint8(2))
	f.Add("0.99999999999999999999999999999999999999", uint8(3), true, true, uint8(3))
	tags := []string{"en", "de", "fr", "ja", "es", "it", "pt", "nl"}
	f.Fuzz(func(t *testing.T, text string, digits uint8, group, ratio bool, tag uint8) {
		v, err := table.ParseDecimal(text)
		if err != nil || digits > 38 {
			return
		}
		loc := LocaleFor(tags[int(tag)%len(tags)])
		s := profiler.Suggestion{Kind: "decimal", Group: group, Digits: int(digits)}
		if ratio {
			s.Kind, s.Ratio = "percent", true
		}
		got := Value(v, s, loc, Minus)
		plain := strings.NewReplacer(loc.GroupMark(), "", "%", "", "\u00a0", "", "\u202f", "").Replace(got)
		plain = strings.NewReplacer(loc.Point(), ".", Minus, "-").Replace(plain)
		back, _, err := apd.NewFromString(plain)
		if err != nil {
			t.Fatalf("%s is written %q, which is no number", text, got)
		}
		want := v.Apd()
		if ratio {
			want.Exponent += 2
		}
		var diff apd.Decimal
		if _, err := apd.BaseContext.WithPrecision(200).Sub(&diff, want, back); err != nil {
			t.Fatal(err)
		}
		diff.Negative = false
		if diff.Cmp(apd.New(5, -int32(digits)-1)) > 0 {
			t.Fatalf("%s with %d digits is written %q, off by %s", text, digits, got, diff.String())
		}
	})
}

// What a suggestion says behind its kind is a specification of package number, and means the same there.
func TestSuggestionsAreSpecifications(t *testing.T) {
	for _, spec := range []string{",.2f", ".0f", "+,.1f", "+.3f", ".38f"} {
		for _, kind := range []string{"decimal:", "currency:EUR:", "percent:points:", "percent:ratio:"} {
			s, err := profiler.ParseSuggestion(kind + spec)
			if err != nil {
				t.Fatal(err)
			}
			text := spec
			switch kind {
			case "currency:EUR:":
				text = strings.TrimPrefix(spec, "+")
				text = spec[:len(spec)-len(text)] + "$" + text
			case "percent:points:":
				text += "%"
			case "percent:ratio:":
				text = strings.TrimSuffix(spec, "f") + "%"
			}
			want, err := number.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			got := NumberFormat(s, Minus)
			want.Unsigned0, want.Currency, want.Minus = got.Unsigned0, got.Currency, got.Minus
			if got != want {
				t.Errorf("%s%s is %q, want %q", kind, spec, got, want)
			}
		}
	}
}

func TestTruthInTheLanguage(t *testing.T) {
	boolean := profiler.Suggestion{Kind: "boolean"}
	for tag, want := range map[string]string{"en": "yes no", "de": "ja nein", "de-CH": "ja nein", "fr": "oui non", "ja": "はい いいえ", "es": "yes no"} {
		loc := LocaleFor(tag)
		if got := Value(table.BoolValue(true), boolean, loc, Minus) + " " + Value(table.BoolValue(false), boolean, loc, Minus); got != want {
			t.Errorf("%s: got %s, want %s", tag, got, want)
		}
	}
}
