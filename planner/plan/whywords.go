package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// messageWord is a word, number or sign of a message.
type messageWord struct {
	text  string // as it is written, without the marks around it
	fold  string
	lemma string
}

// mostWords bounds how much of a message is compared with a plan.
const mostWords = 400

func messageWords(message string) []messageWord {
	var out []messageWord
	for _, f := range strings.Fields(message) {
		f = strings.TrimFunc(f, func(r rune) bool { return unicode.IsPunct(r) && r != '%' && r != '-' && r != '+' && r != '$' })
		words := FoldWords(f)
		if f == "" || len(words) == 0 || len(out) == mostWords {
			continue
		}
		fold := strings.Join(words, " ")
		out = append(out, messageWord{text: f, fold: fold, lemma: Singular(fold)})
	}
	return out
}

// stretch gives the longest stretch of the message that a test takes, as it is written; "" for none.
func (w *whys) stretch(fits func(words []messageWord) bool) string {
	const longest = 7
	for n := min(longest, len(w.words)); n > 0; n-- {
		for i := 0; i+n <= len(w.words); i++ {
			if part := w.words[i : i+n]; fits(part) {
				return written(part)
			}
		}
	}
	return ""
}

func written(words []messageWord) string {
	parts := make([]string, len(words))
	for i, t := range words {
		parts[i] = t.text
	}
	return strings.Join(parts, " ")
}

func keyOf(words []messageWord) string {
	parts := make([]string, len(words))
	for i, t := range words {
		parts[i] = t.fold
	}
	return FoldKey(strings.Join(parts, " "))
}

// sharing gives the words of the message that are among some others, in the order of the message.
func (w *whys) sharing(others []string) string {
	lemmas := map[string]bool{}
	for _, o := range others {
		if o = Singular(o); len(o) > 2 && !plainWords[o] {
			lemmas[o] = true
		}
	}
	var out []messageWord
	for _, t := range w.words {
		if (lemmas[t.lemma] || lemmas[t.fold]) && !slices.ContainsFunc(out, func(o messageWord) bool { return o.lemma == t.lemma }) {
			out = append(out, t)
		}
	}
	return written(out)
}

// plainWords are in many descriptions and messages, and say nothing of either.
var plainWords = WordSet("the and for with from that this all any not are you can its their our into one more than has have get give show list return given use each per table tool value name")

// meaning gives the words of the message that a value is: the same, another name for it, its code, its number.
func (w *whys) meaning(value string) string {
	key := FoldKey(value)
	if key == "" {
		return ""
	}
	if s := w.stretch(func(words []messageWord) bool { return keyOf(words) == key }); s != "" {
		return s
	}
	if s := w.stretch(func(words []messageWord) bool {
		text := written(words)
		if CountryCode(text) == value {
			return true
		}
		country, ok := Demonym(words[0].fold)
		return ok && len(words) == 1 && FoldKey(country) == key || slices.ContainsFunc(Synonyms(text), func(o string) bool { return FoldKey(o) == key })
	}); s != "" {
		return s
	}
	if date := w.date(value); date != "" {
		return date
	}
	return w.sharing(NameWords(value))
}

// saying gives the words of the message that say an argument's value: those of a text or number, or of the columns, operations and
// values of a part of a query.
func (w *whys) saying(name string, v any) string {
	switch y := v.(type) {
	case map[string]any:
		var out []string
		for _, k := range sortedKeys(y) {
			if s := w.saying(k, y[k]); s != "" && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
		if s := w.cued(cueWords["smallest"]); name == "order_by" && y["desc"] == nil && s != "" {
			out = append(out, s)
		}
		return strings.Join(out, " … ")
	case []any:
		var out []string
		for _, e := range y {
			if s := w.saying(name, e); s != "" && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
		return strings.Join(out, " … ")
	case string:
		if cues := cueWords[y]; cues != nil && (name == "expr" || name == "op" || name == "period") {
			return w.cued(cues)
		}
		if name == "op" || name == "as" {
			return ""
		}
		return w.meaning(y)
	case bool:
		switch {
		case name == "desc" && y:
			return w.cued(cueWords["largest"])
		case name == "desc":
			return w.cued(cueWords["smallest"])
		}
		return w.sharing(NameWords(name))
	case json.Number, int, int64, float64:
		return w.number(fmt.Sprint(y), name)
	}
	return ""
}

// number gives the word that is a number, in digits or spelled; of a limit also a superlative.
func (w *whys) number(n, name string) string {
	for _, t := range w.words {
		digits := strings.Trim(strings.ReplaceAll(t.text, ",", ""), "$€£%")
		if digits == n || spelledNumbers[t.fold] == n {
			return t.text
		}
	}
	if name == "limit" && n == "1" {
		return cmp.Or(w.cued(cueWords["largest"]), w.cued(cueWords["smallest"]))
	}
	return ""
}

// date gives the words of the message that a date was read from: its year, its month, or a time that is told from today.
func (w *whys) date(value string) string {
	if len(value) < 4 || strings.Trim(value[:4], "0123456789") != "" {
		return ""
	}
	var out []messageWord
	for _, t := range w.words {
		month := monthNumbers[t.fold[:min(3, len(t.fold))]]
		if strings.Contains(t.text, value[:4]) || month != "" && len(t.fold) >= 3 && len(value) >= 7 && value[5:7] == month || relativeTimes[t.lemma] {
			out = append(out, t)
		}
	}
	return written(out)
}

// cued gives the first word of the message, with the one behind it where both are one cue, that is among some.
func (w *whys) cued(cues map[string]bool) string {
	for i, t := range w.words {
		if i+1 < len(w.words) && cues[t.fold+"_"+w.words[i+1].fold] {
			return written(w.words[i : i+2])
		}
		if cues[t.fold] || cues[t.lemma] {
			return t.text
		}
	}
	return ""
}

// cueWords are the words that ask for an operation of a query, by its name there; two words that ask together are joined by _.
var cueWords = map[string]map[string]bool{
	"sum": WordSet("total sum overall altogether how_much combined"), "mean": WordSet("average mean avg typical"), "median": WordSet("median"),
	"count": WordSet("how_many number count"), "count_distinct": WordSet("different distinct unique how_many number"), "stddev": WordSet("deviation variation spread"),
	"max": WordSet("highest largest biggest maximum max most greatest top latest"), "min": WordSet("lowest smallest least minimum min fewest earliest"),
	"share": WordSet("share percentage percent proportion"), "first": WordSet("first earliest"), "last": WordSet("last latest newest"),
	"largest":  WordSet("top highest largest biggest most best greatest maximum max heaviest longest latest newest oldest tallest descending"),
	"smallest": WordSet("bottom lowest smallest least worst fewest minimum min shortest earliest first ascending"),
	"gt":       WordSet("over above more_than greater exceeding after higher"), "ge": WordSet("since from at_least minimum"), "lt": WordSet("under below less_than fewer before lower"), "le": WordSet("until up_to at_most maximum"),
	"ne": WordSet("not except without excluding but"), "not_in": WordSet("not except without excluding but"), "between": WordSet("between from"),
	"is_null": WordSet("without no missing empty not"), "not_null": WordSet("with has have known"), "contains": WordSet("containing contains contain like"),
	"starts_with": WordSet("starting starts start begin beginning"), "ends_with": WordSet("ending ends end"),
	"year": WordSet("year yearly annual annually"), "quarter": WordSet("quarter quarterly"), "month": WordSet("month monthly"), "week": WordSet("week weekly"), "day": WordSet("day daily"),
	"weekday": WordSet("weekday weekend monday tuesday wednesday thursday friday saturday sunday"), "hour": WordSet("hour hourly"), "decade": WordSet("decade"),
}

// relativeTimes are the words of times that are told from today, or by a part of the year.
var relativeTimes = WordSet("today yesterday tomorrow last this next past ago since until before after q1 q2 q3 q4 quarter")

var monthNumbers = map[string]string{"jan": "01", "feb": "02", "mar": "03", "apr": "04", "may": "05", "jun": "06", "jul": "07", "aug": "08", "sep": "09", "oct": "10", "nov": "11", "dec": "12"}

var spelledNumbers = map[string]string{"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "dozen": "12", "twelve": "12", "twenty": "20", "hundred": "100"}
