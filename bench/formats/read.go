package main

import (
	"regexp"
	"strings"
	"time"

	"catena/bench/sets"
	"catena/table/infer"
)

// dirty scores single texts: value, type and unit. The set calls a number without unit Number or Decimal, which is one kind here; of a code such as
// 007 it wants that no number is made.
func dirty(o *sets.Options, path string) (t tally, err error) {
	type record struct {
		Text, Type  string
		Value, Unit *string
	}
	records, err := sets.Lines[record](path, o.Limit)
	for _, r := range records {
		got := infer.ReadValue(r.Text)
		want := strings.Join([]string{strings.Replace(r.Type, "Decimal", "Number", 1), orNull(r.Value), orNull(r.Unit)}, " ")
		shown := strings.Join([]string{got.Kind.String(), got.Value.String(), orNull(&got.Unit)}, " ")
		if r.Value == nil && r.Type == "Number" {
			want = "Text " + r.Text + " null"
		}
		t.add(o, "dirty "+r.Text, shown, want)
	}
	return t, err
}

func orNull(s *string) string {
	if s == nil || *s == "" {
		return "null"
	}
	return *s
}

// joinedUTC is a zone such as UTC-05.
var joinedUTC = regexp.MustCompile(`\bUTC[+-]\d`)

// dates scores single texts: the same instant, or an error where one is expected. The set's own rules, followed here: month before day where both
// orders are possible; a zone name counts only where the record has a location that knows it; UTC stands, whatever offset is joined to it (UTC-05).
// Some records expect the layout instead of the instant: that layout, read by package time, gives it. wrong counts the texts that are read as another
// instant without being called ambiguous.
func dates(o *sets.Options, path string) (t tally, wrong int, err error) {
	type record struct {
		Text     string
		Expected *string
		Loc      *string
		Error    bool
	}
	records, err := sets.Lines[record](path, o.Limit)
	for _, r := range records {
		loc := time.UTC
		if r.Loc != nil {
			if loc, err = time.LoadLocation(*r.Loc); err != nil {
				return t, wrong, err
			}
		}
		got, readErr := infer.ReadTime(r.Text, infer.TimeOptions{Location: loc})
		if joinedUTC.MatchString(r.Text) {
			y, m, d := got.Time.Date()
			got.Time = time.Date(y, m, d, got.Time.Hour(), got.Time.Minute(), got.Time.Second(), got.Time.Nanosecond(), time.UTC)
		}
		shown := "error"
		if readErr == nil {
			shown = got.Time.UTC().Format(time.RFC3339Nano)
		}
		want := "error"
		if r.Expected != nil {
			want = expectedTime(r.Text, *r.Expected)
		}
		if shown != want && readErr == nil && got.Ambiguous == "" {
			wrong++
		}
		t.add(o, "date "+r.Text, shown, want)
	}
	return t, wrong, err
}

// expectedTime is the instant that a record expects: as it is written there, or by the layout that is.
func expectedTime(text, expected string) string {
	at, err := time.Parse("2006-01-02 15:04:05.999999999 -0700 MST", expected)
	if err != nil || strings.HasPrefix(expected, "2006-01-02") {
		if byLayout, err := time.Parse(expected, text); err == nil {
			at = byLayout
		}
	}
	return at.UTC().Format(time.RFC3339Nano)
}
