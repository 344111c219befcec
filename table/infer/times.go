package infer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/table"
)

// inferTimes reads a column as dates, datetimes or times of day by one layout. When it fails its notes may still say
// why.
func inferTimes(values []string) (Result, bool) {
	layouts := fittingLayouts(values)
	if len(layouts) == 0 {
		if english := foreignDates(values); english != nil {
			if layouts = fittingLayouts(english); len(layouts) > 0 {
				values = english
			}
		}
	}
	switch {
	case len(layouts) == 0:
		return inferClocks(values)
	case len(layouts) > 1 && !sameDays(values, layouts):
		return Result{
			Notes: []string{
				fmt.Sprintf("the dates could be %s or %s, so they stay text", shown(layouts[0]), shown(layouts[1])),
			},
		}, false
	case layouts[0] == "2006-1" && seasons(values):
		return Result{Notes: []string{"values such as 2001-02 look like seasons, so they stay text"}}, false
	}
	moments := make([]Moment, len(values))
	times, zones, cells := 0, 0, 0
	for i, s := range values {
		if s == "" {
			continue
		}
		moments[i], _ = ParseMoment(s, layouts[0])
		cells++
		if moments[i].HasTime {
			times++
		}
		if moments[i].HasZone {
			zones++
		}
	}
	var notes []string
	if !strings.Contains(layouts[0], "2") || layouts[0] == "2006-1" ||
		!strings.Contains(strings.Replace(layouts[0], "2006", "", 1), "2") {
		notes = append(notes, "months were read as their first day")
	} else if layouts[0][0] != '2' ||
		layouts[0][1] != '0' {
		notes = append(notes, "dates were read as "+shown(layouts[0]))
	}
	if times == 0 {
		return buildDates(values, moments, notes), true
	}
	if zones != 0 && zones != times {
		return Result{Notes: []string{"only some of the times have a zone, so they stay text"}}, false
	}
	return buildDateTimes(values, moments, zones > 0, notes), true
}

// shown is a layout as people write it.
func shown(layout string) string {
	return strings.NewReplacer(
		"2006",
		"YYYY",
		"06",
		"YY",
		"January",
		"Month",
		"Jan",
		"Mon",
		"Monday",
		"Day",
		"Mon ",
		"Day ",
		"1",
		"M",
		"2",
		"D",
	).Replace(
		layout,
	)
}

// fittingLayouts are the layouts by which every cell can be read.
func fittingLayouts(values []string) []string {
	layouts := append([]string(nil), dateLayouts...)
	for _, s := range values {
		if s == "" {
			continue
		}
		if !mayBeDate(s) {
			return nil
		}
		fit := layouts[:0]
		for _, layout := range layouts {
			if _, ok := ParseMoment(s, layout); ok {
				fit = append(fit, layout)
			}
		}
		if layouts = fit; len(layouts) == 0 {
			return nil
		}
	}
	return layouts
}

// sameDays reports whether all layouts read every cell as the same day.
func sameDays(values []string, layouts []string) bool {
	for _, s := range values {
		if s == "" {
			continue
		}
		first, _ := ParseMoment(s, layouts[0])
		for _, layout := range layouts[1:] {
			if other, _ := ParseMoment(s, layout); other.Day != first.Day {
				return false
			}
		}
	}
	return true
}

// seasons reports whether every cell is a year and the two digits of the next one: 1999-00, 2001-02.
func seasons(values []string) bool {
	for _, s := range values {
		if s == "" {
			continue
		}
		t, err := time.Parse("2006-1", s)
		if err != nil || len(s) != 7 || int(t.Month()) != (t.Year()+1)%100 {
			return false
		}
	}
	return true
}

func buildDates(values []string, moments []Moment, notes []string) Result {
	b := table.NewColumnBuilder(table.Column{Type: table.Date}, len(values))
	for i, s := range values {
		if s == "" {
			b.AppendNull()
			continue
		}
		b.AppendDay(moments[i].Day)
	}
	return Result{Column: b.Col, Array: b.Finish(), Notes: notes}
}

// buildDateTimes keeps the zone where all cells have the same one; different offsets become UTC, which is said.
func buildDateTimes(values []string, moments []Moment, zoned bool, notes []string) Result {
	col := table.Column{Type: table.DateTime}
	if zoned {
		var zones []string
		for i, s := range values {
			if s == "" {
				continue
			}
			if zone := moments[i].zone(); zone != col.Zone && len(zones) < 4 && !slices.Contains(zones, zone) {
				col.Zone, zones = zone, append(zones, zone)
			}
		}
		if col.Zone = zones[0]; len(zones) > 1 {
			col.Zone = "UTC"
			notes = append(notes, "times with different offsets ("+enumerate(zones)+") were brought to UTC")
		}
	}
	b := table.NewColumnBuilder(col, len(values))
	for i, s := range values {
		if s == "" {
			b.AppendNull()
		} else {
			b.AppendInt(moments[i].Instant())
		}
	}
	return Result{Column: col, Array: b.Finish(), Notes: notes}
}

func (m Moment) zone() string {
	if m.named != "" {
		return m.named
	}
	return time.Unix(0, 0).In(time.FixedZone("", m.offset)).Format("-07:00")
}

// inferClocks reads times of day with seconds; without seconds they could as well be minutes and seconds, or scores.
func inferClocks(values []string) (Result, bool) {
	b := table.NewColumnBuilder(table.Column{Type: table.Time}, len(values))
	for _, s := range values {
		if s == "" {
			b.AppendNull()
			continue
		}
		var m Moment
		if strings.Count(s, ":") != 2 || !m.parseClock(s) || m.HasZone {
			return Result{}, false
		}
		b.AppendInt(m.clock)
	}
	return Result{Column: b.Col, Array: b.Finish()}, true
}

// enumerate lists up to three zones.
func enumerate(zones []string) string {
	const most = 3
	if len(zones) > most {
		return strings.Join(zones[:most], ", ") + " and others"
	}
	return strings.Join(zones, ", ")
}
