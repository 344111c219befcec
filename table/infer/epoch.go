package infer

import (
	"fmt"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"

	"catena/internal/text"
	"catena/table"
)

// Instants written as seconds or milliseconds since 1970 are numbers to look at; the name of their column has to say
// what they are.
var (
	epochNames = text.Set("ts|epoch|timestamp|unixtime|tstamp")
	epochUnits = text.Set("s|ms|sec|secs|seconds|millis|milliseconds|unix|utc")
)

// The seconds from 1990 to 2060.
var (
	epochFirst = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	epochEnd   = time.Date(2061, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
)

// namedEpoch reports whether a name is created_at, event_ts, epoch, updated_at_ms and the like.
func namedEpoch(name string) bool {
	parts := strings.FieldsFunc(
		splitCamel(name),
		func(r rune) bool { return r == '_' || r == '-' || r == ' ' || r == '.' },
	)
	n := len(parts)
	if n > 1 && epochUnits[parts[n-1]] {
		n--
	}
	return n > 0 && (epochNames[parts[n-1]] || n > 1 && parts[n-1] == "at")
}

// splitCamel is a name in lower case with spaces before what were capitals behind small letters: createdAt is created
// at.
func splitCamel(name string) string {
	var out strings.Builder
	small := false
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			if small {
				out.WriteByte(' ')
			}
			r |= 0x20
			small = false
		} else {
			small = r >= 'a' && r <= 'z'
		}
		out.WriteRune(r)
	}
	return out.String()
}

// Instants turns a column of integers into date-times where its name says that they are and all lie between 1990 and
// 2060, as seconds or as milliseconds; and into dates where the name says so and all are days written as 20261231.
func (in Result) Instants() Result {
	if in.Column.Type != table.Int || in.Column.Unit != "" {
		return in
	}
	if namedDay(in.Column.Name) {
		return in.compactDays()
	}
	if !namedEpoch(in.Column.Name) {
		return in
	}
	c, ok := in.Array.(*array.Int64)
	if !ok {
		return in
	}
	for _, unit := range []struct {
		per  int64 // a second
		name string
	}{{1, "seconds"}, {1000, "milliseconds"}} {
		if !within(c, epochFirst*unit.per, epochEnd*unit.per) {
			continue
		}
		b := table.NewColumnBuilder(
			table.Column{Name: in.Column.Name, Type: table.DateTime, Zone: "UTC"},
			in.Array.Len(),
		)
		for i, n := range c.Int64Values() {
			if c.IsNull(i) {
				b.AppendNull()
			} else {
				b.AppendInt(n * (1_000_000 / unit.per))
			}
		}
		note := fmt.Sprintf("column %q: its numbers were read as %s since 1970, in UTC", in.Column.Name, unit.name)
		return Result{Column: b.Col, Array: b.Finish(), Notes: append(in.Notes, note)}
	}
	return in
}

// dayNames are the last words of names of columns that hold days.
var dayNames = text.Set("date|dates|day|d|dt|ds|dob|ymd|yyyymmdd|datum|tag|jour|日付")

// namedDay reports whether a name is date, order_date, saleDate and the like.
func namedDay(name string) bool { return namedAs(splitCamel(name), dayNames) }

// The days that numbers may stand for, as they are written.
const (
	firstDay = 1900_01_01
	lastDay  = 2100_12_31
)

// compactDays turns a column of integers into dates where all are days between 1900 and 2100 written as 20261231.
func (in Result) compactDays() Result {
	c, ok := in.Array.(*array.Int64)
	if !ok || !within(c, firstDay, lastDay+1) {
		return in
	}
	b := table.NewColumnBuilder(table.Column{Name: in.Column.Name, Type: table.Date}, in.Array.Len())
	for i, n := range c.Int64Values() {
		if c.IsNull(i) {
			b.AppendNull()
			continue
		}
		year, month, day := int(n/10000), int(n/100%100), int(n%100)
		if month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
			return in
		}
		b.AppendDay(civilDay(year, month, day))
	}
	note := fmt.Sprintf("column %q: its numbers were read as days, 20261231 being 2026-12-31", in.Column.Name)
	return Result{Column: b.Col, Array: b.Finish(), Notes: append(in.Notes, note)}
}

// within reports whether all cells lie in a range, of which the end is none, and there is one.
func within(c *array.Int64, from, end int64) bool {
	for i, n := range c.Int64Values() {
		if (n < from || n >= end) && !c.IsNull(i) {
			return false
		}
	}
	return c.Len() > c.NullN()
}
