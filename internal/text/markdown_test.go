package text

import "testing"

func TestMarkdown(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""}, {"plain text, 5 % (so)", "plain text, 5 % (so)"},
		{"customer_id -> customers.id", "customer_id -> customers.id"}, {"a < b > c", "a < b > c"}, {"x >= 5", "x >= 5"},
		{"> said", `\> said`}, {"  >= 5", `  \>= 5`}, {"<b>bold</b>", "&lt;b>bold&lt;/b>"}, {"<1@x.y>", "&lt;1@x.y>"}, {"a<", "a&lt;"},
		{"old__json_list", "old__json_list"}, {"_a_ __b__", `\_a\_ \_\_b\_\_`}, {"a_", `a\_`}, {"ä__ß", "ä__ß"}, {"a_*b*", `a\_\*b\*`},
		{"a|b", `a\|b`}, {"[x](http://y)", `\[x\](http://y)`}, {"`c` ~~d~~ \\", "\\`c\\` \\~\\~d\\~\\~ \\\\"},
		{"AT&T", "AT&T"}, {"&lt;", "&amp;lt;"}, {"a & b; c", "a & b; c"},
	} {
		if got := Markdown(tt.text); got != tt.want {
			t.Errorf("Markdown(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestMarkdownJSON(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`[{"a_b":"*x*"}]`, "`" + `[{"a_b":"*x*"}]` + "`"}, {`{"a":"b|c"}`, "`" + `{"a":"b\|c"}` + "`"},
		{"red, old", "red, old"}, {"*red*", `\*red\*`}, {"[\"`\"]", "\\[\"\\`\"\\]"}, {`["\u0041"]`, `\["\\u0041"\]`}, {"", ""},
	} {
		if got := string(AppendMarkdownJSON(nil, tt.text)); got != tt.want {
			t.Errorf("AppendMarkdownJSON(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
