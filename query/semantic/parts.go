package semantic

import (
	"slices"
	"strings"

	"catena/internal/text"
)

// givenNames and familyNames are what columns of the parts of a person's name are called.
var (
	givenNames  = text.Set("first name|firstname|given name|forename|fname|vorname")
	familyNames = text.Set("last name|lastname|surname|family name|lname|nachname|familienname")
)

// PersonName gives the places of the two fields that name a person together, the first name and the last. ok is false
// where the entity has not both.
func (e *Entity) PersonName() (given, family int, ok bool) {
	given, family = -1, -1
	for i, f := range e.Fields {
		switch name := text.Fold(strings.Join(text.Words(f.Name), " ")); {
		case givenNames[name]:
			given = i
		case familyNames[name]:
			family = i
		}
	}
	return given, family, given >= 0 && family >= 0
}

// endings are the words that the end of something is called by, by those for its beginning.
var endings = map[string]string{
	"in": "out", "start": "end|stop|finish", "started": "ended|stopped|finished", "begin": "end", "from": "to|until",
	"open": "close", "opened": "closed", "pickup": "dropoff", "departure": "arrival", "beginn": "ende", "von": "bis",
	"anreise": "abreise",
}

// Endpoints gives the places of the two fields of times whose names say that one is the beginning of what the other is
// the end of: check in and check out. ok is false where no two are, or several.
func (e *Entity) Endpoints() (from, to int, ok bool) {
	for i, a := range e.Fields {
		for j, b := range e.Fields {
			if !a.Type.Temporal() || !b.Type.Temporal() || !bounds(text.Words(a.Name), text.Words(b.Name)) {
				continue
			}
			if ok {
				return 0, 0, false
			}
			from, to, ok = i, j, true
		}
	}
	return from, to, ok
}

// bounds reports whether two names differ in one word, and that says beginning in the one and end in the other.
func bounds(from, to []string) bool {
	if len(from) != len(to) {
		return false
	}
	differs := 0
	for i, w := range from {
		a, b := text.Fold(w), text.Fold(to[i])
		switch {
		case a == b:
		case slices.Contains(strings.Split(endings[a], "|"), b):
			differs++
		default:
			return false
		}
	}
	return differs == 1
}
