package offline

import (
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
)

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
		case w == "but" && wholes[l.low(i-back-1)]:
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
	d := dateReader{toks: l.toks, now: l.r.now, bare: l.v.bareQuarters()}
	l.r.dates = slices.DeleteFunc(d.read(true), func(d dateRef) bool {
		return d.op == "last" || d.prior != "" || slices.Contains(l.used[d.i:d.j], true)
	})
	for _, d := range l.r.mergedDates() {
		had := len(l.conds)
		for _, c := range l.r.dateConditions(d) {
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
