package offline

import (
	"slices"
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
	note       string // what the user should know of the answer
	unclear    string // a question to ask back
	versus     bool
	countCols  []int  // different combinations of these are counted: routes
	apart      bool   // the difference of two values of a column: "between the average of A and of B"
	per        bool   // a period came after "per": "average deaths per year"
	yearly     bool   // each year is compared with the one before
	every      string // the period of which each is compared with the one before
	cannot     string // what is asked for that nothing here computes
	margin     bool   // of a profit: in percent of the revenue
	ofSums     bool   // derive works on sums: "revenue per order"
	perThing   int    // the column behind "per": "average revenue per client"; -1
	with       []int  // further columns of the target: a route is an origin and a destination
}

// clone copies what composing and follow-ups change.
func (a *ask) clone() *ask {
	c := *a
	c.aggs, c.measures, c.shown = slices.Clone(a.aggs), slices.Clone(a.measures), slices.Clone(a.shown)
	c.groups, c.filters, c.having = slices.Clone(a.groups), slices.Clone(a.filters), slices.Clone(a.having)
	c.countCols, c.with = slices.Clone(a.countCols), slices.Clone(a.with)
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
}

// superlative is "the n largest X".
type superlative struct {
	desc      bool
	n         int // 0: as many as "which" asks for
	nth       int // the second largest: 2; 0
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
		"sum":      "total|sum|sum of|in total|altogether|combined|overall|how much|in all|aggregate|accumulated|summed",
		"median":   "median",
		"stddev":   "standard deviation|std dev|stddev|stdev",
		"range":    "range of|value range|spread of|range",
		"max":      "maximum|max|peak",
		"min":      "minimum|min",
		"share":    "percentage of|percentage|what percent|percent of|share of|shares of|share|proportion of|proportion|fraction of|fraction|% of|what %|relative share|pct of",
		"change":   "growth of|growth in|growth|change in|change of|change|changed|grow|grew|grown|growing|increase in|increase|increased|decrease in|decrease|decreased|rise in|rise of|rise|risen|rose|drop in|drop|dropped|decline in|decline|declined|did fall|fell|fallen|shrink|shrank|shrunk|gain|gained",
		"series":   "over time|over the years|over the year|over the months|develop|developed|development of|evolve|evolved|evolution of|trend of|trend in|trend|time series|by time|history of|across the years|through the years|over the decades",
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
			r.toks[i].learn()
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
			if m >= 0 || !r.says(i, p.words...) || len(p.words) > 1 && (p.op == "rank" || p.op == "asc") && r.mentionAt(i, i+len(p.words)) >= 0 {
				continue
			}
			out = append(out, cue{i, i + len(p.words), p.op})
			r.use(i, i+len(p.words))
			i += len(p.words) - 1
			break
		}
	}
	return out
}

func hasCue(list []cue, op string) (cue, bool) {
	i := slices.IndexFunc(list, func(c cue) bool { return c.op == op })
	if i < 0 {
		return cue{}, false
	}
	return list[i], true
}

// read turns the linked message into what it asks.
func (r *reader) read() *ask {
	a := &ask{v: r.v, countCol: -1, target: -1, perThing: -1}
	r.respell()
	r.stepWords(a)
	r.missing(a)
	r.elapsed(a)
	r.unsure(a)
	r.affixes(a)
	r.outOf(a)
	r.unreached(a)
	r.product(a)
	r.profits(a)
	r.perUnit(a)
	r.numbers(a)
	r.conversion(a)
	list := r.cues()
	_, r.changing = hasCue(list, "change")
	r.dateFilters(a)
	r.targetOf(a)
	r.superlatives(a)
	r.against(a)
	r.groupsOf(a, list)
	r.resense(a, list)
	r.valueFilters(a)
	r.flags(a)
	r.alternatives(a)
	r.operations(a, list)
	r.columns(a)
	r.nounPhrase(a, list)
	r.totalsOut(a)
	if r.supposed != "" {
		a.tell("%s", r.supposed)
	}
	return a
}
