package tools

import "testing"

func TestLiteral(t *testing.T) {
	for in, want := range map[string]string{"neo4j://personas/{id}": "neo4j://personas/", "a://b c/{x}": "a://b", "a://b%20c/{x}": "a://b",
		"a://\u00e9/{x}": "a://", "a://b{?q}": "a://b", "{+x}": "", "a://b": "a://b"} {
		if got := literal(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestPercentEncoded(t *testing.T) {
	for in, want := range map[string]string{
		"neo4j://personas/don":     "neo4j://personas/don",
		"neo4j://personas/a+b c":   "neo4j://personas/a%2Bb%20c",
		"neo4j://personas/a%2Fb":   "neo4j://personas/a%2Fb",
		"neo4j://personas/100%":    "neo4j://personas/100%25",
		"neo4j://personas/50%zz":   "neo4j://personas/50%25zz",
		"neo4j://personas/\u00e9?": "neo4j://personas/%C3%A9%3F",
		"no scheme":                "no scheme",
	} {
		if got := percentEncoded(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
