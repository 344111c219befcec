package memory

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTokens(t *testing.T) {
	tests := []struct{ text, surfaces, stems string }{
		{"Globex's calls, on MONDAY!", "globex calls on monday", "globex call monday"},
		{"paymentService HTTPServer", "paymentservice httpserver", "paymentservic payment servic httpserver http server"},
		{"snake_case kebab-case a.b@example.com", "snake case kebab case a b example com", "snake case kebab case b exampl com"},
		{"don’t Café ＦＵＬＬ", "dont cafe full", "dont cafe full"},
		{"東京タワー", "東京 京タ タワ ワー", "東京 京タ タワ ワー"},
		{"I ♥ 👍", "i ♥ 👍", "♥ 👍"},
		{"Привет", "привет", "привет"},
		{"  \t\n ", "", ""},
	}
	for _, test := range tests {
		var surfaces, stems []string
		for _, tok := range tokens(test.text) {
			if tok.surface != "" {
				surfaces = append(surfaces, tok.surface)
			}
			if tok.stem != "" {
				stems = append(stems, tok.stem)
			}
		}
		if d := cmp.Diff([]string{test.surfaces, test.stems}, []string{strings.Join(surfaces, " "), strings.Join(stems, " ")}); d != "" {
			t.Errorf("%q (-want +got):\n%s", test.text, d)
		}
	}
}

func TestNormal(t *testing.T) {
	same := [][2]string{
		{"Globex prefers calls.", "globex  PREFERS\ncalls"}, {"“Café”", "cafe"}, {"(so it is)!", "So it is?"}, {"…", "…"},
	}
	for _, p := range same {
		if normal(p[0]) != normal(p[1]) {
			t.Errorf("%q is %q, %q is %q", p[0], normal(p[0]), p[1], normal(p[1]))
		}
	}
	different := [][2]string{
		{"I like C", "I like C++"}, {"C#", "C"}, {"5 points", "-5 points"}, {"3.5", "35"}, {"10:30", "1030"}, {"50%", "50"}, {"!!", "??"}, {"now here", "nowhere"},
	}
	for _, p := range different {
		if normal(p[0]) == normal(p[1]) {
			t.Errorf("%q and %q are both %q", p[0], p[1], normal(p[0]))
		}
	}
}

func TestBands(t *testing.T) {
	a := stems(tokens("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"))
	b := stems(tokens("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen thirty"))
	if got := alike(a, b); got < .9 || got >= 1 {
		t.Error("alike:", got)
	}
	common := 0
	for i, x := range bands(a) {
		if bands(b)[i] == x {
			common++
		}
	}
	if common == 0 {
		t.Error("two texts that are nearly the same have no band in common")
	}
	if bands(nil) != nil {
		t.Error("a text without stems has bands")
	}
}

// FuzzTokens checks what the index relies on: terms without space or control characters, the same for a text and its fold.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"Globex's calls", "paymentService", "東京タワー", "a_b-c", "ﬁ\u0301", "I\u0307stanbul", "\xff\x00", "'’'", strings.Repeat("x", 100)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, tok := range tokens(s) {
			for _, form := range []string{tok.surface, tok.stem} {
				if strings.ContainsAny(form, " \"\x00\n\t=_") || len([]rune(form)) > maxWord {
					t.Fatalf("%q gives %q", s, form)
				}
			}
			if tok.surface == "" && tok.stem == "" {
				t.Fatalf("%q gives an empty token", s)
			}
		}
		if x := indexOf(s, []string{s}); len(x.Digest) != 16 || len(x.Words) > len(x.Terms) {
			t.Fatalf("%q gives %+v", s, x)
		}
	})
}

func TestPersonality(t *testing.T) {
	p, err := ParsePersonality("\ufeff# Me\nall of us\n## variant: a\nfirst\n\n##  no variant\n## variant: b-2\r\nsecond\r\n")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"a", "b-2"}, p.Variants()); d != "" {
		t.Error(d)
	}
	said, err := p.Text("a")
	if err != nil || said != "# Me\nall of us\n\nfirst\n\n##  no variant" {
		t.Errorf("%q %v", said, err)
	}
	for text, want := range map[string]string{
		"":                                "has no line",
		"just text":                       "has no line",
		"## variant:\nx":                  "no name for a variant",
		"## variant: a b\nx":              "no name for a variant",
		"## variant: a\nx\n## variant: a": "twice",
		"## variant: a\n\n":               "says nothing",
		"\xff\xfe":                        "not text",
		strings.Repeat("x", 64<<10+1):     "are allowed",
	} {
		if _, err := ParsePersonality(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
}
