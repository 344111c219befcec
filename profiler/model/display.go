package model

import (
	"strings"
	"unicode"
)

// Show is how a column is to be shown, as publishers of open data choose it.
type Show uint8

// Ways to show a column.
const (
	ShowText    Show = iota
	ShowNumber       // a quantity, with thousands separators
	ShowPlain        // a number without separators: years, identifiers, postal codes
	ShowMoney        // an amount of money
	ShowPercent      // a percentage
	ShowDate         // a day or an instant
	ShowBoolean      // yes or no
	ShowURL          // a web address
	ShowGeo          // a place on earth
	NumShows    = iota
)

var showNames = [NumShows]string{"Text", "Number", "NumberNoGrouping", "Currency", "Percentage", "Date",
	"Boolean", "URL", "Geo"}

// String is the way's name in the set.
func (s Show) String() string { return showNames[s] }

// ShowOf is the way to show of a name in the set; dates with time and without are one. False for other names.
func ShowOf(name string) (Show, bool) {
	if name == "DateTime" || name == "DateOrDateTime" {
		name = "Date"
	}
	for s, n := range showNames {
		if n == name {
			return Show(s), true
		}
	}
	return 0, false
}

// Words are what is known of a column without its cells.
type Words struct {
	Name        string // as stored
	Title       string // for people; "" where there is none
	Description string
}

const maxDescription = 256 // bytes of a description that are read

// Fields of Words that have n-grams of their own.
const (
	WordField = iota // words of the title
	NameField        // its letters
	DescriptionField
	NumFields = iota
)

// Grams appends the n-grams of one field.
func (w *Words) Grams(dst []uint32, field int) []uint32 {
	var g grams
	w.grams(&g, field)
	return append(dst, g.out[:g.n]...)
}

func (w *Words) grams(g *grams, field int) {
	g.n = 0
	title := w.Title
	if title == "" {
		title = w.Name
	}
	if field != DescriptionField {
		var a, b [maxName + 16]byte
		full := folded(a[:0:maxName], title)
		if field == WordField {
			g.names(200, full, 1, 0)
		} else {
			g.names(250, full, 3, 6)
		}
		if name := folded(b[:0:maxName], w.Name); string(name) != string(full) {
			g.add(hash(230, name))
		}
		g.add(hash(231, []byte{caseOf(title)}))
		return
	}
	if w.Description == "" {
		g.add(hash(300, nil))
		return
	}
	var c [maxDescription + 16]byte
	text := folded(c[:0:maxDescription], w.Description)
	g.names(300, text, 5, 5)
}

// caseOf says how a title is written: 0 without letters, lower, UPPER, Title Case, Sentence case, mixedCase, with _ or
// not.
func caseOf(s string) byte {
	upper, lower, words, starts := 0, 0, 0, 0
	last := ' '
	for _, r := range s {
		if unicode.IsLetter(r) {
			if !unicode.IsLetter(last) {
				words++
				if unicode.IsUpper(r) {
					starts++
				}
			}
			if unicode.IsUpper(r) {
				upper++
			} else {
				lower++
			}
		}
		last = r
	}
	kind := byte(0)
	switch {
	case upper+lower == 0:
	case upper == 0:
		kind = 1
	case lower == 0:
		kind = 2
	case starts == words && upper == words:
		kind = 3
	case starts == 1 && upper == 1:
		kind = 4
	default:
		kind = 5
	}
	if strings.Contains(s, "_") {
		kind |= 8
	}
	if strings.Contains(s, " ") {
		kind |= 16
	}
	if strings.HasSuffix(s, "?") {
		kind |= 32
	}
	return kind
}

const (
	topicsAt = 14                     // features of the form of a title
	showBase = topicsAt + 5*numTopics // then what its words and those of the description speak of
	besideAt = showBase + NumFields*NumShows
	// NumShowFeatures is how many numbers describe a column without its cells: the last ones are the logits of the
	// n-gram models, and what the other columns of the table are by them.
	NumShowFeatures = besideAt + 3*NumShows + 2
	// ShowBase is how many of them Describe computes.
	ShowBase = showBase
)

// Describe puts the features that need no learnt weights into out.
func (w *Words) Describe(out *[NumShowFeatures]float32) {
	title := w.Title
	if title == "" {
		title = w.Name
	}
	clear(out[:])
	var buf [maxName + 16]byte
	text := folded(buf[:0:maxName], title)
	words, digits, years := 0, 0, 0
	eachWord(text, func(word []byte, i int, last bool) {
		words++
		set := topics[string(word)]
		for t := range numTopics {
			if set&(1<<t) == 0 {
				continue
			}
			out[topicsAt+t]++
			if i == 0 {
				out[topicsAt+numTopics+t] = 1
			}
			if last {
				out[topicsAt+2*numTopics+t] = 1
			}
		}
		if digit(word[0]) {
			digits++
			if len(word) == 4 && (word[0] == '1' && word[1] == '9' || word[0] == '2' && word[1] == '0') {
				years++
			}
		}
	})
	var long [maxDescription + 16]byte
	described := 0
	eachWord(folded(long[:0:maxDescription], w.Description), func(word []byte, i int, _ bool) {
		described++
		set := topics[string(word)]
		for t := range numTopics {
			if set&(1<<t) != 0 {
				out[topicsAt+3*numTopics+t]++
				if i < 3 {
					out[topicsAt+4*numTopics+t]++
				}
			}
		}
	})
	form := caseOf(title)
	for i, v := range [...]float32{float32(words), float32(digits), float32(years), float32(described),
		float32(len(title)), float32(len(w.Name)), float32(form & 7), float32(form >> 3),
		count(title, "%"), count(title, "$"), count(title, "#"),
		count(title, "(") + count(title, ";") + count(title, ","), count(w.Name, "_"), tail(w.Name)} {
		out[i] = v
	}
}

func digit(c byte) bool { return c-'0' < 10 }

func count(s, sign string) float32 { return float32(strings.Count(s, sign)) }

// tail is the number that a name ends with behind a low line, plus one; 0 for none: location_1.
func tail(name string) float32 {
	at := strings.LastIndexByte(name, '_')
	if at < 0 || at == len(name)-1 || len(name)-at > 4 {
		return 0
	}
	n := 0
	for _, c := range []byte(name[at+1:]) {
		if !digit(c) {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return float32(n + 1)
}

// eachWord calls do for each word of a folded text.
func eachWord(text []byte, do func(word []byte, i int, last bool)) {
	from := 1
	for i, at := 0, 1; at < len(text); at++ {
		if text[at] == ' ' {
			if at > from {
				do(text[from:at], i, at == len(text)-1)
				i++
			}
			from = at + 1
		}
	}
}
