package offline

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/planner/plan"
)

// maxTokens bounds how much of a message is read; questions are short, pasted documents are not questions.
const maxTokens = 400

// token is a word, number or mark of the message.
type token struct {
	text       string // as written
	low        string // folded: lower case, no accents
	lemma      string // the noun's singular
	start, end int    // bytes in the message
	at         int    // place among the message's tokens
	kind       tokenKind
	num        string // a number's exact text, magnitude applied: "200000000"
	percent    bool   // a number with % behind it
	money      bool   // a number with a currency sign
	code       bool   // a word in capitals among others that are not: IT
	stem       string
	ids        []string // the concepts of the lemma
	speaks     []string // the concepts that a word of degree speaks of
	spelled    string   // the word of the lexicon that a misspelt one means
	place      bool     // a country or its people
	long       string   // of an abbreviation, "" for other words
}

type tokenKind uint8

const (
	wordToken tokenKind = iota
	numberToken
	markToken
	quoteToken // a text in quotes, text being what is inside
	dateToken  // an ISO date, num being its text
)

// magnitudes are the words and letters that multiply a number before them.
var magnitudes = map[string]int{
	"thousand": 3, "k": 3, "million": 6, "mio": 6, "mn": 6, "billion": 9, "bn": 9, "trillion": 12,
}

// numerals are the numbers that people spell.
var numerals = map[string]string{
	"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
	"eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30", "fifty": "50", "hundred": "100", "dozen": "12",
}

// tokenize splits a message. Numbers keep their exact digits; a magnitude behind a number is folded into it.
func tokenize(s string) []token {
	var out []token
	for i := 0; i < len(s) && len(out) < maxTokens; {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r) || r == '_': // revenue_eur is the column that people call revenue EUR
			i += size
		case quoteEnd(s, i, r) > 0:
			end := quoteEnd(s, i, r)
			out = append(out, token{text: s[i+size : end], start: i, end: end + closing(s, end), kind: quoteToken})
			i = end + closing(s, end)
		case r >= '0' && r <= '9' || (r == '-' || r == '.' || r == '−') && digitAt(s, i+size) && (i == 0 || !wordByte(s[i-1])):
			t := scanNumber(s, i)
			out = append(out, t)
			i = t.end
		case unicode.IsLetter(r):
			end := wordEnd(s, i)
			out = append(out, token{text: s[i:end], start: i, end: end})
			i = end
		default:
			end := i + size
			if two := s[i:min(i+2, len(s))]; two == "->" || two == "=>" || two == ">=" || two == "<=" || two == "!=" {
				end = i + 2
			}
			out = append(out, token{text: s[i:end], start: i, end: end, kind: markToken})
			i = end
		}
	}
	for i := range out {
		foldToken(&out[i])
	}
	out = foldNumbers(out)
	for i := range out {
		out[i].learn()
		out[i].code = codeLike(s, out, i)
	}
	return out
}

// codeLike reports whether a word that is written in capitals in a message that is not stands for a name rather than for
// the word: "employees in IT", "the US", "product A".
func codeLike(s string, toks []token, i int) bool {
	t := toks[i]
	if t.kind != wordToken || t.text != strings.ToUpper(t.text) || t.text == "I" || s == strings.ToUpper(s) {
		return false
	}
	if len(t.text) > 1 {
		return true
	}
	return i > 0 && toks[i-1].kind == wordToken && toks[i-1].text == strings.ToLower(toks[i-1].text) && !stopWords[toks[i-1].low]
}

func wordByte(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80 || b == ')'
}

func digitAt(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

// quoteEnd gives where the quoted text that starts at i ends, 0 when none does.
func quoteEnd(s string, i int, r rune) int {
	var end string
	switch r {
	case '"':
		end = `"`
	case '“', '„':
		end = "”"
	case '\'', '‘':
		if i > 0 && wordByte(s[i-1]) {
			return 0
		}
		end = "'"
		if r == '‘' {
			end = "’"
		}
	default:
		return 0
	}
	size := utf8.RuneLen(r)
	rest := s[i+size:]
	at := strings.Index(rest, end)
	if german := strings.Index(rest, "“"); r == '„' && german >= 0 && (at < 0 || german < at) {
		at = german
	}
	for end == "'" && at >= 0 && at+1 < len(rest) && wordByte(rest[at+1]) { // an apostrophe inside
		next := strings.Index(rest[at+1:], end)
		if next < 0 {
			return 0
		}
		at += 1 + next
	}
	if at <= 0 || at > 120 {
		return 0
	}
	return i + size + at
}

func closing(s string, at int) int {
	_, size := utf8.DecodeRuneInString(s[at:])
	return size
}

// wordEnd gives the end of the word at i: letters, digits, and apostrophes, & and dots between them (o'hare, R&D, U.S.A).
func wordEnd(s string, i int) int {
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		inner := (r == '\'' || r == '’' || r == '.' || r == '&') && i+size < len(s) && wordByte(s[i+size]) && s[i+size] != ')'
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && !inner {
			break
		}
		i += size
	}
	return i
}

// scanNumber reads a number with separators, or an ISO date.
func scanNumber(s string, i int) token {
	if t, ok := scanISODate(s, i); ok {
		return t
	}
	start := i
	_, size := utf8.DecodeRuneInString(s[i:])
	if !digitAt(s, i) {
		i += size
	}
	for i < len(s) && (digitAt(s, i) || (s[i] == '.' || s[i] == ',') && digitAt(s, i+1)) {
		if s[i] == ',' && !thousands(s, i) {
			break
		}
		i++
	}
	text := strings.ReplaceAll(strings.Replace(s[start:i], "−", "-", 1), ",", "")
	t := token{kind: numberToken, num: strings.TrimPrefix(text, "+"), start: start}
	if zeros, end := exponent(s, start, i); end > i {
		if num := t.num + s[i:end]; zeros > mostZeros || zeros < -mostZeros {
			t.num = num
		} else {
			t.num = scale(t.num, zeros)
		}
		i = end
	}
	end := i
	for end < len(s) && (s[end] >= 'a' && s[end] <= 'z' || s[end] >= 'A' && s[end] <= 'Z') {
		end++
	}
	switch tail := strings.ToLower(s[i:end]); {
	case tail == "":
	case tail == "st" || tail == "nd" || tail == "rd" || tail == "th":
		i = end
	case tail == "s" && strings.HasSuffix(t.num, "0") && len(t.num) == 4: // 1990s
		t.kind, t.num, i = dateToken, t.num+"s", end
	case tail == "m" || tail == "k" || tail == "bn" || tail == "mn":
		t.num, i = scale(t.num, map[string]int{"k": 3, "m": 6, "mn": 6, "bn": 9}[tail]), end
	case len(tail) <= 3 && units[tail].kind != "": // 6kg: the unit is a token of its own
	default:
		t.kind, i = wordToken, end // a code such as 2LT
		for i < len(s) && wordByte(s[i]) && s[i] != ')' {
			i++
		}
	}
	t.end, t.text = i, s[start:i]
	return t
}

// thousands reports whether the comma at i separates groups of three digits.
func thousands(s string, i int) bool {
	return i+3 < len(s) && digitAt(s, i+1) && digitAt(s, i+2) && digitAt(s, i+3) && !digitAt(s, i+4)
}

// scanISODate reads 2005-03, 2005-03-01, 2001/01/31 and a time of day behind them.
func scanISODate(s string, i int) (token, bool) {
	n := 0
	for i+n < len(s) && n < 10 && (digitAt(s, i+n) || s[i+n] == '-' || s[i+n] == '/') {
		n++
	}
	text := strings.ReplaceAll(s[i:i+n], "/", "-")
	if len(text) > 4 && (text[4] != '-' || strings.Count(text, "-") > 2) || len(text) < 7 || digitAt(s, i+n) {
		return token{}, false
	}
	parts := strings.Split(text, "-")
	if len(parts) < 2 || len(parts[0]) != 4 || len(parts[1]) != 2 || len(parts) == 3 && len(parts[2]) != 2 {
		return token{}, false
	}
	if m, _ := strconv.Atoi(parts[1]); m < 1 || m > 12 {
		return token{}, false
	}
	return token{kind: dateToken, num: text, text: s[i : i+n], start: i, end: i + n}, true
}

func foldToken(t *token) {
	if words := plan.FoldWords(t.text); t.kind == wordToken && len(words) > 0 {
		t.low = strings.Join(words, "")
		if len(words) > 1 && strings.ContainsAny(t.text, "_&") {
			t.low = strings.Join(words, " ")
		}
		if full, ok := contractions[strings.ToLower(t.text)]; ok {
			t.low = full
		}
	} else {
		t.low = strings.ToLower(t.text)
	}
	t.lemma = plan.Singular(t.low)
	if t.kind == wordToken && len(t.lemma) >= 6 && len(concepts[t.lemma]) == 0 && !stopWords[t.low] && !benignWords[t.low] {
		t.spelled = respelled(t.lemma)
	}
}

// learn looks up what the lexicon knows of the word.
func (t *token) learn() {
	t.stem, t.ids, t.long = stem(t.low), concepts[t.lemma], abbreviations[t.lemma]
	if t.kind == wordToken {
		_, people := plan.Demonym(t.low)
		t.place = people || plan.IsPlace(t.text)
	}
	if base, _, ok := degreeOf(t.low); ok {
		t.speaks = adjectives[base].concepts
	}
}

// respelled gives the word of the concepts that is one slip away, "" when there is none.
func respelled(w string) string {
	for size := len(w) - 1; size <= len(w)+1; size++ {
		for _, have := range conceptWords[wordShape{w[0], size}] {
			if plan.Near(w, have) {
				return have
			}
		}
	}
	return ""
}

// conceptWords are the words of the concepts and the harmless ones, by first letter and length.
var conceptWords = func() map[wordShape][]string {
	out := map[wordShape][]string{}
	for _, w := range []string{"happened", "occurred", "recorded", "released", "produced", "received", "following", "including", "available"} {
		out[wordShape{w[0], len(w)}] = append(out[wordShape{w[0], len(w)}], w)
	}
	for _, w := range slices.Sorted(maps.Keys(concepts)) {
		if len(w) >= 5 {
			out[wordShape{w[0], len(w)}] = append([]string{w}, out[wordShape{w[0], len(w)}]...)
		}
	}
	return out
}()

type wordShape struct {
	first byte
	size  int
}

// contractions are what a writer shortens.
var contractions = map[string]string{
	"what's": "what", "whats": "what", "who's": "who", "where's": "where", "how's": "how", "that's": "that", "it's": "it", "don't": "not", "doesn't": "not",
	"didn't": "not", "isn't": "not", "aren't": "not", "wasn't": "not", "weren't": "not", "hasn't": "not", "haven't": "not", "w/": "with", "pls": "please", "vs.": "vs",
	"versus": "vs", "avg.": "avg", "no.": "no", "i'm": "i", "i'd": "i", "let's": "let", "there's": "there",
}

// foldNumbers joins numbers with what stands around them: currency signs, %, magnitudes; spells out numerals; reads w/ as with.
func foldNumbers(in []token) []token {
	var out []token
	for i := 0; i < len(in); i++ {
		t := in[i]
		if t.kind == wordToken {
			if t.low == "w" && i+1 < len(in) && in[i+1].text == "/" {
				t.low, t.lemma, t.end = "with", "with", in[i+1].end
				i++
				if i+1 < len(in) && in[i+1].low == "o" {
					t.low, t.lemma, t.end = "without", "without", in[i+1].end
					i++
				}
			} else if t.low == "freezing" && i > 0 && (in[i-1].low == "below" || in[i-1].low == "above" || in[i-1].low == "under") {
				t.kind, t.num = numberToken, "0"
				out = append(out, t)
				t = token{kind: wordToken, text: "degrees", low: "degrees", lemma: "degree", start: t.end, end: t.end}
			} else if n, ok := numerals[t.low]; ok && (t.low != "one" || i > 0 && in[i-1].low == "top") {
				t.kind, t.num = numberToken, n
			}
		}
		if t.low == "no" && i+2 < len(in) && in[i+1].text == "." && in[i+2].low == "of" {
			t.low, t.lemma, t.end = "number", "number", in[i+1].end
			i++
		}
		if t.kind == markToken && strings.Contains("$€£", t.text) && i+1 < len(in) && in[i+1].kind == numberToken {
			in[i+1].money, in[i+1].start = true, t.start
			continue
		}
		if t.kind == numberToken {
			for i+1 < len(in) {
				next := in[i+1]
				if zeros, ok := magnitudes[next.low]; ok && next.kind == wordToken {
					t.num, t.end = scale(t.num, zeros), next.end
				} else if next.text == "%" || next.low == "percent" || next.low == "pct" {
					t.percent, t.end = true, next.end
				} else {
					break
				}
				i++
			}
		}
		out = append(out, t)
	}
	return out
}

// content reports whether a token can carry meaning of its own.
func (t token) content() bool {
	return t.kind == quoteToken || t.kind == wordToken && (!stopWords[t.low] || t.code)
}
