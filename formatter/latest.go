package formatter

import (
	"strings"

	"catena/profiler"
	"catena/table"
)

// latest are the columns of levels that a summary gives the latest values of, by what is said of them.
type latest struct {
	n     int
	whats []string   // "the latest, 2025"
	names [][]string // the columns of each
}

func (l *latest) add(name, what string) {
	l.n++
	for i := range l.whats {
		if l.whats[i] == what {
			l.names[i] = append(l.names[i], name)
			return
		}
	}
	l.whats, l.names = append(l.whats, what), append(l.names, []string{name})
}

// details are as in Summary.Detail: "balance and headcount: the latest, 2025".
func (l *latest) details() []string {
	out := make([]string, len(l.whats))
	for i, names := range l.names {
		last := len(names) - 1
		list := names[last]
		if last > 0 {
			list = strings.Join(names[:last], ", ") + " and " + list
		}
		out[i] = list + ": " + l.whats[i]
	}
	return out
}

// latestTime says of which time the rows are that levels are summed over.
func (v *View) latestTime(t *table.Table, meta []profiler.ColumnMetadata, rows []int, when int) string {
	format, err := profiler.ParseSuggestion(meta[when].FormattingSuggestion)
	if err != nil {
		format = profiler.Suggestion{}
	}
	what := "the latest, "
	if len(rows) > 1 {
		what = "total of the latest, "
	}
	return what + Value(t.Value(rows[0], when), format, v.locale, Minus)
}
