package calls

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"catena/planner/plan"
	"catena/planner/retrieval"
)

// value is something in a message that may fill an argument.
type value struct {
	kind     valueKind
	i, j     int // tokens
	text     string
	number   json.Number
	percent  bool
	weak     bool // a word for a number that may be none: one
	items    []any
	when     time.Time
	yearless bool
}

type valueKind uint8

const (
	numberValue valueKind = iota
	quotedValue
	listValue
	properValue
	coinedValue
	dateValue
	timeValue
	wordValue // a plain word in a series of three and more
)

// numberWords are numbers by their words.
var numberWords = namesOf("number")

// scales are what words behind a number multiply it by.
var scales = func() map[string]int64 {
	m := map[string]int64{}
	for name, n := range namesOf("scale") {
		m[name], _ = strconv.ParseInt(n, 10, 64) // a test reads them
	}
	return m
}()

// values finds the values of a message, in order, none overlapping another.
func values(s string, toks []token, now time.Time) []value {
	var out []value
	taken := make([]bool, len(toks))
	add := func(v value) {
		if v.j <= v.i || slices.Contains(taken[v.i:v.j], true) {
			return
		}
		for k := v.i; k < v.j; k++ {
			taken[k] = true
		}
		if v.text == "" {
			v.text = s[toks[v.i].start:toks[v.j-1].end]
		}
		out = append(out, v)
	}
	for i, t := range toks {
		switch t.kind {
		case quoted:
			add(value{kind: quotedValue, i: i, j: i + 1, text: t.text})
		case bracketed:
			if items, ok := listItems(t.text); ok {
				add(value{kind: listValue, i: i, j: i + 1, items: items})
			}
		}
	}
	for _, d := range datesIn(s, toks, now) {
		add(d)
	}
	for i, t := range toks {
		if t.kind == coined {
			add(value{kind: coinedValue, i: i, j: i + 1})
		}
	}
	for i := range toks {
		if v, ok := numberAt(toks, i); ok && (i == 0 || !taken[i-1] || !scaleWord(toks, i)) {
			add(v)
		}
	}
	for i := 0; i < len(toks); i++ {
		if v, ok := properAt(s, toks, i, taken); ok {
			add(v)
			i = v.j - 1
		}
	}
	for _, v := range series(s, toks, taken) {
		add(v)
	}
	slices.SortFunc(out, func(a, b value) int { return a.i - b.i })
	return out
}

func scaleWord(toks []token, i int) bool { return scales[toks[i].low] > 0 || toks[i].low == "dozen" }

// listItems reads a list in brackets: of numbers, of texts in quotes, of words.
func listItems(text string) ([]any, bool) {
	if !strings.HasPrefix(text, "[") {
		return nil, false
	}
	in := json.NewDecoder(strings.NewReader(strings.ReplaceAll(text, "'", `"`)))
	in.UseNumber()
	var list []any
	if in.Decode(&list) == nil {
		return list, true
	}
	for _, part := range strings.Split(strings.Trim(text, "[]"), ",") {
		if part = strings.Trim(strings.TrimSpace(part), `'"`); part != "" {
			if numberForm.FindString(part) == part {
				list = append(list, json.Number(part))
			} else {
				list = append(list, part)
			}
		}
	}
	return list, len(list) > 0
}

var numberText = regexp.MustCompile(`^[-−]?[$€£¥]?([\d,]*\.?\d+(?:[eE][-+]?\d+)?)([a-zA-Z%/^²]*.*)$`)

// numberAt reads a number at a token: digits, a word, with a scale or a percent sign behind it.
func numberAt(toks []token, i int) (value, bool) {
	t := toks[i]
	v := value{kind: numberValue, i: i, j: i + 1}
	var text string
	switch {
	case t.kind == number || t.kind == coined && t.text[0] >= '0' && t.text[0] <= '9':
		m := numberText.FindStringSubmatch(t.text)
		if m == nil {
			return v, false
		}
		text = strings.ReplaceAll(m[1], ",", "")
		if t.text[0] == '-' || strings.HasPrefix(t.text, "−") {
			text = "-" + text
		}
		if m[2] != "" && scales[strings.ToLower(m[2])] == 0 && !unitTail.MatchString(m[2]) {
			return v, false
		}
	case t.kind == word && numberWords[t.low] != "":
		text = numberWords[t.low]
		v.weak = len(text) == 1 || text == "10"
	case t.kind == word && strings.Contains(t.low, "-"):
		head, tail, _ := strings.Cut(t.low, "-")
		if numberWords[head] == "" {
			return v, false
		}
		text = numberWords[head]
		if n := numberWords[tail]; len(text) == 2 && text[1] == '0' && len(n) == 1 {
			text = text[:1] + n
		}
	default:
		return v, false
	}
	if strings.HasPrefix(text, ".") {
		text = "0" + text
	}
	if i+1 < len(toks) {
		next := toks[i+1]
		if scale := scales[next.low]; scale > 0 && (len(next.low) > 1) {
			if r, ok := new(big.Rat).SetString(text); ok {
				r.Mul(r, new(big.Rat).SetInt64(scale))
				text = strings.TrimSuffix(strings.TrimRight(r.FloatString(6), "0"), ".")
				v.j++
			}
		}
		if next.text == "%" || next.low == "percent" {
			v.percent = true
			v.j++
		}
	}
	v.number = json.Number(strings.TrimLeft(text, "+"))
	if n := string(v.number); len(n) > 1 && n[0] == '0' && n[1] != '.' {
		v.number = json.Number(strings.TrimLeft(n[:len(n)-1], "0") + n[len(n)-1:])
	}
	return v, true
}

// starters are words with capitals at the beginning of sentences, or that people write with one without naming anything.
func starter(t token) bool {
	return t.low == "id" || stopWords[t.low] || common[t.low] || monthOf(t.low) > 0 && len(t.low) > 3 || numberWords[t.low] != ""
}

// properAt reads a name at a token: words with capitals, with small words between them, and the region behind a city.
func properAt(s string, toks []token, i int, taken []bool) (value, bool) {
	t := toks[i]
	if short := shortPlaces[t.low]; short != "" && t.kind == word && !taken[i] && (len(t.low) > 2 || t.text == strings.ToUpper(t.text)) {
		return value{kind: properValue, i: i, j: i + 1, text: short}, true
	}
	if taken[i] || !t.capital() {
		return value{}, false
	}
	first := i == 0 || toks[i-1].kind == mark && strings.Contains(".?!\n\":;", toks[i-1].text)
	owns := t.end-t.start > len(t.text) // Acme's
	if first && !owns && (starter(t) || !(i+1 < len(toks) && toks[i+1].capital()) && retrieval.Known(t.stem) && !place(t.text)) {
		return value{}, false
	}
	code := len(t.text) == 2 && t.text == strings.ToUpper(t.text) && plan.CountryCode(t.text) != "" // the US, not us
	if t.low == "id" || !first && !code && stopWords[t.low] && !(i+1 < len(toks) && toks[i+1].capital()) {
		return value{}, false
	}
	j := i + 1
	for j < len(toks) {
		n := toks[j]
		switch {
		case taken[j]:
		case n.capital() && !(toks[j-1].kind == mark):
			j++
			continue
		case (n.low == "of" || n.low == "the" || n.low == "de" || n.low == "&" || n.low == "von" || n.low == "da" || n.low == "la") && joins(toks, taken, j):
			for j < len(toks) && !toks[j].capital() {
				j++
			}
			continue
		case n.text == "." && len(toks[j-1].text) == 1 && j >= 2 && toks[j-2].text == "." && n.start == toks[j-1].end:
			j++
			continue
		case n.text == "." && (len(toks[j-1].text) == 1 || abbreviated[toks[j-1].low]) && n.start == toks[j-1].end && j+1 < len(toks) && toks[j+1].capital():
			j += 2
			continue
		}
		break
	}
	if j+1 < len(toks) && toks[j].text == "," && !taken[j+1] && toks[j+1].capital() {
		for k := min(len(toks), j+4); k > j+1; k-- {
			if toks[k-1].capital() && region(s[toks[j+1].start:toks[k-1].end]) && (k == len(toks) || !toks[k].capital()) {
				return value{kind: properValue, i: i, j: k, text: s[t.start:toks[j-1].end] + ", " + s[toks[j+1].start:toks[k-1].end]}, true
			}
		}
	}
	text := s[t.start:toks[j-1].end]
	return value{kind: properValue, i: i, j: j, text: strings.TrimSuffix(strings.TrimSuffix(text, "'s"), "’s")}, true
}

var abbreviated = map[string]bool{"mr": true, "mrs": true, "dr": true, "st": true, "ms": true, "inc": true, "jr": true, "d.c": true}

// joins reports whether small words from j on lead to another capital: University of Oxford, Lord of the Rings.
func joins(toks []token, taken []bool, j int) bool {
	for k := j; k < min(len(toks), j+3); k++ {
		if taken[k] {
			return false
		}
		if toks[k].capital() {
			return true
		}
		if toks[k].low != "of" && toks[k].low != "the" && toks[k].text != "&" && toks[k].low != "de" && toks[k].low != "von" && toks[k].low != "da" && toks[k].low != "la" {
			return false
		}
	}
	return false
}

// series finds plain words one behind the other with commas and a conjunction before the last, three at least: salt, sugar and flour.
func series(s string, toks []token, taken []bool) []value {
	var out []value
	plain := func(k int) bool {
		return k < len(toks) && toks[k].kind == word && !taken[k] && !stopWords[toks[k].low] && !verbs[toks[k].low]
	}
	for i := 0; i < len(toks); i++ {
		var items []value
		k, closed := i, false
		for plain(k) && !closed {
			j := k + 1
			if len(items) > 0 && plain(j) && !(j+1 < len(toks) && plain(j+1)) {
				j++
			}
			items = append(items, value{kind: wordValue, i: k, j: j, text: s[toks[k].start:toks[j-1].end]})
			k = j
			closed = len(items) > 1 && lastJoin(toks, items[len(items)-1].i)
			if k < len(toks) && toks[k].text == "," {
				k++
			}
			if k < len(toks) && (toks[k].low == "and" || toks[k].low == "or") {
				k++
			}
			if k == j {
				break
			}
		}
		if len(items) > 2 && closed {
			out = append(out, items...)
			i = k
		}
	}
	return out
}

// lastJoin reports whether a conjunction stands before a token.
func lastJoin(toks []token, i int) bool {
	return i > 0 && (toks[i-1].low == "and" || toks[i-1].low == "or")
}
