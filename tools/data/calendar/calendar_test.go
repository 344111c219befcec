package calendar_test

import (
	"fmt"
	"testing"
	"time"

	"catena/table"
	"catena/tools/data/calendar"
)

func Example() {
	day := time.Date(2026, 2, 14, 0, 0, 0, 0, time.UTC)
	p := calendar.Quarterly
	fmt.Println(p.Name(p.Index(day)), p.Start(p.Index(day)+1).Format("2006-01-02"))
	// Output: Q1 2026 2026-04-01
}

// Each day lies in one period, and the next period begins where it ends.
func TestPeriods(t *testing.T) {
	first := time.Date(1968, 12, 25, 0, 0, 0, 0, time.UTC)
	for p := calendar.Daily; p <= calendar.Yearly; p++ {
		for d := range 800 {
			day := first.AddDate(0, 0, d)
			i := p.Index(day)
			if day.Before(p.Start(i)) || !day.Before(p.Start(i+1)) {
				t.Fatalf("%s: %v is not in the one that begins on %v", p.Noun(), day, p.Start(i))
			}
			if p == calendar.Weekly && p.Start(i).Weekday() != time.Monday {
				t.Fatalf("a week begins on %v", p.Start(i).Weekday())
			}
		}
	}
}

func TestPartial(t *testing.T) {
	b := table.NewBuilder(table.Column{Name: "day", Type: table.Date})
	for d := range 40 { // every day from 2026-01-01 to 2026-02-09
		month, day := time.January, d+1
		if d >= 31 {
			month, day = time.February, d-30
		}
		if err := b.Append(table.DateValue(2026, month, day)); err != nil {
			t.Fatal(err)
		}
	}
	cal := calendar.Read(b.Table(), 0)
	if first, last := cal.Partial(calendar.Monthly, time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)); first || !last {
		t.Errorf("January is whole and February is not: %v %v", first, last)
	}
	if cal.Span() != calendar.Daily {
		t.Errorf("span %v", cal.Span())
	}
}
