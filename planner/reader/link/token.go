package link

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/internal/text"
)

// Bounds of what is taken apart.
const (
	maxMessage = 20_000 // bytes; what comes later is not read
	maxQuoted  = 200    // bytes between two quotation marks
	maxParts   = 8      // words that are written as one
)

// Token is a word, a number, a mark or a quoted text of a message.
type Token struct {
	Text       string   // as it was written
	fold       string   // text.Fold
	stem       string   // text.Stem of fold
	parts      []string // the words of what is written as one, folded: order_id, well-known; nil where it is one
	Start, End int      // bytes of the message
	kind       tokenKind
}

// Plural reports whether a token is a noun in its plural form, as English writes it.
func (t Token) Plural() bool { return t.kind == wordToken && text.Singular(t.fold) != t.fold }

type tokenKind uint8

const (
	wordToken   tokenKind = iota
	numberToken           // digits, with what belongs to a number
	markToken             // punctuation
	quotedToken           // what stands between quotation marks, without them
)

// Tokenize takes a message apart: words, numbers with what is written onto them, quoted stretches and marks.
func Tokenize(message string) []Token {
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "")
	}
	t := tokenizer{message: message}
	for t.at < len(message) {
		r, size := utf8.DecodeRuneInString(message[t.at:])
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			t.at += size
		case t.quoted(r, size):
		case t.number():
		case wordRune(r):
			t.word()
		default:
			t.mark(r, size)
		}
	}
	return t.out
}

type tokenizer struct {
	message string
	at      int
	out     []Token
}

// take adds a token that ends at end, and goes on there.
func (t *tokenizer) take(end int, kind tokenKind) {
	t.add(t.message[t.at:end], t.at, end, kind)
	t.at = end
}

func (t *tokenizer) add(written string, start, end int, kind tokenKind) {
	fold := apostrophes.Replace(text.Fold(written))
	tok := Token{Text: written, fold: fold, stem: fold, Start: start, End: end, kind: kind}
	if kind == wordToken {
		tok.stem = text.Stem(fold)
		tok.parts = partsOf(written, fold)
	}
	t.out = append(t.out, tok)
}

// apostrophes are all written as one.
var apostrophes = strings.NewReplacer("’", "'", "‘", "'", "`", "'", "´", "'")

// partsOf are the words of what is written as one: well-known, order_id, orders.amount, unitPrice; nil where it is one.
func partsOf(written, fold string) []string {
	if !strings.ContainsAny(written, "-_./&") && !camel(written) {
		return nil
	}
	parts := text.Words(written)
	if len(parts) < 2 || len(parts) > maxParts {
		return nil
	}
	short := true
	for i, p := range parts {
		parts[i] = text.Fold(p)
		short = short && len(p) == 1
	}
	if short { // an abbreviation with dots
		return nil
	}
	return parts
}

// camel reports whether a capital stands behind a small letter.
func camel(w string) bool {
	before := rune(0)
	for _, r := range w {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			return true
		}
		before = r
	}
	return false
}

func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// quoteEnds are the marks that close what others open.
var quoteEnds = map[rune]string{'"': `"`, '“': `”“"`, '„': `“”"`, '«': "»", '»': "«", '‹': "›", '\'': "'’", '‘': "’'", '`': "`'"}

// quoted takes a stretch between quotation marks. An apostrophe opens only behind a space, and closes only before one.
func (t *tokenizer) quoted(r rune, size int) bool {
	ends := quoteEnds[r]
	if ends == "" {
		return false
	}
	single := strings.ContainsRune("'‘`", r)
	if before, _ := utf8.DecodeLastRuneInString(t.message[:t.at]); single && t.at > 0 && wordRune(before) {
		return false
	}
	rest := t.message[t.at+size:]
	for i, c := range rest {
		if i > maxQuoted || c == '\n' {
			return false
		}
		if !strings.ContainsRune(ends, c) {
			continue
		}
		next, _ := utf8.DecodeRuneInString(rest[i+utf8.RuneLen(c):])
		if single && wordRune(next) {
			continue
		}
		if strings.TrimSpace(rest[:i]) == "" {
			return false
		}
		end := t.at + size + i + utf8.RuneLen(c)
		t.add(strings.TrimSpace(rest[:i]), t.at, end, quotedToken)
		t.at = end
		return true
	}
	return false
}

// number takes digits with a sign and a currency before them, and what is written onto them.
func (t *tokenizer) number() bool {
	rest := t.message[t.at:]
	i := 0
	if rest[0] == '-' || rest[0] == '+' || strings.HasPrefix(rest, "−") {
		if t.at > 0 && !spaceBefore(t.message, t.at) {
			return false
		}
		_, i = utf8.DecodeRuneInString(rest)
	}
	if r, size := utf8.DecodeRuneInString(rest[i:]); unicode.Is(unicode.Sc, r) {
		i += size
	}
	if i >= len(rest) || !digitAt(rest, i) && !(rest[i] == '.' && digitAt(rest, i+1)) {
		return false
	}
	end := numberEnd(rest, i)
	for end < len(rest) { // a unit or an ending: 5k, 3rd, 12%, 100kg
		r, size := utf8.DecodeRuneInString(rest[end:])
		if !wordRune(r) && r != '%' && r != '°' && !unicode.Is(unicode.Sc, r) {
			break
		}
		end += size
	}
	t.take(t.at+end, numberToken)
	return true
}

func spaceBefore(s string, at int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:at])
	return unicode.IsSpace(r) || strings.ContainsRune("(=<>:", r)
}

func digitAt(s string, i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }

func digitsEnd(s string, i int) int {
	for digitAt(s, i) {
		i++
	}
	return i
}

// numberEnd is where the digits that begin at i end, with the marks of dates, clocks, thousands and decimals.
func numberEnd(s string, i int) int {
	if end := dateEnd(s, i); end > 0 {
		return end
	}
	end := digitsEnd(s, i)
	for end < len(s) && strings.IndexByte(".,:'/", s[end]) >= 0 && digitAt(s, end+1) {
		next := digitsEnd(s, end+1)
		if !joinsDigits(s[end], next-end-1) {
			break
		}
		end = next
	}
	return end
}

// joinsDigits reports whether a mark with so many digits behind it goes on a number.
func joinsDigits(mark byte, digits int) bool {
	switch mark {
	case '.':
		return true
	case ',':
		return digits <= 3
	case '\'':
		return digits == 3
	}
	return digits <= 2 || digits == 4 && mark == '/'
}

// dateEnd is where an ISO date ends that begins at i: 2019-03, 2019-03-05, with T and a clock; 0 where none does.
func dateEnd(s string, i int) int {
	year := digitsEnd(s, i)
	month := digitsEnd(s, min(year+1, len(s)))
	if year-i != 4 || year >= len(s) || s[year] != '-' || month-year != 3 || digitAt(s, month) {
		return 0
	}
	if month >= len(s) || s[month] != '-' || !digitAt(s, month+1) {
		return month
	}
	day := digitsEnd(s, month+1)
	if day-month != 3 {
		return month
	}
	if day+1 < len(s) && s[day] == 'T' && digitAt(s, day+1) {
		for day++; day < len(s) && (digitAt(s, day) || s[day] == ':' || s[day] == 'Z'); {
			day++
		}
	}
	return day
}

// inner are marks that stay within a word where letters stand on both sides of them.
const inner = "-.'’&/@"

// word takes letters and digits, and what joins them. What the lexicon calls a clitic is a token of its own.
func (t *tokenizer) word() {
	end := t.at
	for end < len(t.message) {
		r, size := utf8.DecodeRuneInString(t.message[end:])
		if !wordRune(r) {
			next, _ := utf8.DecodeRuneInString(t.message[end+size:])
			if !strings.ContainsRune(inner, r) || !unicode.IsLetter(next) {
				break
			}
			if before, _ := utf8.DecodeLastRuneInString(t.message[:end]); !unicode.IsLetter(before) {
				break
			}
		}
		end += size
	}
	if end < len(t.message) && t.message[end] == '.' && dotted(t.message[t.at:end]) {
		end++
	}
	if end == t.at+1 && strings.HasPrefix(t.message[end:], "/ ") { // w/ is with
		end++
	}
	cut := cliticAt(t.message[t.at:end])
	if cut == 0 {
		cut = compoundAt(t.message[t.at:end])
	}
	if cut > 0 {
		t.take(t.at+cut, wordToken)
	}
	t.take(end, wordToken)
}

// compoundAt is where the first word of a compound ends; 0 where a word is none. Where folding changes how long the
// letters are, letters are counted.
func compoundAt(w string) int {
	v, err := lexicons()
	if err != nil {
		return 0
	}
	fold := text.Fold(w)
	cut := v.compound(fold)
	if cut == 0 || utf8.RuneCountInString(fold) != utf8.RuneCountInString(w) {
		return 0
	}
	letters := utf8.RuneCountInString(fold[:cut])
	for i := range w {
		if letters == 0 {
			return i
		}
		letters--
	}
	return 0
}

// dotted reports whether each letter has a dot behind it, but for the last: U.S
func dotted(w string) bool {
	letters := strings.Split(w, ".")
	for _, l := range letters {
		if utf8.RuneCountInString(l) != 1 {
			return false
		}
	}
	return len(letters) > 1
}

// cliticAt is where a word ends that a clitic is written onto: the customer of customer's; 0 where none is.
func cliticAt(w string) int {
	at := strings.LastIndexAny(w, "'’")
	if at <= 0 {
		return 0
	}
	l, err := lexicons()
	if err != nil || !l.clitics[apostrophes.Replace(text.Fold(w[at:]))] {
		return 0
	}
	return at
}

// mark takes a mark, or several that are a comparison together.
func (t *tokenizer) mark(r rune, size int) {
	end := t.at + size
	for strings.ContainsRune("<>=!-", r) && end < len(t.message) && strings.IndexByte("<>=", t.message[end]) >= 0 {
		end++
	}
	t.take(end, markToken)
}
