package index

import "strings"

// marks are how a language writes comments.
type marks struct {
	line        []string
	open, close string
}

var (
	cMarks    = marks{line: []string{"//"}, open: "/*", close: "*/"}
	hashMarks = marks{line: []string{"#"}}
	marksOf   = map[string]marks{
		"go": cMarks, "javascript": cMarks, "typescript": cMarks, "java": cMarks, "rust": cMarks, "c": cMarks, "cpp": cMarks, "csharp": cMarks,
		"kotlin": cMarks, "swift": cMarks, "scala": cMarks, "php": cMarks, "css": cMarks, "proto": cMarks, "assembly": cMarks, "asm": cMarks,
		"python": {line: []string{"#"}, open: `"""`, close: `"""`}, "ruby": hashMarks, "shell": hashMarks, "bash": hashMarks, "yaml": hashMarks,
		"toml": hashMarks, "make": hashMarks, "makefile": hashMarks, "perl": hashMarks, "r": hashMarks, "dockerfile": hashMarks,
		"sql": {line: []string{"--"}, open: "/*", close: "*/"}, "lua": {line: []string{"--"}}, "haskell": {line: []string{"--"}, open: "{-", close: "-}"},
		"html": {open: "<!--", close: "-->"}, "xml": {open: "<!--", close: "-->"},
	}
)

// eachPart cuts a piece of source into code and comments, in order. It is exact enough to weigh words: a comment mark inside of a
// string on one line is seen as such, one in a string over several lines is not.
func eachPart(language, text string, f func(part string, comment bool)) {
	m, ok := marksOf[language]
	if !ok {
		f(text, false)
		return
	}
	start := 0
	for i := 0; i < len(text); {
		mark, end := m.at(text, i)
		if !mark {
			i = skipLiteral(text, i)
			continue
		}
		if i > start {
			f(text[start:i], false)
		}
		f(text[i:end], true)
		i, start = end, end
	}
	if start < len(text) {
		f(text[start:], false)
	}
}

// at reports whether a comment begins at i, and where it ends.
func (m marks) at(text string, i int) (bool, int) {
	rest := text[i:]
	if m.open != "" && strings.HasPrefix(rest, m.open) {
		if n := strings.Index(rest[len(m.open):], m.close); n >= 0 {
			return true, i + len(m.open) + n + len(m.close)
		}
		return true, len(text)
	}
	for _, l := range m.line {
		if strings.HasPrefix(rest, l) {
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				return true, i + n
			}
			return true, len(text)
		}
	}
	return false, 0
}

// skipLiteral returns what follows the byte at i, or the string literal that begins there and ends on the same line.
func skipLiteral(text string, i int) int {
	q := text[i]
	if q != '"' && q != '\'' && q != '`' {
		return i + 1
	}
	for j := i + 1; j < len(text) && text[j] != '\n'; j++ {
		switch text[j] {
		case '\\':
			j++
		case q:
			return j + 1
		}
	}
	return i + 1
}
