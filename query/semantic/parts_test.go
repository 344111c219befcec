package semantic

import (
	"testing"

	"catena/table"
)

func TestPersonName(t *testing.T) {
	e := Entity{Fields: []Field{{Name: "guestId"}, {Name: "firstName"}, {Name: "last_name"}}}
	if given, family, ok := e.PersonName(); !ok || given != 1 || family != 2 {
		t.Errorf("%d %d %v", given, family, ok)
	}
	e.Fields = e.Fields[:2]
	if _, _, ok := e.PersonName(); ok {
		t.Error("a first name alone names a person")
	}
}

func TestEndpoints(t *testing.T) {
	for _, tt := range []struct {
		names    []string
		from, to int
		ok       bool
	}{
		{[]string{"bookedOn", "checkIn", "checkOut"}, 1, 2, true},
		{[]string{"end_date", "signed", "start_date"}, 2, 0, true},
		{[]string{"opened_at", "seen_at", "ended_at"}, 0, 0, false},
		{[]string{"start_date", "end_date", "trial_start", "trial_end"}, 0, 0, false},
	} {
		var e Entity
		for _, n := range tt.names {
			e.Fields = append(e.Fields, Field{Name: n, Type: table.Date})
		}
		if from, to, ok := e.Endpoints(); ok != tt.ok || from != tt.from || to != tt.to {
			t.Errorf("%q: %d %d %v", tt.names, from, to, ok)
		}
	}
}
