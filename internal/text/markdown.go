package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// markdownMarks are the bytes that mean something in Markdown, in the middle of a line. All others are written as they
// are.
const markdownMarks = "\\|`*_[]<>&~"

var markdownMark = func() (mark [256]bool) {
	for i := range len(markdownMarks) {
		mark[markdownMarks[i]] = true
	}
	return mark
}()

// Markdown is AppendMarkdown as a string.
func Markdown(s string) string { return string(AppendMarkdown(make([]byte, 0, len(s)+8), s)) }

// AppendMarkdown appends s, a text of one line, such that Markdown shows it as it is, also in the cell of a table and
// at the start of a quotation or an item: nothing in it is a cell's end, emphasis, code, a link, an image, HTML or a
// quotation. What people read as well without a renderer stays: an arrow ->, a < b, and underscores inside words.
// Headings and items are not looked for.
func AppendMarkdown(b []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		if !markdownMark[s[i]] {
			i++
			continue
		}
		b = append(b, s[start:i]...)
		b, start = appendMark(b, s, i)
		i = start
	}
	return append(b, s[start:]...)
}

// AppendMarkdownJSON is AppendMarkdown for a text that may be a JSON object or list: those are written as code, which
// needs no escapes but for the bar that would end a cell. One with a mark of code in it is escaped all the same.
func AppendMarkdownJSON(b []byte, s string) []byte {
	code := strings.HasPrefix(s, "[") || strings.HasPrefix(s, "{")
	if !code || strings.ContainsAny(s, "`\\") {
		return AppendMarkdown(b, s)
	}
	b = append(b, '`')
	b = append(b, strings.ReplaceAll(s, "|", `\|`)...)
	return append(b, '`')
}

// appendMark writes what s has at i, which is a mark, and gives where it ends.
func appendMark(b []byte, s string, i int) (written []byte, end int) {
	end = i + 1
	switch c := s[i]; c {
	case '_':
		return appendUnderscores(b, s, i)
	case '<':
		if end < len(s) && s[end] == ' ' {
			return append(b, c), end // it can begin neither a tag nor an address
		}
		return append(b, "&lt;"...), end
	case '>':
		if strings.TrimLeft(s[:i], " ") == "" {
			b = append(b, '\\')
		}
		return append(b, c), end
	case '&':
		if b = append(b, c); entity(s[i:]) {
			b = append(b, "amp;"...)
		}
		return b, end
	default:
		return append(b, '\\', c), end
	}
}

// appendUnderscores writes the underscores that begin at i. Between letters or digits they are no markup (CommonMark
// 6.2).
func appendUnderscores(b []byte, s string, i int) (written []byte, end int) {
	end = i + len(s[i:]) - len(strings.TrimLeft(s[i:], "_"))
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	behind, _ := utf8.DecodeRuneInString(s[end:])
	if wordRune(before) && wordRune(behind) {
		return append(b, s[i:end]...), end
	}
	for range end - i {
		b = append(b, `\_`...)
	}
	return b, end
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// entity reports whether s, which begins with &, would be read as a character reference.
func entity(s string) bool {
	end := strings.IndexByte(s, ';')
	return end > 1 && end < 34 && !strings.ContainsFunc(s[1:end], func(r rune) bool { return r != '#' && !wordRune(r) })
}
