package planner

import (
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
)

// ask is what a question wants of one table, before it is a query. Columns are positions in the view.
type ask struct {
	v          *view
	aggs       []string // explicit aggregates, in order
	count      bool     // rows are counted
	countCol   int      // different values of this column are counted; -1
	countPer   string   // different periods of the time column are counted
	measures   []int    // columns of numbers that are asked for
	shown      []int    // other columns that are asked for
	target     int      // what "which X" asks for; -1
	targetBy   string   // a period: "which month"
	plural     bool     // "which X" asks for several
	groups     []plan.GroupKey
	filters    []asked
	having     []asked
	super      *superlative
	sort       *plan.Order // "sorted by"; Column "" is the measure
	limit      int
	share      bool
	change     bool
	percent    bool // of a change: in percent
	distinct   bool
	edge       string // first or last: "since when", "first exceed"
	derive     *plan.Derived
	pairs      bool // two columns or two things are set against each other
	versusPair pair
	series     bool   // "over the years"
	mean1      string // period whose totals are averaged: "average yearly deaths"
	rows       bool   // whole rows are asked for
	measureX   bool   // the measure was not named but chosen
	unclear    string // a question to ask back
	versus     bool
	per        bool  // a period came after "per": "average deaths per year"
	with       []int // further columns of the target: a route is an origin and a destination
}

// clone copies what composing and follow-ups change.
func (a *ask) clone() *ask {
	c := *a
	c.aggs, c.measures, c.shown = slices.Clone(a.aggs), slices.Clone(a.measures), slices.Clone(a.shown)
	c.groups, c.filters, c.having = slices.Clone(a.groups), slices.Clone(a.filters), slices.Clone(a.having)
	if a.super != nil {
		s := *a.super
		c.super = &s
	}
	if a.sort != nil {
		o := *a.sort
		c.sort = &o
	}
	return &c
}

// asked is a condition and where it stands.
type asked struct {
	cond plan.Condition
	col  int
	date bool
	at   int // token
	part bool
}

// superlative is "the n largest X".
type superlative struct {
	desc      bool
	n         int // 0: as many as "which" asks for
	at        int
	col       int  // -1: the measure that the question names
	rows      bool // "the most cars": counts rows
	adjective bool // the measure was said by an adjective: "the warmest month"
}

// cuePhrases tell operations; the longest that fits at a place counts.
var cuePhrases = func() map[string][]cuePhrase {
	out := map[string][]cuePhrase{}
	for op, list := range map[string]string{
		"count":    "how many|number of|count of|the count|count the|count|no of|amount of times|how often|how many times|frequency of|tally",
		"mean":     "average|mean|avg|on average|averaged|typical|typically",
		"sum":      "total|sum|sum of|in total|altogether|combined|overall|how much|in all|aggregate|cumulative|accumulated|summed",
		"median":   "median",
		"stddev":   "standard deviation|std dev|stddev|stdev",
		"range":    "range of|value range|spread of|range",
		"max":      "maximum|max|peak",
		"min":      "minimum|min",
		"share":    "percentage of|percentage|what percent|percent of|share of|shares of|share|proportion of|proportion|fraction of|fraction|% of|what %|relative share|pct of",
		"change":   "growth of|growth in|growth|change in|change of|change|changed|grow|grew|grown|growing|increase in|increase|increased|decrease in|decrease|decreased|rise in|rise of|rise|risen|rose|drop in|drop|dropped|decline in|decline|declined|did fall|shrink|shrank|shrunk|gain|gained",
		"series":   "over time|over the years|over the year|over the months|develop|developed|development of|evolve|evolved|evolution of|trend of|trend in|trend|time series|by time|year over year|history of|across the years|through the years|over the decades",
		"distinct": "distinct|different|unique",
		"gap":      "gap between|difference between|gap|difference in|spread between|absolute difference|difference|minus",
		"ratio":    "ratio of|ratio between|ratio",
		"first":    "since when|first exceed|first exceeded|first time|first|earliest",
		"last":     "last|latest|most recent",
		"sort":     "sort by|sorted by|order by|ordered by|rank by|ranked by|sort them by|sort that by|sort this by|sort those by|order them by|rank them by",
		"rank":     "rank them|rank|ranked|ranking|ranking of|descending|highest first|largest first|biggest first|most first|from highest to lowest|from most to least|sorted|in descending order|leaderboard|by size",
		"asc":      "ascending|lowest first|smallest first|from lowest to highest|fewest first|in ascending order",
		"rows":     "how many rows|number of rows|number of records|how many records|row count|how many entries",
		"vs":       "vs|compare|compared to|compared with|versus|against|comparison of|comparison between",
	} {
		for _, p := range strings.Split(list, "|") {
			words := strings.Fields(p)
			out[words[0]] = append(out[words[0]], cuePhrase{words: words, op: op})
		}
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b cuePhrase) int {
			if len(a.words) != len(b.words) {
				return len(b.words) - len(a.words)
			}
			return strings.Compare(a.op, b.op)
		})
	}
	return out
}()

type cuePhrase struct {
	words []string
	op    string
}

// cue is an operation that the message names at tokens i..j-1.
type cue struct {
	i, j int
	op   string
}

// slips are cue words that are long enough to be known in spite of a typing slip.
var slips = []string{"average", "total", "maximum", "minimum", "median", "number", "count", "percentage", "percent", "highest", "lowest", "largest", "smallest", "biggest", "between", "greater", "fewer", "before", "after", "since", "different", "distinct", "missing", "without", "yearly", "monthly", "growth", "longest", "shortest", "cheapest", "heaviest", "lightest", "many", "show", "list", "which", "month", "year", "country", "share", "deadliest"}

// nearCue gives the cue word that a misspelt word means, "" when there is none.
func nearCue(w string) string {
	for _, s := range slips {
		if w != s && plan.Near(w, s) && w[0] == s[0] {
			return s
		}
	}
	return ""
}

// respell replaces misspelt cue words by what they mean; words that the tables know have been linked before and stay.
func (r *reader) respell() {
	for i, t := range r.toks {
		if t.kind != wordToken || r.used[i] || len(t.low) < 4 || stopWords[t.low] || benignWords[t.low] || len(concepts[t.lemma]) > 0 || r.v.rows(t.lemma) {
			continue
		}
		if s := nearCue(t.low); s != "" {
			r.toks[i].low, r.toks[i].lemma = s, plan.Singular(s)
		}
	}
}

// low is the folded word at i, "" outside of the message.
func (r *reader) low(i int) string {
	if i < 0 || i >= len(r.toks) {
		return ""
	}
	return r.toks[i].low
}

// says reports whether the words stand at i.
func (r *reader) says(i int, words ...string) bool {
	for n, w := range words {
		if r.low(i+n) != w {
			return false
		}
	}
	return true
}

// cues finds the operations that are named outside of the names of columns and values.
func (r *reader) cues() []cue {
	var out []cue
	for i := 0; i < len(r.toks); i++ {
		m := r.mentionAt(i, i+1)
		for _, p := range cuePhrases[r.low(i)] {
			if !r.says(i, p.words...) || m >= 0 && !(r.mentions[m].i == i && len(p.words) == 1 && r.mentions[m].j > i+1 && r.aggWord(p)) {
				continue
			}
			out = append(out, cue{i, i + len(p.words), p.op})
			if m < 0 {
				r.use(i, i+len(p.words))
			}
			i += len(p.words) - 1
			break
		}
	}
	return out
}

// aggWord reports whether a cue may be part of a column's mention and ask for the aggregate all the same. It is not: a
// column that is called total is that column.
func (r *reader) aggWord(cuePhrase) bool { return false }

func hasCue(list []cue, op string) (cue, bool) {
	i := slices.IndexFunc(list, func(c cue) bool { return c.op == op })
	if i < 0 {
		return cue{}, false
	}
	return list[i], true
}

// read turns the linked message into what it asks.
func (r *reader) read() *ask {
	a := &ask{v: r.v, countCol: -1, target: -1}
	r.respell()
	r.missing(a)
	r.numbers(a)
	list := r.cues()
	_, r.changing = hasCue(list, "change")
	r.dateFilters(a)
	r.targetOf(a)
	r.superlatives(a)
	r.against(a)
	r.groupsOf(a, list)
	r.resense(a, list)
	r.valueFilters(a)
	r.operations(a, list)
	r.columns(a)
	r.nounPhrase(a, list)
	r.totalsOut(a)
	return a
}

// dateFilters turns stretches of time into conditions.
func (r *reader) dateFilters(a *ask) {
	for _, d := range r.mergedDates() {
		for _, c := range r.dateConditions(d) {
			a.filters = append(a.filters, asked{cond: c, col: r.v.column(c.Column), date: true, at: d.i})
		}
	}
}

// mergedDates joins single periods that stand apart: "was 2012 wetter than 2015".
func (r *reader) mergedDates() []dateRef {
	var out []dateRef
	for _, d := range r.dates {
		if n := len(out) - 1; n >= 0 && d.op == "eq" && d.period == "" && len(d.from) > 3 {
			switch last := &out[n]; {
			case last.op == "eq" && last.period == "" && len(last.from) == len(d.from):
				last.op, last.list, last.from = "in", []string{last.from, d.from}, ""
				continue
			case last.op == "in" && last.period == "" && len(last.list[0]) == len(d.from):
				last.list = append(last.list, d.from)
				continue
			}
		}
		if n := len(out) - 1; n >= 0 && d.period == "weekday" && out[n].period == "weekday" && (r.low(d.i-1) == "and" || r.low(d.i-1) == "or" || r.low(d.i-1) == ",") {
			out[n].list = append(slices.Clone(out[n].list), d.list...)
			out[n].j = d.j
			continue
		}
		out = append(out, d)
	}
	return out
}

// dateConditions gives the conditions of one stretch of time on the table's time column, or on its columns of years and
// months.
func (r *reader) dateConditions(d dateRef) []plan.Condition {
	if r.v.time < 0 {
		return nil
	}
	c := r.v.cols[r.v.time]
	name := c.info.Name
	if d.op == "last" {
		return r.lastPeriods(d, c)
	}
	if d.period != "" {
		return r.foldedPeriod(d, c)
	}
	if c.year {
		return r.yearConditions(d, name)
	}
	switch d.op {
	case "between":
		return []plan.Condition{{Column: name, Op: "between", Value: []any{d.from, d.to}}}
	case "in":
		return []plan.Condition{{Column: name, Op: "in", Value: anyList(d.list)}}
	}
	return []plan.Condition{{Column: name, Op: d.op, Value: d.from}}
}

func anyList(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// yearConditions compares a column of years; a month or quarter goes to the column that counts those.
func (r *reader) yearConditions(d dateRef, name string) []plan.Condition {
	number := func(s string) any { n, _ := strconv.Atoi(s[:min(4, len(s))]); return n }
	if strings.HasSuffix(d.from, "s") && d.op == "eq" {
		n, _ := strconv.Atoi(d.from[:4])
		return []plan.Condition{{Column: name, Op: "between", Value: []any{n, n + 9}}}
	}
	var value any
	switch d.op {
	case "between":
		value = []any{number(d.from), number(d.to)}
		if len(d.from) > 5 && len(d.to) == len(d.from) && d.from[4:] == d.to[4:] && r.changing { // from Q1 1990 to Q1 2000
			out := r.yearConditions(dateRef{op: "eq", from: d.from}, name)
			out[0] = plan.Condition{Column: name, Op: "in", Value: value}
			return out
		}
	case "in":
		list := make([]any, len(d.list))
		for i, s := range d.list {
			list[i] = number(s)
		}
		value = list
	default:
		value = number(d.from)
	}
	out := []plan.Condition{{Column: name, Op: d.op, Value: value}}
	if len(d.from) > 5 && d.op == "eq" {
		for kind, rest := range map[string]string{"quarter": strings.TrimPrefix(d.from[4:], "-Q"), "month": strings.TrimLeft(d.from[4:min(7, len(d.from))], "-0")} {
			if n, err := strconv.Atoi(rest); err == nil && (kind == "quarter") == strings.Contains(d.from, "Q") {
				for _, c := range r.v.cols {
					if c.info.Type == "integer" && c.names[0][0].lemma == kind && len(c.names[0]) == 1 {
						out = append(out, plan.Condition{Column: c.info.Name, Op: "eq", Value: n})
					}
				}
			}
		}
	}
	return out
}

// foldedPeriod is a condition on months of any year or days of the week.
func (r *reader) foldedPeriod(d dateRef, c viewColumn) []plan.Condition {
	list := make([]any, len(d.list))
	for i, s := range d.list {
		list[i], _ = strconv.Atoi(s)
	}
	if c.year {
		for _, other := range r.v.cols {
			if other.info.Type == "integer" && other.names[0][0].lemma == strings.TrimSuffix(d.period, "_of_year") {
				return []plan.Condition{{Column: other.info.Name, Op: "in", Value: list}}
			}
		}
		return nil
	}
	return []plan.Condition{{Column: c.info.Name, Period: d.period, Op: "in", Value: list}}
}

// lastPeriods counts back from now, or from the last date of data that end earlier.
func (r *reader) lastPeriods(d dateRef, c viewColumn) []plan.Condition {
	end := r.now
	if c.year {
		if part := r.v.calendar(d.period); part >= 0 && d.period != "year" {
			r.lastOf = []int{r.v.time, part}
			r.lastN = d.n
			return nil
		}
		year, err := strconv.Atoi(c.info.Max)
		if err != nil || d.period != "year" && d.period != "decade" {
			return nil
		}
		n := d.n
		if d.period == "decade" {
			n *= 10
		}
		return []plan.Condition{{Column: c.info.Name, Op: "ge", Value: min(year, end.Year()) - n + 1}}
	}
	if last, ok := parseDay(c.info.Max); ok && (end.IsZero() || last.Before(end)) {
		end = last
	}
	return []plan.Condition{{Column: c.info.Name, Op: "ge", Value: lastFrom(end, d.period, d.n)}}
}
