package calls

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/planner/plan"
	"catena/planner/retrieval"
)

// token is a piece of a message.
type token struct {
	text       string
	low        string
	stem       string // "" for marks and numbers
	start, end int    // bytes
	kind       kind
}

type kind uint8

const (
	word kind = iota
	number
	quoted
	bracketed // a list or an object in brackets
	mark
	coined // an address, an identifier, a path, a formula: what no word of English is
)

// mostTokens bounds the work on a message.
const mostTokens = 600

var tokenForms = regexp.MustCompile(strings.Join([]string{
	`(?P<url>https?://[^\s"'<>]+[^\s"'<>.,;:!?)])`,
	`(?P<mail>[\w.+-]+@[\w-]+\.[\w.-]*\w)`,
	`(?P<number>[-−]?[$€£¥]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-−]?[$€£¥]?\d*\.?\d+(?:[eE][-+]?\d+)?)`,
	`(?P<word>\p{L}[\p{L}\p{M}\d]*(?:['’-][\p{L}\p{M}\d]+)*|\p{L}[\p{L}\p{M}\d_]*)`,
	`(?P<mark>[^\s])`,
}, "|"))

// tokenize cuts a message into words, numbers, quoted texts, bracketed lists, coined words and marks.
func tokenize(s string) []token {
	var out []token
	for i := 0; i < len(s) && len(out) < mostTokens; {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r):
			if r == '\n' {
				out = append(out, token{text: "\n", low: "\n", start: i, end: i + size, kind: mark})
			}
			i += size
			continue
		case r == '(' && tuple.MatchString(s[i:]):
			end := i + strings.IndexByte(s[i:], ')') + 1
			inner := "[" + s[i+1:end-1] + "]"
			out = append(out, token{text: inner, low: inner, start: i, end: end, kind: bracketed})
			i = end
			continue
		case closing(r) != 0:
			if t, ok := enclosed(s, i, r); ok {
				out = append(out, t)
				i = t.end
				continue
			}
		}
		t := plainToken(s, i)
		out = append(out, t)
		i = t.end
	}
	return out
}

func closing(r rune) rune {
	switch r {
	case '"', '`':
		return r
	case '\'':
		return '\''
	case '‘':
		return '’'
	case '“':
		return '”'
	case '«':
		return '»'
	case '[':
		return ']'
	case '{':
		return '}'
	}
	return 0
}

// enclosed reads what stands in quotes or brackets from i on.
func enclosed(s string, i int, open rune) (token, bool) {
	end := closing(open)
	first := utf8.RuneLen(open)
	rest := s[i+first:]
	if open == '[' || open == '{' {
		depth := 1
		for j, r := range rest {
			switch r {
			case open:
				depth++
			case end:
				if depth--; depth == 0 {
					stop := i + first + j + utf8.RuneLen(end)
					return token{text: s[i:stop], low: s[i:stop], start: i, end: stop, kind: bracketed}, true
				}
			}
		}
		return token{}, false
	}
	const longest = 200
	for from := 0; ; {
		j := strings.IndexRune(rest[from:], end)
		if j < 0 || from+j > longest || from+j == 0 {
			return token{}, false
		}
		j += from
		stop := i + first + j + utf8.RuneLen(end)
		if end == '\'' || end == '’' { // an apostrophe within a word is no end
			if r, _ := utf8.DecodeRuneInString(s[stop:]); unicode.IsLetter(r) {
				from = j + utf8.RuneLen(end)
				continue
			}
		}
		inner := rest[:j]
		if strings.ContainsRune(inner, '\n') {
			return token{}, false
		}
		return token{text: strings.TrimRight(inner, ",."), low: strings.ToLower(inner), start: i, end: stop, kind: quoted}, true
	}
}

// tuple is a list of numbers in round brackets: coordinates.
var tuple = regexp.MustCompile(`^\(\s*[-−]?\d+(?:\.\d+)?(?:\s*,\s*[-−]?\d+(?:\.\d+)?)+\s*\)`)

// possessive is the ending of a genitive.
var possessive = regexp.MustCompile(`['’][sS]$`)

var coinedForm = regexp.MustCompile(`^[\w#@/\\.:*^+=()~-]+`)

// plainToken reads a word, a number, a coined word or a mark from i on.
func plainToken(s string, i int) token {
	m := tokenForms.FindStringSubmatchIndex(s[i:])
	if m == nil || m[0] != 0 {
		_, size := utf8.DecodeRuneInString(s[i:])
		return token{text: s[i : i+size], low: s[i : i+size], start: i, end: i + size, kind: mark}
	}
	end := i + m[1]
	t := token{start: i, end: end, kind: mark}
	switch {
	case m[2] >= 0 || m[4] >= 0:
		t.kind = coined
	case m[6] >= 0:
		t.kind = number
	case m[8] >= 0:
		t.kind = word
	}
	if t.kind == number {
		t.end += len(ordinalTail.FindString(s[t.end:]))
		end = t.end
	}
	if t.kind == number || t.kind == word || literalStart(s[i:]) {
		if c := coinedForm.FindString(s[i:]); coinedWord(c, s[i:end]) {
			c = strings.TrimRight(c, ".:=+(-")
			if strings.Count(c, ")") > strings.Count(c, "(") {
				c = strings.TrimRight(c, ")")
			}
			if len(c) > end-i {
				t.kind, t.end = coined, i+len(c)
			}
		}
	}
	t.text = s[t.start:t.end]
	if t.kind == word {
		t.text = t.text[:len(t.text)-len(possessive.FindString(t.text))]
	}
	t.low = strings.ToLower(t.text)
	if t.kind == word {
		t.stem = stem(t.low)
	}
	return t
}

// coinedWord reports whether a stretch without spaces is more than the word or number it begins with: an id, a path, a formula.
func coinedWord(c, first string) bool {
	c = strings.TrimRight(c, ".:=+(-)*/")
	if len(c) <= len(first) {
		return false
	}
	rest := c[len(first):]
	digits := strings.ContainsAny(c, "0123456789")
	letters := strings.IndexFunc(c, unicode.IsLetter) >= 0
	switch {
	case unitTail.MatchString(c) || countedForm.MatchString(c) || unitTail.MatchString(rest) && !letters2(first) || assignment.MatchString(c):
		return false
	case strings.ContainsAny(rest, "_@\\#") || strings.Contains(rest, "**"):
		return true
	case strings.ContainsAny(rest, "^*=+") && (digits || letters):
		return true
	case strings.Contains(rest, "/") && letters && !plainSlash.MatchString(c):
		return true
	case strings.Contains(rest, "/") || strings.Contains(rest, ":") && digits:
		return true
	case digits && letters && strings.ContainsAny(rest, "-."):
		return true
	case digits && letters && !unitTail.MatchString(rest):
		return true
	case strings.Contains(rest, ".") && letters && len(rest) > 2:
		return true
	case digits && strings.Count(c, "-") >= 2 || digits && strings.Count(c, ".") >= 2:
		return true
	}
	return false
}

var (
	unitTail    = regexp.MustCompile(`^(?i:st|nd|rd|th|s|k|m|b|km|kms|cm|mm|kg|g|mg|lb|lbs|ft|in|mi|mph|kmh|hz|khz|mhz|gb|mb|tb|am|pm|h|hr|hrs|min|mins|sec|ms|v|w|kw|kwh|a|n|j|c|f|l|ml|x|d|bn|mm|nm|px|%|m/s|m/s\^2|km/h|g/mol|/s|kg/m\^3)\.?$`)
	countedForm = regexp.MustCompile(`^\d+(?:\.\d+)?-[a-zA-Z]+$`) // 7-day
	ordinalTail = regexp.MustCompile(`^(?:st|nd|rd|th)\b`)
	assignment  = regexp.MustCompile(`^[A-Za-z_]\w*=[^=]`)
	plainSlash  = regexp.MustCompile(`^[A-Za-z]{2,}/[A-Za-z]{2,}$`)
)

func letters2(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 }

// stem cuts a word to what its forms have in common, as the retriever does.
func stem(w string) string {
	if t := retrieval.Stem(w); t != "" {
		return t
	}
	return w
}

// nameStems are the stems of a name's words, in order.
func nameStems(s string) []string {
	words := plan.NameWords(strings.ReplaceAll(s, ".", " "))
	for i, w := range words {
		words[i] = stem(w)
	}
	return words
}

func (t token) capital() bool {
	r, _ := utf8.DecodeRuneInString(t.text)
	return t.kind == word && unicode.IsUpper(r)
}

// literalStart reports whether a text may begin with a path, a tag or a name that no word of a language does.
func literalStart(s string) bool {
	rest := strings.TrimLeft(s, ".~")
	return strings.IndexByte("/#@", s[0]) >= 0 || len(rest) < len(s) && strings.HasPrefix(rest, "/")
}
