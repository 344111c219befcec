package link

import (
	"time"

	"catena/table"
)

// Span is a stretch of the message and what it may mean. Several may lie over the same tokens.
type Span struct {
	From, To int // tokens[from:to]
	Category Category
	Sense    string  // of a word of the lexicon: which operator it is; "" for others
	Score    float64 // how well the words fit, 0 to 1; 1 is without doubt
	How      string  // HowName or another of its kind
	Meaning  any     // an EntityRef or another reference, or a quoted text; nil for words of the lexicon
	Links    int     // of the tokens, small words within a name
	// Fixed says that the question changes where the words are left out: no reading may skip them.
	Fixed bool
	// Outdone is how much better another name fits the same words, 0 to 1.
	Outdone float64
}

// EntityRef is a table of the model, by its index.
type EntityRef struct{ Table int }

// FieldRef is a column of the model: the index of its table, and its own within that.
type FieldRef struct{ Table, Field int }

// ValueRef is cells of a column that the words name.
type ValueRef struct {
	Field  FieldRef
	Values []string // as the cells have them: one, or several that the words may mean together
	// Several is how many values of the column the words met in this way: where it is over 1, Values holds the most
	// frequent alone, and all that contain the phrase are meant.
	Several int
	Phrase  string
	Copies  []ValueIn // the same value in columns that stand for the same
}

// ValueIn is a value as a column has it.
type ValueIn struct {
	Field  FieldRef
	Values []string
}

// NumberRef is a number that was written, or said in words.
type NumberRef struct {
	Value   table.Value
	Unit    string // as semantic.Field.Unit writes it; "" where none was said
	Percent bool
	Ordinal bool // third, 3rd
}

// PeriodRef is a stretch of time, or what comes back in time. Either From and To are set, or Cycle and Parts, or Last.
type PeriodRef struct {
	Grain string // year, quarter, month, week, day, hour ...: how it was said
	// To is zero for "since", From for "until".
	From, To time.Time
	// Cycle is what comes back: month, weekday, quarter, hour, day; Parts are which of them, from 1 (Monday is 1).
	Cycle string
	Parts []int
	// Last is how many grains up to the end of the data are meant; complete ones where whole is set.
	Last  int
	whole bool
	// Yearless says that no year was said: From and To are in that of the clock.
	Yearless bool
}
