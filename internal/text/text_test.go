package text

import (
	"slices"
	"strings"
	"testing"
)

func TestStem(t *testing.T) {
	// Pairs that the description of the English stemmer gives, and words that people store.
	tests := map[string]string{
		"call": "call", "calls": "call", "called": "call", "calling": "call", "consigned": "consign", "consistency": "consist",
		"consistently": "consist", "consolations": "consol", "knackeries": "knackeri", "knitting": "knit", "caresses": "caress",
		"ties": "tie", "tying": "tie", "cries": "cri", "gas": "gas", "this": "this", "gaps": "gap", "kiwis": "kiwi", "hopping": "hop", "hoping": "hope",
		"luxuriated": "luxuri", "monday": "monday", "mondays": "monday", "payment": "payment", "payments": "payment", "paid": "paid",
		"generate": "generat", "communication": "communic", "preferences": "prefer", "prefers": "prefer", "skies": "sky", "news": "news",
		"relational": "relat", "vietnamization": "vietnam", "controllable": "control", "feed": "feed", "freed": "freed", "by": "by", "say": "say",
		"youth": "youth", "boyish": "boyish", "2024": "2024", "größe": "größe", "Calls": "Calls", "": "", "don't": "don't",
	}
	for word, want := range tests {
		if got := Stem(word); got != want {
			t.Errorf("Stem(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	long := strings.Repeat("abcdefgh", 20)
	tests := []struct {
		a, b string
		most int
		want int
	}{
		{"globx", "globex", 1, 1}, {"mondya", "monday", 1, 1}, {"abc", "abc", 2, 0}, {"kitten", "sitting", 2, 3}, {"kitten", "sitting", 9, 3},
		{"ab", "abcde", 2, 3}, {"", "a", 1, 1}, {"", "", 0, 0}, {"ca", "abc", 3, 3}, {"größe", "grosse", 4, 3}, {"größe", "grösse", 2, 2},
		{"größe", "grösez", 3, 2}, {"a", "a", -1, 0}, {long, long + "x", 3, 1}, {long, "x" + long[1:], 3, 1}, {"größe", "größe", 0, 0},
	}
	for _, test := range tests {
		for _, pair := range [][2]string{{test.a, test.b}, {test.b, test.a}} {
			if got := Distance(pair[0], pair[1], test.most); got != test.want {
				t.Errorf("%q to %q: %d, want %d", pair[0], pair[1], got, test.want)
			}
		}
	}
}

// FuzzDistance holds that the distance is a number of edits: the same both ways, none between equals, and no more than the longer one's length.
func FuzzDistance(f *testing.F) {
	f.Add("monday", "mondya", 2)
	f.Add("größe", "grosse", 9)
	f.Fuzz(func(t *testing.T, a, b string, most int) {
		if len(a) > 200 || len(b) > 200 || most > 1000 {
			return
		}
		d := Distance(a, b, most)
		longest := max(len([]rune(a)), len([]rune(b)))
		switch {
		case d != Distance(b, a, most):
			t.Errorf("%q and %q: %d one way, %d the other", a, b, d, Distance(b, a, most))
		case d > most+1, most >= longest && d > longest, most >= 0 && a == b && d != 0:
			t.Errorf("%q and %q: %d, of %d at most", a, b, d, most)
		}
	})
}

func TestFold(t *testing.T) {
	for s, want := range map[string]string{"Café": "cafe", "ＦＵＬＬ": "full", "İstanbul": "istanbul", "Привет": "привет", "ÅSA": "asa", "が": "が", "ﬁ": "fi", "": ""} {
		if got := Fold(s); got != want {
			t.Errorf("Fold(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	got := []string{Count(1, "row"), Count(0, "row"), Count(5, "row"), CountOf(1, "memory", "memories"), CountOf(1200, "memory", "memories"), Was(1), Was(0)}
	if want := "1 row; 0 rows; 5 rows; 1 memory; 1,200 memories; was; were"; strings.Join(got, "; ") != want {
		t.Errorf("%q", got)
	}
}

func BenchmarkDistance(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Distance("monitoring", "moniotrinh", 2)
	}
}

func TestWords(t *testing.T) {
	for in, want := range map[string][]string{
		"HTTPServer": {"http", "server"}, "parseURLs": {"parse", "urls"}, "snake_case-name": {"snake", "case", "name"}, "MaxChunkLines": {"max", "chunk", "lines"},
		"sha256Sum": {"sha256", "sum"}, "__init__": {"init"}, "ÄnderungFür": {"änderung", "für"}, "x": {"x"}, "": nil, "_": nil, "IDs": {"ids"}, "a.b/c": {"a", "b", "c"},
		"getHTTP": {"get", "http"}, "XMLHttpRequest": {"xml", "http", "request"},
	} {
		if got := Words(in); !slices.Equal(got, want) {
			t.Errorf("Words(%q) = %q, want %q", in, got, want)
		}
	}
}
