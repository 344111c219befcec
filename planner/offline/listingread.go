package offline

import (
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
)

// shapes are the kinds of questions, those with the clearest signs first.
var shapes = []struct {
	name string
	read func(*listing) *rowAnswer
}{
	{"difference", (*listing).difference},
	{"choice", (*listing).choice},
	{"yes or no", (*listing).yesNo},
	{"beside", (*listing).besideRow},
	{"same", (*listing).sameAs},
	{"count", (*listing).counting},
	{"most frequent", (*listing).mostFrequent},
	{"most", (*listing).most},
	{"edge", (*listing).edgeRow},
	{"fold", (*listing).folded},
	{"look up", (*listing).lookUp},
}

// read tries the shapes; the first that fits answers.
func (l *listing) read() *rowAnswer {
	for _, shape := range shapes {
		spots, used := slices.Clone(l.spots), slices.Clone(l.used)
		if got := shape.read(l); got != nil {
			got.shape = shape.name
			return got
		}
		l.spots, l.used, l.conds, l.made = spots, used, nil, nil
	}
	return nil
}

// conditions turns what the message names of values, places and numbers, and no shape has taken, into conditions.
func (l *listing) conditions() {
	for k := range l.spots {
		if s := &l.spots[k]; s.value && !s.taken {
			l.addValue(k)
		}
	}
	l.flags()
	l.dates()
	l.places()
	l.outcomes()
	for i := range l.toks {
		if l.toks[i].kind == numberToken && !l.used[i] && l.spotAt(i) < 0 {
			l.number(i)
		}
	}
}

// flags makes conditions of columns of yes and no: "are paid", "unpaid", "not paid".
func (l *listing) flags() {
	for i, t := range l.toks {
		for c, col := range l.v.cols {
			if col.info.Type != "boolean" || l.used[i] || t.kind != wordToken {
				continue
			}
			un := strings.TrimPrefix(t.low, "un")
			if k := l.spotAt(i); un == t.low && (k < 0 || l.spots[k].value || l.spots[k].col != c) || un != t.low && un != col.joined {
				continue
			}
			yes, from := un == t.low, i
			if w := l.low(i - 1); w == "not" || w == "non" || w == "never" {
				yes, from = !yes, i-1
			}
			l.use(from, i+1)
			if k := l.spotAt(i); k >= 0 {
				l.spots[k].taken = true
			}
			l.conds = append(l.conds, rowCond{cond: plan.Condition{Column: col.info.Name, Op: "eq", Value: yes}, col: c, at: from})
		}
	}
}

// addValue makes a condition of a spot of values; several of one column are alternatives.
func (l *listing) addValue(k int) {
	s := &l.spots[k]
	s.taken = true
	if n := len(s.more); n > 0 {
		s.settleColumn(l)
	}
	c := l.condition(*s)
	from := s.i
	if at := l.excludedAt(s.i); at >= 0 {
		from = at
		c.Op = map[string]string{"eq": "ne", "contains": "not_contains"}[c.Op]
	}
	l.use(from, s.j)
	for n := range l.conds {
		have := &l.conds[n]
		if have.col != s.col || have.cond.Op == "ne" || have.cond.Op == "not_contains" || c.Op == "ne" || c.Op == "not_contains" || have.date {
			continue
		}
		if len(have.cond.Any) == 0 {
			have.cond = plan.Condition{Any: []plan.Condition{have.cond}}
		}
		have.cond.Any = append(have.cond.Any, c)
		return
	}
	l.conds = append(l.conds, rowCond{cond: c, col: s.col, at: s.i})
}

// settleColumn chooses between the columns that hold a value: the one that is named beside it.
func (s *spot) settleColumn(l *listing) {
	for _, h := range s.more {
		c := l.v.column(h.Column)
		if h.Match != s.hit.Match || c < 0 {
			continue
		}
		if k := l.columnFrom(s.j, 2); k >= 0 && l.spots[k].col == c {
			s.hit, s.col = h, c
			return
		}
		if k := l.spotAt(s.i - 1); k >= 0 && !l.spots[k].value && l.spots[k].col == c {
			s.hit, s.col = h, c
			return
		}
	}
}

// excludedAt gives where the words that leave out the value at i begin, -1 when it is not left out.
func (l *listing) excludedAt(i int) int {
	for back := 1; back <= 3 && i-back >= 0; back++ {
		w := l.low(i - back)
		switch {
		case w == "than" && l.low(i-back-1) == "other":
			return i - back - 1
		case w == "from" && (l.low(i-back-1) == "apart" || l.low(i-back-1) == "aside"):
			return i - back - 1
		case w == "besides" || w == "except" || w == "excluding" || w == "not" || w == "without":
			return i - back
		case w != "the" && w != "a" && w != "in" && w != "for" && w != "by" && w != "to" && w != "from":
			return -1
		}
	}
	return -1
}

// dates makes conditions of the dates that the message names, where a column holds dates.
func (l *listing) dates() {
	if l.v.time < 0 || l.v.cols[l.v.time].year {
		return
	}
	d := dateReader{toks: l.toks, now: l.r.now}
	l.r.dates = slices.DeleteFunc(d.read(true), func(d dateRef) bool {
		return d.op == "last" || d.prior != "" || slices.Contains(l.used[d.i:d.j], true)
	})
	for _, d := range l.r.mergedDates() {
		had := len(l.conds)
		for _, c := range l.r.dateConditions(d) {
			if day, ok := c.Value.(string); ok && strings.HasPrefix(day, "-") { // a day or month of any year
				switch month, err := strconv.Atoi(strings.TrimPrefix(day, "-")); {
				case c.Op != "eq":
					continue
				case err == nil:
					c.Period, c.Value = "month_of_year", month
				default:
					c.Op = "ends_with"
				}
			}
			l.conds = append(l.conds, rowCond{cond: c, col: l.v.column(c.Column), at: d.i, date: true})
		}
		if len(l.conds) > had {
			l.use(d.i, d.j)
		}
	}
}

// places reads "in first place", "finished 3rd", "ranked fifth", "in the top 10" where a column holds places.
func (l *listing) places() {
	rank := l.nounColumn(rankNouns, true)
	if rank < 0 {
		rank = len(l.v.cols)
	}
	for i := range l.toks {
		if l.used[i] {
			continue
		}
		if rank < len(l.v.cols) && l.low(i) == "top" && i+1 < len(l.toks) && l.toks[i+1].kind == numberToken && l.low(i-1) == "the" && l.low(i-2) == "in" {
			l.conds = append(l.conds, rowCond{cond: plan.Condition{Column: l.name(rank), Op: "le", Value: jsonNumber(l.toks[i+1].num)}, col: rank, at: i})
			l.use(i, i+2)
			continue
		}
		n := l.placeAt(i)
		if n == 0 {
			continue
		}
		before, after := l.low(i-1), l.r.tokenAt(i+1).lemma
		if before == "the" || before == "in" {
			before = l.low(i - 2)
		}
		if k := l.spotAt(i + 1); k >= 0 && !l.spots[k].value && l.spots[k].col != rank && l.v.cols[l.spots[k].col].info.Distinct < l.v.info.Rows { // "in the eighth round"
			c := l.take(k)
			l.conds = append(l.conds, rowCond{cond: plan.Condition{Column: l.name(c), Op: "eq", Value: jsonNumber(strconv.Itoa(n))}, col: c, at: i})
			l.use(i, i+1)
			continue
		}
		ends := i+1 >= len(l.toks) || l.toks[i+1].kind == markToken || !l.toks[i+1].content()
		if rank == len(l.v.cols) {
			continue
		}
		if ends && (placing[before] || placing[l.low(i-1)]) || after == "place" || after == "position" || after == "rank" {
			l.conds = append(l.conds, rowCond{cond: plan.Condition{Column: l.name(rank), Op: "eq", Value: jsonNumber(strconv.Itoa(n))}, col: rank, at: i})
			l.use(i, i+1)
		}
	}
}

// outcomes reads won and lost where a column holds how something ended.
func (l *listing) outcomes() {
	for i := range l.toks {
		forms := endings[l.low(i)]
		if forms == nil || l.used[i] || l.spotAt(i) >= 0 {
			continue
		}
		for _, form := range forms {
			hits := l.r.values.Find(l.r.ctx, form)
			k := slices.IndexFunc(hits, func(h plan.Hit) bool {
				return l.v.holds(h) && (h.Match == plan.Exact || h.Match == plan.Prefix) && l.outcomeColumn(h.Column)
			})
			if k < 0 {
				continue
			}
			c := hitCondition(form, hits[k])
			if c.Op == "contains" {
				c.Op = "starts_with"
			}
			from := i
			if w := l.low(i - 1); w == "not" || w == "never" {
				from, c.Op = i-1, map[string]string{"eq": "ne", "starts_with": "not_contains"}[c.Op]
			}
			l.conds = append(l.conds, rowCond{cond: c, col: l.v.column(c.Column), at: i})
			l.use(from, i+1)
			return
		}
	}
}

func (l *listing) outcomeColumn(name string) bool {
	c := l.v.column(name)
	return c >= 0 && slices.ContainsFunc(l.v.cols[c].names[0], func(w nameWord) bool { return outcomeNouns[w.lemma] })
}

// outcomeNouns name columns of how something ended; endings are what it is called, and how cells may write it.
var (
	outcomeNouns = plan.WordSet("result outcome score decision res w l")
	endings      = map[string][]string{
		"win": {"W", "Win", "Won"}, "wins": {"W", "Win", "Won"}, "won": {"W", "Won", "Win"}, "victory": {"W", "Win", "Won"}, "victories": {"W", "Win", "Won"}, "beat": {"W", "Win", "Won"}, "defeated": {"W", "Win", "Won"},
		"lose": {"L", "Loss", "Lost"}, "lost": {"L", "Lost", "Loss"}, "loss": {"L", "Loss", "Lost"}, "losses": {"L", "Loss", "Lost"}, "defeat": {"L", "Loss", "Lost"}, "defeats": {"L", "Loss", "Lost"},
		"draw": {"D", "Draw", "T", "Tie"}, "draws": {"D", "Draw", "T", "Tie"}, "tie": {"T", "Tie", "D", "Draw"}, "ties": {"T", "Tie", "D", "Draw"}, "tied": {"T", "Tie", "Tied", "D", "Draw"},
		"nominated": {"Nominated"}, "nominations": {"Nominated"},
	}
)

// placing are the verbs before a place.
var placing = plan.WordSet("finished finish finishing came come ranked rank placed place placing in position listed")

// placeAt reads an ordinal at i, 0 without one.
func (l *listing) placeAt(i int) int {
	t := l.toks[i]
	if t.low == "first" {
		return 1
	}
	if n := ordinals[t.low]; n > 0 {
		return n
	}
	if t.kind == numberToken && len(t.text) > 2 && t.text[len(t.text)-1] >= 'a' {
		n, _ := strconv.Atoi(t.num)
		return n
	}
	return 0
}

// nounColumn gives the first column whose name has one of the words; -1 without one. loose takes any word of the name.
func (l *listing) nounColumn(nouns map[string]bool, loose bool) int {
	for c := range l.v.cols {
		words := l.v.cols[c].names[0]
		if len(words) > 0 && (nouns[words[len(words)-1].lemma] || nouns[words[0].lemma] && len(words) <= 2) {
			return c
		}
	}
	for c := range l.v.cols {
		if loose && slices.ContainsFunc(l.v.cols[c].names[0], func(w nameWord) bool { return nouns[w.lemma] }) {
			return c
		}
	}
	return -1
}

// number makes a condition of the number at i: compared, beside a column's name, a year, or a value of some column.
func (l *listing) number(i int) {
	t := l.toks[i]
	op, start := l.r.comparator(i)
	end := i + 1
	value := any(jsonNumber(t.num))
	if high := l.upTo(i); high > 0 && (l.low(i-1) == "between" || l.low(i-1) == "from") {
		op, start, end, value = "between", i-1, high+1, []any{jsonNumber(t.num), jsonNumber(l.toks[high].num)}
	}
	switch {
	case l.low(i+1) == "or" && (l.low(i+2) == "more" || l.low(i+2) == "higher" || l.low(i+2) == "above" || l.low(i+2) == "better"):
		op, end = "ge", i+3
	case l.low(i+1) == "or" && (l.low(i+2) == "less" || l.low(i+2) == "fewer" || l.low(i+2) == "lower" || l.low(i+2) == "below"):
		op, end = "le", i+3
	}
	if year := len(t.num) == 4 && len(t.text) == 4 && t.num > "1000" && t.num < "2999"; year && l.year(i, start, end, op, value) {
		return
	}
	if w := l.low(i - 1); len(t.text) == 4 && t.num > "1900" && t.num < "2100" && (w == "in" || w == "since" || w == "during" || w == "until" || w == "before" || w == "after") {
		return // a year, of which nothing here tells
	}
	c, to := l.numberColumn(i, start, end)
	if c < 0 {
		return
	}
	if op == "" {
		op = "eq"
	}
	if high := l.v.cols[c].info.Max; t.percent && (strings.HasPrefix(high, "0") || high == "1" || strings.HasPrefix(high, "1.0")) {
		value = jsonNumber(hundredth(t.num)) // a rate kept as 0.12
	}
	l.use(start, to)
	l.use(i, end)
	l.orEqual(rowCond{cond: plan.Condition{Column: l.measured(c), Op: op, Value: value}, col: c, at: start})
}

// upTo gives the number that ends a range which begins at i, 0 without one.
func (l *listing) upTo(i int) int {
	if w := l.low(i + 1); (w == "and" || w == "to" || w == "-" || w == "–") && i+2 < len(l.toks) && l.toks[i+2].kind == numberToken {
		return i + 2
	}
	return 0
}

// year makes a condition of a year: on the column of years or dates, or on a text that holds it.
func (l *listing) year(i, start, end int, op string, value any) bool {
	if w := l.low(i - 1); op == "" || op == "ge" && w == "from" {
		op = map[string]string{"after": "gt", "since": "ge", "before": "lt", "until": "le", "to": "le", "than": "gt"}[w]
		if op != "" {
			start = i - 1
		}
	}
	c := l.v.time
	if k := l.spotAt(i - 1); k >= 0 && !l.spots[k].value && l.spots[k].col != c && l.v.cols[l.spots[k].col].numeric && !timeNouns[l.low(i-1)] {
		return false
	}
	if c < 0 {
		c = l.v.unread
	}
	if c < 0 {
		c = l.nounColumn(timeNouns, false)
	}
	if c < 0 {
		return false
	}
	l.use(start, end)
	cond := plan.Condition{Column: l.name(c), Op: op, Value: value}
	switch {
	case l.v.cols[c].info.Type != "text":
		if op == "" {
			cond.Op = "eq"
		}
		if !l.v.cols[c].year && l.v.cols[c].time {
			cond.Value = l.toks[i].num
		}
	case op == "":
		cond.Op, cond.Value = "contains", l.toks[i].num
	default:
		as := l.v.cols[c].info.Name + " year"
		l.derive(plan.Derived{As: as, Op: "year", Left: l.name(c)})
		cond.Column = as
	}
	l.orEqual(rowCond{cond: cond, col: c, at: start, date: true})
	return true
}

// orEqual adds a condition; several numbers that one column must equal are alternatives: "in 2010 and 2012".
func (l *listing) orEqual(add rowCond) {
	for n := range l.conds {
		have := &l.conds[n]
		one := have.cond
		if len(one.Any) > 0 {
			one = one.Any[0]
		}
		if have.col == add.col && one.Op == add.cond.Op && (one.Op == "eq" || one.Op == "contains") && have.date == add.date {
			if len(have.cond.Any) == 0 {
				have.cond = plan.Condition{Any: []plan.Condition{have.cond}}
			}
			have.cond.Any = append(have.cond.Any, add.cond)
			return
		}
	}
	l.conds = append(l.conds, add)
}

// numberColumn finds the column that a number is about: named behind or before it, or the only one of numbers.
func (l *listing) numberColumn(i, start, end int) (col, to int) {
	if k := l.columnFrom(end, 3); k >= 0 && l.spots[k].col != l.v.label && (l.v.cols[l.spots[k].col].numeric || start < i && outcomeNouns[l.v.cols[l.spots[k].col].names[0][0].lemma]) {
		l.spots[k].taken = true
		l.use(l.spots[k].i, l.spots[k].j)
		return l.spots[k].col, l.spots[k].j
	}
	for back := 1; back <= 5 && start-back >= 0; back++ {
		k := l.spotAt(start - back)
		if k < 0 {
			continue
		}
		if l.spots[k].value {
			break
		}
		if c := l.spots[k].col; c != l.v.label && (back <= 2 || l.v.cols[c].numeric) {
			l.use(l.spots[k].i, l.spots[k].j)
			return c, end
		}
	}
	var fits []int
	n, _ := strconv.ParseFloat(l.toks[i].num, 64)
	for c, col := range l.v.cols {
		low, err := strconv.ParseFloat(col.info.Min, 64)
		high, err2 := strconv.ParseFloat(col.info.Max, 64)
		if col.numeric && !col.time && err == nil && err2 == nil && low <= n && n <= high {
			fits = append(fits, c)
		}
	}
	if len(fits) == 1 {
		return fits[0], end
	}
	return -1, end
}

// measured names a column as numbers: itself, or the numbers in its texts.
func (l *listing) measured(c int) string {
	col := l.v.cols[c]
	if col.info.Type != "text" {
		return col.info.Name
	}
	as := col.info.Name + " as number"
	l.derive(plan.Derived{As: as, Op: "number", Left: col.info.Name})
	return as
}

func (l *listing) derive(d plan.Derived) {
	if !slices.ContainsFunc(l.made, func(o plan.Derived) bool { return o.As == d.As }) {
		l.made = append(l.made, d)
	}
}

// rowPlace names the derived column of the rows' places.
func (l *listing) rowPlace() string {
	name := "row"
	for l.v.column(name) >= 0 {
		name += "_place"
	}
	l.derive(plan.Derived{As: name, Op: "row"})
	return name
}

// query is the query of the rows that meet the conditions; rows of totals are left out unless they are named.
func (l *listing) query() plan.Query {
	q := plan.Query{Table: l.v.info.Name, Derive: l.made}
	for c := range l.v.cols {
		h, ok := l.r.totals[c]
		if !ok {
			continue
		}
		if !slices.ContainsFunc(l.conds, func(f rowCond) bool { return f.col == c && !f.date }) {
			q.Filter = append(q.Filter, plan.Condition{Column: h.Column, Op: "ne", Value: h.Value})
		}
		break // the other columns of such a row say the same, or nothing
	}
	for _, f := range l.conds {
		q.Filter = append(q.Filter, f.cond)
	}
	return q
}

// selected shows columns, each once.
func (l *listing) selected(q *plan.Query, cols ...int) {
	for _, c := range cols {
		if c >= 0 && !slices.ContainsFunc(q.Select, func(s plan.Select) bool { return s.Column == l.name(c) }) {
			q.Select = append(q.Select, plan.Select{Column: l.name(c)})
		}
	}
}

// target finds the column that is asked for: behind which or what, by who, when or where, behind "name of"; else the first one
// that is named, else what names the rows. named says that a word of the question names it.
func (l *listing) target() (col int, named bool) {
	for i := range l.toks {
		switch w := l.low(i); w {
		case "which", "what", "whose":
			if k := l.columnFrom(i+1, 4); k >= 0 && !l.broken(i+1, l.spots[k].i) {
				return l.take(k), true
			}
			if t := l.r.tokenAt(i + 1); t.kind == wordToken && t.content() && l.spotAt(i+1) < 0 && !cueWords[t.low] && !verbForms[t.low] && !listingCopula[t.low] {
				l.use(i+1, i+2) // what the rows are, in a word that the table does not have
				return l.v.label, true
			}
		case "who", "whom":
			if k := l.columnFrom(i+1, 4); k >= 0 && l.v.cols[l.spots[k].col].info.Type == "text" && !l.broken(i+1, l.spots[k].i) && (l.low(i+1) == "is" || l.low(i+1) == "was" || l.low(i+1) == "were" || l.low(i+1) == "are") {
				return l.take(k), true
			}
			if c := l.who(); c >= 0 {
				return c, true
			}
		case "when":
			if c := l.timeColumn(); c >= 0 {
				return c, true
			}
		case "where":
			if c := l.nounColumn(placeNouns, true); c >= 0 {
				return c, true
			}
		}
	}
	for k := range l.spots {
		if s := l.spots[k]; !s.value && !s.taken && s.score >= 0.6 && l.v.cols[s.col].info.Type != "boolean" {
			return l.take(k), true
		}
	}
	return l.v.label, false
}

// broken reports whether a verb or preposition stands between which and a column's name: it then is not what is asked for.
func (l *listing) broken(i, j int) bool {
	for ; i < j; i++ {
		if w := l.low(i); breaking[w] {
			return true
		}
	}
	return false
}

// listingCopula are words behind what that are no noun.
var listingCopula = plan.WordSet("is was are were did does do has have had about happened")

var breaking = plan.WordSet("in on at with has have had did do does by for from than that who won scored")

func (l *listing) take(k int) int {
	s := &l.spots[k]
	s.taken = true
	l.use(s.i, s.j)
	return s.col
}

// who gives the column of people: one that the message names, else one that such a noun names.
func (l *listing) who() int {
	for k := range l.spots {
		s := l.spots[k]
		if words := l.v.cols[s.col].names[0]; !s.value && !s.taken && l.v.cols[s.col].info.Type == "text" && len(words) > 0 && personNouns[words[len(words)-1].lemma] {
			return l.take(k)
		}
	}
	for c := range l.v.cols {
		if words := l.v.cols[c].names[0]; l.v.cols[c].info.Type == "text" && slices.ContainsFunc(words, func(w nameWord) bool { return personNouns[w.lemma] }) {
			return c
		}
	}
	return l.v.label
}

func (l *listing) timeColumn() int {
	if l.v.time >= 0 {
		return l.v.time
	}
	return l.nounColumn(timeNouns, true)
}

// ask reports whether the message begins, after words such as "in total", with one of the words.
func (l *listing) begins(words map[string]bool) bool {
	for i := range l.toks {
		if t := l.toks[i]; t.kind == wordToken {
			return words[t.low]
		}
	}
	return false
}

// phraseAt gives where the words stand together, -1 when they do not.
func (l *listing) phraseAt(text string) int {
	words := strings.Fields(text)
	for i := range l.toks {
		if l.r.says(i, words...) {
			return i
		}
	}
	return -1
}
