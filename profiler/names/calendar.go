package names

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// calendar.tsv holds a line for each short form of a month or weekday: what it stands for, and its kind.
//
//go:embed calendar.tsv
var calendarList string

// calendarWord is a month or a weekday.
type calendarWord struct{ long, kind string }

// Kinds of parts that a date has.
const (
	monthKind   = "month"
	weekdayKind = "weekday"
	yearKind    = "year"
	dayKind     = "day" // or the last two digits of a year
)

// beside says by its kind what makes a short form a date when it stands beside it: sat and sun with a number mean much
// else.
var beside = map[string][]string{
	monthKind:   {yearKind, dayKind, monthKind, weekdayKind},
	weekdayKind: {monthKind, weekdayKind},
}

// between are the words that may stand between the two.
var between = strings.Fields("to and through thru until till vs versus or of")

// leastAlike is how many names have to differ in nothing but the month before it is taken for one without a year:
// sales_jan, sales_feb and sales_mar.
const leastAlike = 3

// calendar has the months and weekdays by their short forms and their names.
var calendar = sync.OnceValue(func() map[string]calendarWord {
	out := map[string]calendarWord{}
	for line := range strings.Lines(calendarList) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 {
			w := calendarWord{long: f[1], kind: f[2]}
			out[f[0]], out[f[1]] = w, w
		}
	}
	return out
})

// Dates finds the short forms of months and weekdays among the parts of a table's names: those that stand beside a
// year, a day or another month, and those of names that differ in nothing but the month. It gives for each name what
// its parts, in small letters, stand for; nil for names without any. Elsewhere oct may be octal and dec decimal.
func Dates(list [][]string) []map[string]string {
	out := make([]map[string]string, len(list))
	alike := map[string]map[string][]int{} // names by what they are but for the month, then by the month
	for i, parts := range list {
		for k, p := range parts {
			low := strings.ToLower(p)
			w, ok := calendar()[low]
			switch {
			case !ok:
			case dateBeside(parts, k, w.kind):
				tell(out, i, low, w.long)
			default:
				rest := w.kind + "\x00" + strings.ToLower(strings.Join(slices.Replace(slices.Clone(parts), k,
					k+1, ""), "\x00"))
				if alike[rest] == nil {
					alike[rest] = map[string][]int{}
				}
				alike[rest][low] = append(alike[rest][low], i)
			}
		}
	}
	for _, months := range alike {
		for low, at := range months {
			if len(months) < leastAlike {
				continue
			}
			for _, i := range at {
				tell(out, i, low, calendar()[low].long)
			}
		}
	}
	return out
}

func tell(out []map[string]string, i int, short, long string) {
	if out[i] == nil {
		out[i] = map[string]string{}
	}
	out[i][short] = long
}

// dateBeside reports whether part k of a name, of a kind, stands beside what makes it a date.
func dateBeside(parts []string, k int, kind string) bool {
	for _, step := range []int{-1, 1} {
		at := k + step
		if at > 0 && at < len(parts)-1 && slices.Contains(between, strings.ToLower(parts[at])) {
			at += step
		}
		if at >= 0 && at < len(parts) && slices.Contains(beside[kind], dateKind(parts[at])) {
			return true
		}
	}
	return false
}

// dateKind is what a part of a name may be of a date, "" for nothing.
func dateKind(part string) string {
	if w, ok := calendar()[strings.ToLower(part)]; ok {
		return w.kind
	}
	switch n, err := strconv.Atoi(part); {
	case err != nil:
	case len(part) == 4 && n >= 1900 && n < 2200:
		return yearKind
	case len(part) <= 2 && n >= 1 && n <= 31:
		return dayKind
	}
	return ""
}
