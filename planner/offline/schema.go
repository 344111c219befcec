package offline

import (
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
)

// view is a table as the parser sees it. Views are made once per description and shared; they are not changed afterwards.
type view struct {
	info    plan.TableInfo
	cols    []viewColumn
	time    int             // the column that periods and dates speak of; -1 without one
	unread  int             // the first column of dates that stayed text; -1 without one
	label   int             // the column that names a row or thing; -1 without one
	entity  map[string]bool // lemmas that mean the table's rows: its name's words, and what its label is called
	measure []int           // columns of numbers, in order
	source  map[string]bool // words of the table's name
	join    *joined         // the table that the last columns are from; nil for a table alone
	shape   string          // the names and types of the columns, the same for tables that can be read as one
	union   []string        // tables with the same columns that are read below this one
	common  map[int]int     // of a column in mixed currencies: the one in a common currency
}

// viewColumn is a column with the words that it goes by.
type viewColumn struct {
	info    plan.ColumnInfo
	names   [][]nameWord // the column's own words, and its label's where they differ
	numeric bool
	time    bool // a date, or integers that count years
	year    bool // integers that count years
	unit    string
	joined  string // the name's words in one: realgdp
	level   bool   // what is there at each of several times: it adds up over things, and never over times
}

func newView(info plan.TableInfo) *view {
	info = supposed(info)
	v := &view{info: info, time: -1, unread: -1, label: -1, entity: map[string]bool{}, source: map[string]bool{}}
	for _, c := range info.Columns {
		v.cols = append(v.cols, newViewColumn(c))
	}
	for i, c := range v.cols {
		if c.numeric && !c.time {
			v.measure = append(v.measure, i)
		}
		if c.info.Unread != "" && v.unread < 0 {
			v.unread = i
		}
		if c.time && (v.time < 0 || v.cols[v.time].year && !c.year) {
			v.time = i
		}
	}
	v.label = v.findLabel()
	v.shape = v.shapeOf()
	v.nameEntities()
	v.findCommon()
	v.findLevels()
	return v
}

func newViewColumn(c plan.ColumnInfo) viewColumn {
	out := viewColumn{info: c, unit: strings.ToLower(c.Unit)}
	switch c.Type {
	case "integer", "decimal", "float", "duration":
		out.numeric = c.Role != "identifier"
	case "text":
		out.numeric = c.Role == "measure"
	case "date", "datetime":
		out.time = true
	}
	if out.numeric && out.unit == "" && slices.ContainsFunc(nameWords(c.Name), func(w nameWord) bool { return slices.Contains(w.concepts, "delay") }) {
		out.unit = "minute" // what delays are counted in where nothing is said
	}
	if c.Type == "integer" && c.Role == "time" {
		low, _ := strconv.Atoi(c.Min)
		out.time, out.year = low >= 1000, low >= 1000
	}
	name := nameWords(c.Name)
	if len(name) == 0 { // "#", "%": no question can name it by a word
		name = []nameWord{{lemma: c.Name + "\x00", weight: 1}}
	}
	out.names = append(out.names, name)
	if len(name) > 1 {
		initials := ""
		for _, w := range name {
			initials += w.lemma[:1]
		}
		if len(concepts[initials]) > 0 { // miles per gallon is what mpg is about
			name[0].concepts = append(slices.Clone(name[0].concepts), concepts[initials]...)
		}
	}
	if out.ratio() {
		for i := range name { // the gross of a gross margin is no amount, and the profit of a profit margin none
			name[i].concepts = slices.DeleteFunc(slices.Clone(name[i].concepts), func(id string) bool { return additive[id] })
		}
	}
	out.joined = strings.Join(plan.NameWords(c.Name), "")
	if len(name) == 1 {
		for _, p := range []string{"real", "net", "gross", "total", "avg", "mean", "max", "min", "num", "tot"} {
			if rest, ok := strings.CutPrefix(name[0].lemma, p); ok && len(rest) >= 3 && (len(concepts[rest])+len(abbreviations[rest]) > 0 || shortForm(rest)) {
				out.names = append(out.names, nameWords(p+" "+rest))
			}
		}
	}
	if len(name) > 2 && currencyCodes[name[0].lemma] && name[1].lemma == "per" { // dollars per unit of a currency
		name[2].concepts = nil // a unit of the currency is no quantity
		out.names = append(out.names, nameWords(name[0].lemma+" exchange rate"), nameWords(name[0].lemma+" rate"), nameWords("rate"))
	}
	if label := nameWords(c.Label); len(label) > 0 && !sameWords(name, label) {
		out.names = append(out.names, label)
	}
	for _, w := range name {
		if u, ok := units[w.lemma]; ok && out.unit == "" && len(name) > 1 && u.kind != "" {
			out.unit = w.lemma
		}
	}
	return out
}

// shortForm reports whether a text begins a word of the concepts that is at least three letters longer: cons, inv.
func shortForm(s string) bool {
	for w := range concepts {
		if len(w) >= len(s)+3 && strings.HasPrefix(w, s) {
			return true
		}
	}
	return false
}

// findLabel chooses the column that names what a row is about: a text column with many different values, a name or title
// before others.
func (v *view) findLabel() int {
	best, bestScore := -1, 0.0
	for i, c := range v.cols {
		if c.info.Type != "text" {
			continue
		}
		score := 0.1
		if v.info.Rows > 0 {
			score += float64(c.info.Distinct) / float64(v.info.Rows)
		}
		for _, w := range c.names[0] {
			if w.lemma == "name" || w.lemma == "title" || w.lemma == "label" {
				score += 1
			}
			if v.entityWord(w.lemma) {
				score += 0.5
			}
			if w.lemma == "id" || w.lemma == "url" || w.lemma == "comment" || w.lemma == "note" {
				score -= 0.5
			}
		}
		if i == 0 {
			score += 0.2
		}
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}

func (v *view) entityWord(lemma string) bool {
	for _, w := range plan.NameWords(v.info.Name) {
		if plan.Singular(w) == lemma {
			return true
		}
	}
	return false
}

// rowWords mean the rows of any table.
var rowWords = plan.WordSet("event activity occurrence incident instance reading measurement row record entry item thing case line observation datum datapoint sample example element")

// nameEntities collects what the rows may be called.
func (v *view) nameEntities() {
	if v.label >= 0 && slices.ContainsFunc(v.cols, func(c viewColumn) bool { return c.hasConcept("birth", "gender", "nationality", "age") }) && v.cols[v.label].hasConcept("name") {
		for _, w := range peopleWords {
			v.entity[w] = true
		}
	}
	for _, w := range plan.NameWords(v.info.Name) {
		if len(w) < 2 || len(w) < 3 && stopWords[w] || w[0] >= '0' && w[0] <= '9' {
			continue
		}
		lemma := plan.Singular(w)
		v.source[lemma], v.entity[lemma] = true, true
		for _, id := range concepts[lemma] {
			if additive[id] && slices.ContainsFunc(v.measure, func(c int) bool { return v.cols[c].hasConcept(id) }) {
				continue // sales of a table called revenue are its amounts, not its rows
			}
			for word, ids := range concepts {
				if amounts[id] && word != lemma {
					continue // revenue is never the rows of a table called sales
				}
				if slices.Contains(ids, id) && word != "title" && word != "name" && word != "label" {
					v.entity[word] = true
				}
			}
		}
	}
}

// amounts are concepts of figures, which are never what rows are.
var amounts = plan.WordSet("revenue profit cost price salary population weight height length temperature gdp")

// sums reports whether a column's values may be added up: amounts and counts, not rates and prices.
func (c *viewColumn) sums() bool {
	if c.kindOf() != "" {
		return false
	}
	if c.level {
		return true // over things
	}
	sum, rate := false, false
	for i, w := range c.names[0] {
		if i > 0 && w.lemma == "per" {
			return false
		}
		rate = rate || rateWords[w.lemma]
		for _, id := range w.concepts {
			sum = sum || additive[id]
			rate = rate || rates[id]
		}
	}
	if units[c.unit].kind == "time" { // how long each took is asked for as a mean
		return false
	}
	return sum || !rate && (c.info.Type == "integer" || c.money())
}

// unknown reports whether nothing tells if the values of a column add up: neither its name nor its unit.
func (c *viewColumn) unknown() bool {
	if c.sums() || c.kindOf() != "" || c.unit != "" {
		return false
	}
	return !slices.ContainsFunc(c.names[0], func(w nameWord) bool {
		return w.lemma == "per" || rateWords[w.lemma] || slices.ContainsFunc(w.concepts, func(id string) bool { return rates[id] })
	})
}

// column gives the position of a column by name, -1 when there is none.
func (v *view) column(name string) int {
	for i := range v.cols { // a column is large to pass on
		if v.cols[i].info.Name == name {
			return i
		}
	}
	return -1
}

// withConcept gives the columns of numbers (or dates) whose names speak of one of the concepts.
func (v *view) withConcept(ids []string) []int {
	var out []int
	for _, id := range ids {
		for i, c := range v.cols {
			if _, mixed := v.common[i]; !mixed && (c.numeric || c.time) && c.hasConcept(id) && !slices.Contains(out, i) {
				out = append(out, i)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// calendar gives the column of whole numbers that counts months, quarters ... beside a column of years; -1 without one.
func (v *view) calendar(period string) int {
	return slices.IndexFunc(v.cols, func(c viewColumn) bool {
		return c.info.Type == "integer" && len(c.names[0]) == 1 && c.names[0][0].lemma == period
	})
}

// rows reports whether a lemma means the table's rows: a word of its name, also the end of a compound (strikes of
// birdstrikes), or a word for people where the rows are people.
func (v *view) rows(lemma string) bool {
	if v.entity[lemma] {
		return true
	}
	if len(lemma) < 5 {
		return false
	}
	for w := range v.source {
		if len(w) > len(lemma)+2 && strings.HasSuffix(w, lemma) {
			return true
		}
	}
	return false
}

// peopleWords are what rows that are people may be called.
var peopleWords = []string{"person", "people", "athlete", "player", "member", "participant", "competitor", "contestant", "candidate", "individual", "man", "woman"}

// findCommon pairs revenue with revenue_usd in tables that have a currency column: sums over currencies mean nothing.
func (v *view) findCommon() {
	v.common = map[int]int{}
	if !slices.ContainsFunc(v.cols, func(c viewColumn) bool {
		return c.info.Type == "text" && len(c.names[0]) > 0 && c.names[0][len(c.names[0])-1].lemma == "currency"
	}) {
		return
	}
	for i, c := range v.cols {
		for _, code := range []string{"usd", "eur", "gbp"} {
			if j := v.column(c.info.Name + "_" + code); j >= 0 && c.numeric {
				v.common[i] = j
				v.measure = slices.DeleteFunc(v.measure, func(m int) bool { return m == i })
				break
			}
		}
	}
}
