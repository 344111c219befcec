package profiler

import (
	"strings"
	"testing"
)

func TestParseSuggestion(t *testing.T) {
	for _, text := range []string{
		"currency:USD:,.2f", "currency:JPY:+,.0f", "percent:ratio:.1f", "percent:points:+.2f", "decimal:,.3f", "decimal:.0f",
		"integer:,", "integer:+,", "integer:plain", "date:2006-01-02", "date:2006-01-02 15:04:05", "time:15:04", "date:quarter", "duration", "boolean", "weekday", "month", "text",
	} {
		s, err := ParseSuggestion(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if s.String() != text {
			t.Errorf("%s is written as %s", text, s)
		}
	}
}

func TestParseSuggestionErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"currency:,.2f", "ISO 4217"},
		{"currency:usd:,.2f", "ISO 4217"},
		{"currency:USD:2", "number format"},
		{"percent:.1f", "ratio or points"},
		{"decimal:.39f", "number format"},
		{"decimal:.1g", "number format"},
		{"integer:.2f", "plain"},
		{"date:", "layout"},
		{"money", "the kinds are"},
	}
	for _, tt := range tests {
		if s, err := ParseSuggestion(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("ParseSuggestion(%q) = %v, %v; want an error with %q", tt.text, s, err, tt.want)
		} else if s != (Suggestion{}) {
			t.Errorf("ParseSuggestion(%q) gives %v beside its error", tt.text, s)
		}
	}
}

func FuzzParseSuggestion(f *testing.F) {
	f.Add("currency:USD:,.2f")
	f.Add("date:2006:01")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSuggestion(text)
		if err != nil {
			return
		}
		again, err := ParseSuggestion(s.String())
		if err != nil || again.String() != s.String() {
			t.Fatalf("%q gives %q, which gives %q, %v", text, s, again, err)
		}
	})
}
