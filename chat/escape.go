package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape keeps a text from being read as Markdown or HTML, or by a terminal. Underscores inside words are no markup.
func escape(s string) string {
	s = escaper.Replace(strings.Map(printable, s))
	if !strings.Contains(s, "_") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "_"))
		if run == 0 {
			b.WriteByte(s[i])
			i++
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		behind, _ := utf8.DecodeRuneInString(s[i+run:])
		if wordRune(before) && wordRune(behind) {
			b.WriteString(s[i : i+run])
		} else {
			b.WriteString(strings.Repeat(`\_`, run))
		}
		i += run
	}
	return b.String()
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

var escaper = strings.NewReplacer(`\`, `\\`, "*", `\*`, "`", "\\`", "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "|", `\|`, "\n", " ", "\r", " ")
