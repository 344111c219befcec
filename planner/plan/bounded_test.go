package plan

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestBounded(t *testing.T) {
	long := strings.Repeat("x", 50_000)
	cut := strings.Repeat("x", longestQuote) + "…"
	for _, c := range []struct{ name, text, want string }{
		{"short", `There is no "x".`, `There is no "x".`},
		{"a quoted text", `There is no "` + long + `" here.`, `There is no "` + cut + `" here.`},
		{"quoted words", `No "` + strings.Repeat("ab ", 10_000) + `" here.`, `No "` + strings.Repeat("ab ", 66) + `ab…" here.`},
		{"escaped quotes", `No "` + strings.Repeat(`\"`, 10_000) + `" here.`, `No "` + strings.Repeat(`\"`, 100) + `…" here.`},
		{"a word", "no " + long + " here", "no " + cut + " here"},
		{"runes", `no "` + strings.Repeat("é", 1000) + `".`, `no "` + strings.Repeat("é", longestQuote) + `…".`},
	} {
		if diff := cmp.Diff(c.want, Bounded(c.text, LongestError)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	whole := "What is wrong: " + strings.Repeat("ab ", 30_000) + "Send less."
	got := Bounded(whole, LongestError)
	if n := utf8.RuneCountInString(got); n > LongestError+len(cutMiddle) || !strings.HasPrefix(got, "What is wrong: ") || !strings.HasSuffix(got, "Send less.") {
		t.Errorf("%d characters: %.40s ... %s", n, got, got[len(got)-40:])
	}
	many := make(Findings, 500)
	for i := range many {
		many[i] = Finding{Message: `no "` + long + `"`, Path: "/" + long}
	}
	if size := len(many.Bounded().Error()); size > 10_000 || len(many.Bounded()) != mostFindings {
		t.Errorf("%d bytes", size)
	}
}

// FuzzBounded: what is bounded is bounded, is UTF-8 where the text is, and is left as it is by a second time but for its middle.
func FuzzBounded(f *testing.F) {
	f.Add(`no "x" here`)
	f.Add(strings.Repeat(`"\`, 300))
	f.Fuzz(func(t *testing.T, text string) {
		got := Bounded(text, LongestError)
		if n := utf8.RuneCountInString(got); n > max(longestQuote, LongestError+len(cutMiddle)) {
			t.Errorf("%d characters", n)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("not UTF-8: %q", got)
		}
	})
}
