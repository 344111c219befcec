package reader

import (
	"strings"

	"catena/internal/text"
	"catena/planner/reader/link"
)

// givenNames and familyNames are what columns of the parts of a person's name are called, in lower case.
var (
	givenNames  = text.Set("first name|firstname|given name|forename|fname|vorname")
	familyNames = text.Set("last name|lastname|surname|family name|lname|nachname|familienname")
)

// personNames are the columns of a table that name a person together: the first name and the last; nil where it has not
// both.
func (s *scope) personNames(t int) []column {
	given, family := -1, -1
	for i, f := range s.Entity(t).Fields {
		switch name := text.Fold(strings.Join(text.Words(f.Name), " ")); {
		case givenNames[name]:
			given = i
		case familyNames[name]:
			family = i
		}
	}
	if given < 0 || family < 0 {
		return nil
	}
	at := func(i int) column { return column{FieldRef: link.FieldRef{Table: t, Field: i}} }
	return []column{at(given), at(family)}
}
