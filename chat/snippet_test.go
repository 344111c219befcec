package chat

import (
	"strings"
	"testing"
)

func TestSnippet(t *testing.T) {
	long := strings.Repeat("before ", 20) + "the Ärger of Globex " + strings.Repeat("after ", 40)
	for _, c := range []struct{ name, text, word, want string }{
		{"short", "Top 5 clients", "clients", "Top 5 clients"},
		{"none", "Top 5 clients", "orders", ""},
		{"a table's marks", "**Total**\n\n|Region|Sum|\n|-|-|\n|USA|4|", "usa", "Total Region Sum - - USA 4"},
		{"in the middle", long, "globex", "… before before before before the Ärger of Globex after after after after " +
			"after after after after after after after after …"},
		{"other case, longer in lower case", "İİİİ Umsatz", "umsatz", "İİİİ Umsatz"},
	} {
		if got := snippet(c.text, []string{c.word}); !strings.HasPrefix(got, strings.TrimSuffix(c.want, " …")) ||
			len([]rune(got)) > snippetLength+4 {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
