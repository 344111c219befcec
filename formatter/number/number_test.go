package number

import (
	"testing"

	"catena/table"
)

// text formats a decimal text; the locale is a tag.
func text(t testing.TB, f Format, digits, tag string) string {
	t.Helper()
	b, ok := f.AppendDigits(nil, digits, For(tag))
	if !ok {
		t.Fatalf("%q is no number", digits)
	}
	return string(b)
}

func TestFormat(t *testing.T) {
	tests := []struct{ spec, digits, tag, want string }{
		{"", "1204.50", "", "1204.50"},
		{"~", "1204.50", "", "1204.5"},
		{"", "1e-3", "", "0.001"},
		{",.2f", "-1204551.255", "", "-1,204,551.26"},
		{",.2f", "-1204551.245", "de", "-1.204.551,24"},
		{",.2f", "-1204551.25", "sv", "−1\u00a0204\u00a0551,25"},
		{",.2f", "1204551.25", "de-CH", "1’204’551.25"},
		{",.2f", "1234567.891", "en-IN", "12,34,567.89"},
		{",.0f", "1204", "es", "1204"},
		{",.0f", "12045", "es", "12.045"},
		{"_.1f", "1234567", "fr", "1_234_567,0"},
		{"z.1f", "-0.04", "", "0.0"},
		{".1f", "-0.04", "", "-0.0"},
		{"+z.1f", "0.04", "", "0.0"},
		{"(,.0f", "-1200", "de", "(1.200)"},
		{"*>12,.1f", "1234.56", "", "*****1,234.6"},
		{"*^11.1f", "12.34", "", "***12.3****"},
		{"=+9d", "42", "", "+      42"},
		{"09,d", "1234", "", "0,001,234"},
		{"09.2f", "-1.5", "", "-00001.50"},
		{".3e", "1234.56", "", "1.235e+03"},
		{"g", "1234567", "", "1.23457e+06"},
		{"#g", "1", "", "1.00000"},
		{".2r", "1234", "", "1200"},
		{".3s", "145500000", "", "146M"},
		{"s", "0", "", "0.00000"},
		{".1%", "0.152", "de", "15,2\u00a0%"},
		{".1f%", "15.25", "de", "15,2\u00a0%"},
		{"+.1%", "0.0152", "ar", "\u200e+1.5\u200e%\u200e"},
		{"x", "255", "", "ff"},
		{"#_X", "1048575", "", "0XF_FFFF"},
	}
	for _, tt := range tests {
		f, err := Parse(tt.spec)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := text(t, f, tt.digits, tt.tag); got != tt.want {
			t.Errorf("%s by %q in %q is %q, want %q", tt.digits, tt.spec, tt.tag, got, tt.want)
		}
	}
}

func TestCurrency(t *testing.T) {
	tests := []struct{ spec, code, digits, tag, want string }{
		{"$", "USD", "-1204.5", "en", "-$1,204.50"},
		{"a$", "USD", "-1204.5", "en", "($1,204.50)"},
		{"a$", "EUR", "-1204.5", "de", "-1.204,50\u00a0€"},
		{"($", "EUR", "-1204.5", "de", "(1.204,50\u00a0€)"},
		{"+$,.0f", "EUR", "1204.5", "de", "+1.204\u00a0€"},
		{"$", "JPY", "1204.5", "ja", "￥1,204"},
		{"$", "KWD", "1.0005", "en", "KWD\u00a01.000"},
		{"$", "CHF", "-1", "de-CH", "CHF-1.00"},
		{"+$", "CHF", "1", "de-CH", "CHF+1.00"},
		{"$", "EUR", "-1.5", "nl", "€\u00a0-1,50"},
		{"$", "EUR", "-1234.5", "de-AT", "-€\u00a01.234,50"},
		{"$", "CHF", "1234.5", "fr-CH", "1\u202f234.50\u00a0CHF"},
		{"$$", "USD", "5", "en", "USD\u00a05.00"},
		{"$$$", "USD", "1", "en", "1.00 US dollar"},
		{"$$$,.0f", "USD", "1", "en", "1 US dollar"},
		{"$,.2f", "", "5", "en", "5.00"},
		{".1~k", "", "1234567", "en", "1.2M"},
		{".1~k", "", "1234567", "de", "1,2\u00a0Mio."},
		{"k", "", "1204551", "ja", "120万"},
		{"k", "", "1234", "en", "1.2K"},
		{"k", "", "12345", "en", "12K"},
		{"k", "", "999999", "en", "1M"},
		{"k", "", "999.6", "en", "1K"},
		{"k", "", "0.1234", "en", "0.12"},
		{"k", "", "-1234567890123456789", "en", "-1234568T"},
		{"K", "", "2100000", "fr", "2,1 millions"},
		{"K", "", "1000", "it", "mille"},
		{"$k", "USD", "-1234567", "en", "-$1.2M"},
		{"$k", "EUR", "1234567", "de", "1,2\u00a0Mio.\u00a0€"},
		{"$K", "EUR", "1234567", "de", "1,2 Millionen\u00a0€"},
	}
	for _, tt := range tests {
		f, err := Parse(tt.spec)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := text(t, f.WithCurrency(tt.code), tt.digits, tt.tag); got != tt.want {
			t.Errorf("%s %s by %q in %q is %q, want %q", tt.digits, tt.code, tt.spec, tt.tag, got, tt.want)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	f, _ := Parse("$,.2f")
	f = f.WithCurrency("USD")
	v, loc, dst := table.DecimalValue(0, 120455125, 2), For("en"), make([]byte, 0, 64)
	b.ReportAllocs()
	for b.Loop() {
		dst = f.Append(dst[:0], v, loc)
	}
}
