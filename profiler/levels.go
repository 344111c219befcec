package profiler

import (
	"slices"
	"strings"

	"catena/table"
)

// levelWords name what is there at a time, not what comes in: the same stands again in the next row of a series, so
// that sums over time count it twice.
var levelWords = set("population", "headcount", "balance", "balances", "inventory", "stock", "backlog", "debt",
	"workforce", "outstanding", "aum", "holdings", "assets", "liabilities", "equity", "subscribers",
	"members", "membership",
	"employees", "households", "mrr", "arr", "hand")

// flowWords beside them name what came in or went.
var flowWords = set("new", "change", "delta", "growth", "gain", "added", "lost", "net", "sold", "purchased", "hired",
	"issued", "joined", "left", "difference", "per", "rate", "share", "of")

// levelEnds may stand behind the word that names a level.
var levelEnds = set("level", "levels", "total", "count", "end", "closing", "close", "eom", "eop", "eoy", "number",
	"amount", "value")

// isLevel reports whether the name is that of a level: balance_usd, stock on hand, population 2020.
func (n Name) isLevel() bool {
	if n.has(flowWords) {
		return false
	}
	words := slices.Clone(n.Words)
	for len(words) > 0 {
		last := words[len(words)-1]
		if levelWords[last] {
			return true
		}
		if !levelEnds[last] && !isNumber(last) && !strings.EqualFold(last, n.Unit) && unitWords[last] == "" &&
			!currencyCodes[strings.ToUpper(last)] {
			return false
		}
		words = words[:len(words)-1]
	}
	return false
}

// axisWords name the time of an observation; others, such as opened and due, that of an event in the life of what the
// row is about.
var axisWords = set("date", "day", "month", "quarter", "year", "week", "period", "time", "timestamp", "datetime",
	"fiscal", "calendar", "reporting", "report", "snapshot", "as", "of", "observation", "observed", "fy", "reference",
	"half", "semester")

// Levels tells of the columns of one table which rows they may be summed over: population, balances, stock. What it
// must know of the whole table it looks at once, when it is asked of the first column of levels. It is not safe for
// concurrent use.
type Levels struct {
	t        *table.Table
	meta     []ColumnMetadata
	names    []Name // of the columns; nil until a measure is asked for
	looked   bool
	when     int  // the column of times, -1 for none
	several  bool // and others beside it
	observed observation
}

// LevelsOf makes Levels of a table with the profiler's facts of its columns.
func LevelsOf(t *table.Table, meta []ColumnMetadata) *Levels {
	return &Levels{t: t, meta: meta, when: -1}
}

// look looks at the table once.
func (l *Levels) look() {
	if l.looked {
		return
	}
	l.looked = true
	if l.when, l.several = timeAxis(l.meta, l.names); l.when >= 0 {
		l.observed = repeats(l.t, l.meta)
	}
}

// name is a column's name, read by itself.
func (l *Levels) name(c int) Name {
	if l.names == nil {
		list := make([]string, len(l.meta))
		for i := range list {
			list[i] = l.meta[i].OriginalName
		}
		l.names = ReadApart(list)
	}
	return l.names[c]
}

// Of tells of a column. Where the table observes its levels again and again, over is true and a sum over all rows
// counts them several times; rows are then those of the latest time, in the column when, or nil where that cannot be
// told. Over is false for other columns, and where no column of times runs along the rows.
func (l *Levels) Of(c int) (rows []int, when int, over bool) {
	m := l.meta[c]
	if m.Role != RoleMeasure || m.Aggregation != AggregateSum || m.SemanticType == Percentage || !l.name(c).isLevel() {
		return nil, -1, false
	}
	if l.look(); l.when < 0 {
		return nil, -1, false
	}
	t, when := l.t, l.when
	switch {
	case !l.observed.again:
		return nil, -1, l.observed.unclear
	case l.several || t.Column(when).Type == table.Text:
		return nil, when, true
	}
	var latest table.Value
	for r := range t.NumRows() {
		if v := t.Value(r, when); !v.IsNull() && !t.IsNull(r, c) && (latest.IsNull() || table.Compare(v, latest) > 0) {
			latest = v
		}
	}
	for r := range t.NumRows() {
		if v := t.Value(r, when); !v.IsNull() && table.Equal(v, latest) {
			rows = append(rows, r)
		}
	}
	return rows, when, true
}

// timeAxis is the column of times that the rows are observed at; -1 when there is none. several reports whether there
// are more, such as year and month.
func timeAxis(meta []ColumnMetadata, names []Name) (at int, several bool) {
	at = -1
	for c, m := range meta {
		event := slices.ContainsFunc(names[c].Words, func(w string) bool { return !axisWords[w] })
		if m.Role != RoleTime || m.DistinctCount < 2 || event {
			continue
		}
		several = at >= 0
		at = max(at, c)
	}
	return at, several
}

// observation says whether the same things are observed in several rows.
type observation struct{ again, unclear bool }

// repeats compares what the rows are about, by their dimensions and identifiers. Rows that only a number of their own
// tells apart may be anything.
func repeats(t *table.Table, meta []ColumnMetadata) observation {
	var about []int
	numbered := false
	for c, m := range meta {
		switch {
		case m.Role == RoleIdentifier && m.DistinctCount == m.Count:
			numbered = true
		case (m.Role == RoleDimension || m.Role == RoleIdentifier) && m.NullCount < m.Count:
			about = append(about, c)
		}
	}
	if len(about) == 0 {
		return observation{again: !numbered, unclear: numbered}
	}
	seen := make(map[string]bool, t.NumRows())
	var key strings.Builder
	for r := range t.NumRows() {
		key.Reset()
		for _, c := range about {
			key.WriteString(t.Value(r, c).Text())
			key.WriteByte(0)
		}
		if seen[key.String()] {
			return observation{again: true}
		}
		seen[key.String()] = true
	}
	return observation{}
}
