package profiler

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"catena/profiler/names"
	"catena/profiler/shape"
)

// Name is what a column's name says: a label for people and, taken out of it, the unit.
type Name struct {
	Label string // "Revenue YTD"
	Unit  string // "USD", "%", "ms"; "" where the name has none
	// lower-case words of the name with abbreviations written out, unit and order unchanged: ytd revenue usd
	Words []string

	sure []string // Words with the short forms that were guessed left as they are; nil when none was
}

// maxName bounds the work on a name, in bytes; the rest is cut.
const maxName = 512

// ReadName reads one name by itself: ReadNames with one name.
func ReadName(name string) Name {
	if n, ok := readNames.get(name); ok {
		return n
	}
	n := readAll("", []string{name})[0]
	readNames.put(name, n)
	return n
}

// ReadNames reads the names of a table together. It splits them at underscores, hyphens, dots, spaces and changes of
// case, writes abbreviations out, keeps acronyms upper, takes the unit out and puts the period last: ytd_rev_usd gives
// "Revenue YTD" and USD. A short form that is in no dictionary is written out when the other names leave little doubt,
// and stays as it is otherwise. What was read is remembered, within bounds. The result and the Words are shared and
// only to be read.
func ReadNames(title string, list []string) []Name {
	if len(list) == 1 && title == "" {
		return []Name{ReadName(list[0])}
	}
	schema := title + "\x00" + strings.Join(list, "\x00")
	if all, ok := readSchemas.get(schema); ok && len(all) == len(list) {
		return all
	}
	all := readAll(title, list)
	readSchemas.put(schema, all)
	return all
}

// ReadApart reads the names of a table each by itself, as ReadName does. Short forms are looked for in the first 8 KiB
// of names that are in doubt.
func ReadApart(list []string) []Name {
	out := make([]Name, len(list))
	left := mostGuessed
	for i, name := range list {
		p := part(name)
		doubtful, size := p.doubtful(), len(p.base)
		if doubtful && size > left {
			out[i] = p.name()
			continue
		}
		if doubtful {
			left -= size
		}
		out[i] = ReadName(name)
	}
	return out
}

// readAll reads the names of a table.
func readAll(title string, list []string) []Name {
	out := make([]Name, len(list))
	prepared := make([]parted, len(list))
	for i, name := range list {
		prepared[i] = part(name)
	}
	numbered(list, prepared)
	dated(prepared)
	guess(title, prepared)
	for i := range prepared {
		out[i] = prepared[i].name()
	}
	return out
}

// dated finds the months and weekdays among the parts of names.
func dated(prepared []parted) {
	parts := make([][]string, len(prepared))
	for i, p := range prepared {
		parts[i] = p.tokens
	}
	for i, dates := range names.Dates(parts) {
		prepared[i].dates = dates
	}
}

// numbered takes the units off names that only count, such as m2 and m3 among m1 and m4.
func numbered(list []string, prepared []parted) {
	letter := func(name string) bool { return len(name) == 2 && name[1] >= '0' && name[1] <= '9' }
	for i, name := range list {
		if prepared[i].unit == "" || !letter(name) {
			continue
		}
		if slices.ContainsFunc(list, func(other string) bool {
			return letter(other) && other[0] == name[0] && other[1] != '2' && other[1] != '3'
		}) {
			prepared[i].tokens, prepared[i].unit = splitName(prepared[i].base), ""
		}
	}
}

// parted is a name in its parts.
type parted struct {
	base, unit string
	tokens     []string
	dates      map[string]string // what short forms of months and weekdays stand for
	guesses    map[string]string // what parts that are in no dictionary stand for
	index      bool              // a name for the rows' own numbers
}

func part(name string) parted {
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "")
	}
	name = strings.TrimSpace(name)
	if strings.HasPrefix(name, "Unnamed: ") || name == "" || strings.EqualFold(name, "index") {
		return parted{index: true}
	}
	p := parted{}
	p.base, p.unit = bracketUnit(name)
	p.base = unwrapAggregate(p.base)
	p.tokens = splitName(p.base)
	if p.unit == "" {
		p.tokens, p.unit = takeUnit(p.tokens)
	}
	return p
}

func (p *parted) name() Name {
	if p.index {
		return Name{Label: "Index", Words: []string{"index"}}
	}
	var words []word
	for i := range p.tokens {
		words = append(words, p.expand(i)...)
	}
	n := Name{Unit: p.unit}
	for _, w := range words {
		n.Words = append(n.Words, strings.Fields(strings.ToLower(w.text))...)
	}
	if len(p.guesses) > 0 {
		known := parted{tokens: p.tokens, dates: p.dates}
		for i := range p.tokens {
			for _, w := range known.expand(i) {
				n.sure = append(n.sure, strings.Fields(strings.ToLower(w.text))...)
			}
		}
	}
	if shape.Period(p.base) { // a column for each: FY25, 1Q25
		n.Label = capitalise(p.base)
		return n
	}
	if p.base == "count_share" { // of the rows counted, as results name it
		n.Label = "Share of Count"
		return n
	}
	if p.verbatim() {
		n.Label = capitalise(withoutUnit(p.base, p.tokens))
		return n
	}
	words = arrange(words, aggregateWords[strings.ToLower(firstOf(p.tokens))])
	if timeUnits[p.unit] && len(words) > 0 && actsOverTime[words[len(words)-1].text] {
		words = append(words, word{"time", false})
	}
	n.Label = joinWords(words)
	if n.Label == "" {
		n.Label = capitalise(p.base)
	}
	return n
}

// withoutUnit takes the last words off a name written for people when they were read as the unit; parts are those that
// are left.
func withoutUnit(name string, parts []string) string {
	for len(parts) > 0 {
		at := strings.LastIndexByte(name, ' ')
		if at <= 0 || len(splitName(name)) == len(parts) {
			break
		}
		last := splitName(name[at:])
		if len(last) != 1 || strings.EqualFold(last[0], parts[len(parts)-1]) {
			break
		}
		name = strings.TrimSuffix(strings.TrimSpace(name[:at]), " in")
	}
	return name
}

// actsOverTime are words that mean a time when their unit is one: avg_wait_ms is the average wait time.
var actsOverTime = set("response", "elapsed", "wait", "waiting", "processing", "handle", "run", "load", "lead",
	"cycle", "travel")

// CleanName is the label and the unit of ReadName.
func CleanName(name string) (label, unit string) {
	n := ReadName(name)
	return n.Label, n.Unit
}

// UnitOf is the unit of ReadName, which takes little time: "USD" of revenue_usd, "" for none.
func UnitOf(name string) string {
	p := part(name)
	return p.unit
}

// verbatim reports whether a name was written for people already: words between spaces, none in snake or camel case.
func (p *parted) verbatim() bool {
	name := p.base
	if !strings.Contains(name, " ") || strings.Contains(name, "_") {
		return false
	}
	upper := true
	for _, r := range name {
		if unicode.IsLower(r) {
			upper = false
		}
	}
	if upper {
		return false
	}
	for _, w := range strings.Fields(strings.ToLower(name)) {
		w = strings.Trim(w, ".,()")
		if _, short := abbreviations[w]; short && p.dates[w] == "" {
			return false
		}
		if currencyCodes[strings.ToUpper(w)] {
			return false
		}
	}
	return true
}

// unwrapAggregate reads SUM(x), count(*), avg of x and the like, as SQL engines and pivot tables name their columns.
func unwrapAggregate(name string) string {
	open := strings.IndexByte(name, '(')
	if open > 0 && strings.HasSuffix(name, ")") {
		if fn := strings.ToLower(name[:open]); aggregateWords[fn] != "" {
			inner := strings.TrimSpace(name[open+1 : len(name)-1])
			if inner == "*" || inner == "" || inner == "1" {
				return fn
			}
			return fn + "_" + inner
		}
	}
	return name
}

// attributes are short forms that say little without the part they belong to, and something else where they are the
// whole name.
var attributes = set("cur", "curr", "act", "est", "adj", "dr", "cr", "st", "dev")

// unclearAlone reports whether a short form that is the whole of a name may stand for much else: two letters for
// several words, attributes.
func unclearAlone(short, long string) bool {
	return attributes[short] || len(short) <= 2 && strings.Contains(long, " ")
}

// countable reports whether parts begin with a word, of which there can be a number: n_orders, not n_x.
func countable(parts []string) bool {
	return len(parts) > 0 && len(parts[0]) >= shortestCountable && !isNumber(parts[0])
}

const shortestCountable = 3 // letters

// expand gives the words of part i.
func (p *parted) expand(i int) []word {
	parts := p.tokens
	low := strings.ToLower(parts[i])
	if long := p.dates[low]; long != "" {
		return []word{{long, false}}
	}
	if long := p.guesses[low]; long != "" {
		var ws []word
		for _, w := range strings.Fields(long) {
			if a, ok := acronyms[w]; ok {
				ws = append(ws, word{a, true})
			} else {
				ws = append(ws, word{w, false})
			}
		}
		return ws
	}
	if a, ok := acronyms[low]; ok {
		return []word{{a, true}}
	}
	if currencyCodes[strings.ToUpper(low)] && !wordCodes[low] || low == "na" && (parts[i] == "NA" || len(parts) > 1) {
		// North America; Na is sodium
		return []word{{strings.ToUpper(low), true}}
	}
	long, ok := abbreviations[low]
	switch rest := parts[i+1:]; {
	case len(parts) == 1 && p.unit == "" && unclearAlone(low, long):
		ok = false
	case parts[i] == "n" && i == 0 && countable(rest): // N is nitrogen, a sample size, north
		long, ok = "number of", true
	case low == "col" && len(rest) > 0 && isNumber(rest[0]):
		long, ok = "column", true
	}
	if ok {
		var ws []word
		for _, w := range strings.Fields(long) {
			ws = append(ws, word{w, w != strings.ToLower(w)})
		}
		return ws
	}
	return []word{{low, false}}
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

func firstOf(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return parts[0]
}

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
