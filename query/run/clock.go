package run

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/table"
)

func init() {
	register(map[string]function{
		"trunc":       {2, 2, buildTrunc},
		"part":        {2, 2, buildPart},
		"diff":        {3, 3, buildDiff},
		"shift":       {3, 3, buildShift},
		"format_time": {2, 2, buildFormatTime},
		"make_date":   {3, 3, typed(table.Date, lift3(intLane, intLane, intLane, intLane, makeDate), table.Int)},
		"days":        {1, 1, buildDays},
		"epoch":       {1, 1, buildEpoch},
	})
}

// zoneOf is the zone in which an instant has a day and a time.
func zoneOf(s shape) *time.Location {
	if s.zone == "" {
		return time.UTC
	}
	t, _ := table.MicrosValue(table.DateTime, 0, s.zone).Time()
	return t.Location()
}

// dayOf is the day of a time's wall clock, in days since 1970.
func dayOf(t time.Time) int64 {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400
}

// clockOf is the wall clock of a time, in microseconds since midnight.
func clockOf(t time.Time) int64 {
	h, m, s := t.Clock()
	return int64(h*3600+m*60+s)*1e6 + int64(t.Nanosecond()/1000)
}

// reader makes a time of a vector's number.
func reader(s shape) func(i int64) time.Time {
	switch s.typ {
	case table.Date:
		return func(i int64) time.Time { return time.Unix(i*86400, 0).UTC() }
	case table.DateTime:
		loc := zoneOf(s)
		return func(i int64) time.Time { return time.UnixMicro(i).In(loc) }
	}
	return func(i int64) time.Time { return time.UnixMicro(i).UTC() } // of Time: on the first day of 1970
}

// writer is the opposite of reader; false where a date leaves its range.
func writer(s shape) func(t time.Time) (int64, bool) {
	if s.typ == table.Date {
		return func(t time.Time) (int64, bool) { d := dayOf(t); return d, inRange(table.Date, d) }
	}
	return func(t time.Time) (int64, bool) {
		y := t.Year()
		return t.UnixMicro(), y > -290_000 && y < 290_000
	}
}

// unitOf is the unit of time that a function is called with, which is a constant.
func unitOf(n *node, known []string) (string, error) {
	unit := ""
	if n.literal != nil {
		unit = strings.ToLower(n.literal.Text())
	}
	if !slices.Contains(known, unit) {
		return "", faultf("there is no unit %q; the units are %s", unit, strings.Join(known, ", "))
	}
	return unit, nil
}

// moment makes a constant text an instant, and refuses what is no time.
func (c *compiler) moment(n *node, types ...table.Type) (*node, error) {
	if slices.Contains(types, n.typ) || n.typ == table.Null {
		return n, nil
	}
	if n.literal != nil && n.typ == table.Text {
		return c.as(n, table.DateTime)
	}
	return nil, faultf("%s is no date; cast it", n.typ)
}

var temporal = []table.Type{table.Date, table.DateTime}

// truncs give where a unit begins.
var truncs = map[string]func(t time.Time) time.Time{
	"year":    func(t time.Time) time.Time { return dayIn(t, t.Year(), 1, 1) },
	"quarter": func(t time.Time) time.Time { return dayIn(t, t.Year(), (t.Month()-1)/3*3+1, 1) },
	"month":   func(t time.Time) time.Time { return dayIn(t, t.Year(), t.Month(), 1) },
	"week":    func(t time.Time) time.Time { return dayIn(t, t.Year(), t.Month(), t.Day()-(int(t.Weekday())+6)%7) },
	"day":     func(t time.Time) time.Time { return dayIn(t, t.Year(), t.Month(), t.Day()) },
	"hour":    func(t time.Time) time.Time { return t.Add(-time.Duration(clockOf(t)%3600e6) * time.Microsecond) },
	"minute":  func(t time.Time) time.Time { return t.Add(-time.Duration(clockOf(t)%60e6) * time.Microsecond) },
	"second":  func(t time.Time) time.Time { return t.Add(-time.Duration(clockOf(t)%1e6) * time.Microsecond) },
}

// truncUnits are the units of truncs, from the longest.
var truncUnits = []string{"year", "quarter", "month", "week", "day", "hour", "minute", "second"}

func dayIn(t time.Time, year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, t.Location())
}

func buildTrunc(c *compiler, args []*node) (*node, error) {
	unit, err := unitOf(args[0], truncUnits)
	if err != nil {
		return nil, err
	}
	a, err := c.moment(args[1], temporal...)
	if err != nil || a.typ == table.Null {
		return a, err
	}
	f := daily(a.shape, dayTruncs[unit], true)
	if f == nil {
		cut, from, to := truncs[unit], reader(a.shape), writer(a.shape)
		f = func(i int64) (int64, bool) { return to(cut(from(i))) }
	}
	return apply(a.shape, lift1(intLane, intLane, f), a), nil
}

// parts of a time.
var parts = map[string]func(t time.Time) int64{
	"year":       func(t time.Time) int64 { return int64(t.Year()) },
	"isoyear":    func(t time.Time) int64 { y, _ := t.ISOWeek(); return int64(y) },
	"quarter":    func(t time.Time) int64 { return int64(t.Month()-1)/3 + 1 },
	"month":      func(t time.Time) int64 { return int64(t.Month()) },
	"week":       func(t time.Time) int64 { _, w := t.ISOWeek(); return int64(w) },
	"day":        func(t time.Time) int64 { return int64(t.Day()) },
	"weekday":    func(t time.Time) int64 { return int64(t.Weekday()) },
	"isoweekday": func(t time.Time) int64 { return int64(t.Weekday()+6)%7 + 1 },
	"yearday":    func(t time.Time) int64 { return int64(t.YearDay()) },
	"hour":       func(t time.Time) int64 { return int64(t.Hour()) },
	"minute":     func(t time.Time) int64 { return int64(t.Minute()) },
	"second":     func(t time.Time) int64 { return int64(t.Second()) },
}

var partUnits = slices.Sorted(keysOf(parts))

func buildPart(c *compiler, args []*node) (*node, error) {
	unit, err := unitOf(args[0], partUnits)
	if err != nil {
		return nil, err
	}
	a, err := c.moment(args[1], table.Date, table.DateTime, table.Time)
	if err != nil || a.typ == table.Null {
		return typedNull(of(table.Int)), err
	}
	f := daily(a.shape, dayParts[unit], false)
	if f == nil {
		part, from := parts[unit], reader(a.shape)
		f = func(i int64) (int64, bool) { return part(from(i)), true }
	}
	return apply(of(table.Int), lift1(intLane, intLane, f), a), nil
}

// monthsIn and microsIn are how long units are.
var (
	monthsIn = map[string]int64{"year": 12, "quarter": 3, "month": 1}
	microsIn = map[string]int64{"week": 7 * day, "day": day, "hour": 3600e6, "minute": 60e6, "second": 1e6}
)

// buildDiff counts the whole units from a to b.
func buildDiff(c *compiler, args []*node) (*node, error) {
	unit, err := unitOf(args[0], truncUnits)
	if err != nil {
		return nil, err
	}
	for i := 1; i < 3; i++ {
		if args[i], err = c.moment(args[i], temporal...); err != nil {
			return nil, err
		}
	}
	a, b := args[1], args[2]
	if anyNull(a, b) {
		return typedNull(of(table.Int)), nil
	}
	from, to := reader(a.shape), reader(b.shape)
	f := func(x, y int64) (int64, bool) {
		return wholeUnits(wallMicros(from(x)), wallMicros(to(y)), microsIn[unit]), true
	}
	if months := monthsIn[unit]; months > 0 {
		f = func(x, y int64) (int64, bool) { return wholeMonths(from(x), to(y)) / months, true }
	}
	return apply(of(table.Int), lift2(intLane, intLane, intLane, f), a, b), nil
}

// wallMicros is the wall clock of a time as if it were in UTC: units of days are counted as calendars do.
func wallMicros(t time.Time) int64 { return dayOf(t)*day + clockOf(t) }

func wholeUnits(a, b, unit int64) int64 { return (b - a) / unit }

// wholeMonths counts the months that are over between two times: a day that a month does not have is its last.
func wholeMonths(a, b time.Time) int64 {
	if b.Before(a) {
		return -wholeMonths(b, a)
	}
	n := int64(b.Year()-a.Year())*12 + int64(b.Month()-a.Month())
	if wallMicros(addMonths(a, n)) > wallMicros(b) {
		n--
	}
	return n
}

// addMonths keeps to the last day of a shorter month.
func addMonths(t time.Time, n int64) time.Time {
	y, m, d := t.Date()
	total := int64(y)*12 + int64(m) - 1 + n
	year, month := int(table.FloorDiv(total, 12)), time.Month(total-12*table.FloorDiv(total, 12))+1
	last := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
	h, mi, s := t.Clock()
	return time.Date(year, month, min(d, last), h, mi, s, t.Nanosecond(), t.Location())
}

// maxShift is more months, or days, than lie between any two dates.
const maxShift = 10_000_000

func buildShift(c *compiler, args []*node) (*node, error) {
	unit, err := unitOf(args[0], truncUnits)
	if err != nil {
		return nil, err
	}
	n, err := c.as(args[1], table.Int)
	if err != nil && args[1].typ != table.Null {
		return nil, err
	}
	a, err := c.moment(args[2], temporal...)
	if err != nil {
		return nil, err
	}
	if anyNull(args[1], a) {
		return typedNull(a.shape), nil
	}
	s := a.shape
	if s.typ == table.Date && microsIn[unit] > 0 && microsIn[unit] < day {
		s.typ = table.DateTime
	}
	from, to := reader(a.shape), writer(s)
	return apply(s, lift2(intLane, intLane, intLane, func(n, i int64) (int64, bool) {
		t, ok := shifted(from(i), unit, n)
		if !ok {
			return 0, false
		}
		return to(t)
	}), n, a), nil
}

// shifted is a time and n units. Days are those of the calendar: a day of 23 hours is one.
func shifted(t time.Time, unit string, n int64) (time.Time, bool) {
	if months := monthsIn[unit]; months > 0 {
		return addMonths(t, n*months), magnitude(n) < maxShift
	}
	us, ok := mulInt(n, microsIn[unit])
	if !ok {
		return t, false
	}
	if microsIn[unit] >= day {
		return t.AddDate(0, 0, int(us/day)), magnitude(us/day) < maxShift*31
	}
	return time.UnixMicro(t.UnixMicro() + us).In(t.Location()), true
}

func makeDate(y, m, d int64) (int64, bool) {
	within := func(v, least, most int64) bool { return least <= v && v <= most }
	if !within(y, -9999, 99999) || !within(m, 1, 12) || !within(d, 1, 31) {
		return 0, false
	}
	t := time.Date(int(y), time.Month(m), int(d), 0, 0, 0, 0, time.UTC)
	return t.Unix() / 86400, t.Day() == int(d)
}

// julianEpoch is the Julian day of 1970-01-01 at midnight.
const julianEpoch = 2440587.5

func buildDays(c *compiler, args []*node) (*node, error) {
	a, err := c.moment(args[0], temporal...)
	if err != nil || a.typ == table.Null {
		return typedNull(of(table.Float)), err
	}
	unit := float64(day)
	if a.typ == table.Date {
		unit = 1
	}
	return apply(
		of(table.Float),
		lift1(intLane, floatLane, func(i int64) (float64, bool) { return float64(i)/unit + julianEpoch, true }),
		a,
	), nil
}

func buildEpoch(c *compiler, args []*node) (*node, error) {
	a, err := c.moment(args[0], table.Date, table.DateTime, table.Time, table.Duration)
	if err != nil || a.typ == table.Null {
		return typedNull(of(table.Float)), err
	}
	f := func(i int64) (float64, bool) { return float64(i) / 1e6, true }
	if a.typ == table.Date {
		f = func(i int64) (float64, bool) { return float64(i) * 86400, true }
	}
	return apply(of(table.Float), lift1(intLane, floatLane, f), a), nil
}

// letters are those of strftime.
var letters = map[byte]func(t time.Time) string{
	'Y': layout("2006"), 'y': layout("06"), 'm': layout("01"), 'd': layout("02"),
	'e': func(t time.Time) string { return fmt.Sprintf("%2d", t.Day()) },
	'H': layout("15"), 'I': layout("03"), 'M': layout("04"), 'S': layout("05"), 'p': layout("PM"),
	'f': func(t time.Time) string { return fmt.Sprintf("%02d.%03d", t.Second(), t.Nanosecond()/1e6) },
	'B': layout("January"), 'b': layout("Jan"), 'A': layout("Monday"), 'a': layout("Mon"),
	'F': layout(time.DateOnly), 'T': layout(time.TimeOnly), 'R': layout("15:04"), 'z': layout("-0700"), 'Z': layout("MST"),
	'j': func(t time.Time) string { return fmt.Sprintf("%03d", t.YearDay()) },
	'w': func(t time.Time) string { return fmt.Sprint(int(t.Weekday())) },
	'u': func(t time.Time) string { return fmt.Sprint(parts["isoweekday"](t)) },
	'V': func(t time.Time) string { return fmt.Sprintf("%02d", parts["week"](t)) },
	'G': func(t time.Time) string { return fmt.Sprintf("%04d", parts["isoyear"](t)) },
	'W': func(t time.Time) string { return fmt.Sprintf("%02d", (t.YearDay()+6-(int(t.Weekday())+6)%7)/7) },
	'U': func(t time.Time) string { return fmt.Sprintf("%02d", (t.YearDay()+6-int(t.Weekday()))/7) },
	's': func(t time.Time) string { return fmt.Sprint(t.Unix()) },
	'J': func(t time.Time) string { return fmt.Sprint(float64(t.UnixMicro())/float64(day) + julianEpoch) },
	'q': func(t time.Time) string { return fmt.Sprint(parts["quarter"](t)) },
	'%': func(time.Time) string { return "%" },
}

func layout(l string) func(t time.Time) string {
	return func(t time.Time) string { return t.Format(l) }
}

// strftime writes a time; false where the layout has a letter that there is not.
func strftime(pattern string, t time.Time) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '%' {
			b.WriteByte(pattern[i])
			continue
		}
		if i++; i == len(pattern) {
			return "", false
		}
		f, ok := letters[pattern[i]]
		if !ok {
			return "", false
		}
		b.WriteString(f(t))
	}
	return b.String(), true
}

func buildFormatTime(c *compiler, args []*node) (*node, error) {
	a, err := c.moment(args[1], table.Date, table.DateTime, table.Time)
	if err != nil || anyNull(args[0], a) {
		return typedNull(of(table.Text)), err
	}
	if l := args[0].literal; l != nil {
		if _, ok := strftime(l.Text(), time.Unix(0, 0).UTC()); !ok {
			return nil, faultf("the layout %q has a letter after %% that there is not; write it as %%Y-%%m-%%d", l.Text())
		}
	}
	pattern, err := c.as(args[0], table.Text)
	if err != nil {
		return nil, err
	}
	from := reader(a.shape)
	return apply(
		of(table.Text),
		lift2(textLane, intLane, textLane, func(p string, i int64) (string, bool) { return strftime(p, from(i)) }),
		pattern,
		a,
	), nil
}
