package reader

import (
	"time"

	"catena/planner/plan"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// scope is what a message may speak of: the tables and what they mean. It is made for one message.
type scope struct {
	model  *semantic.Model
	tables []plan.TableInfo // those of model.Entities, in their order
	paths  map[[2]int]pathFound
	left   []plan.TotalRows // rows that the query being made leaves out, as they sum up others
	links  *nameIndex
	// earlier is the answer before, which the message may speak of or change; nil where there is none.
	earlier *answer
	now     time.Time // what yesterday and last year count from; zero where nobody knows
}

// names are those of the model.
func (s *scope) names() *nameIndex {
	if s.links == nil {
		s.links = indexOf(s.model)
	}
	return s.links
}

func (s *scope) entity(table int) *semantic.Entity { return &s.model.Entities[table] }

func (s *scope) field(f fieldRef) *semantic.Field { return &s.model.Entities[f.table].Fields[f.field] }

// pathFound is what Model.Path said.
type pathFound struct {
	path semantic.Path
	err  error
}

// path joins one table to another; see semantic.Model.Path.
func (s *scope) path(from, to int) (semantic.Path, error) {
	key := [2]int{from, to}
	got, ok := s.paths[key]
	if !ok {
		got.path, got.err = s.model.Path(s.entity(from).Table, s.entity(to).Table)
		s.paths[key] = got
	}
	return got.path, got.err
}

// Schema implements query.Catalog.
func (s *scope) Schema(name string) (query.Schema, bool) {
	e, ok := s.model.Entity(name)
	if !ok {
		return nil, false
	}
	out := make(query.Schema, 0, len(e.Fields))
	for _, f := range e.Fields {
		if f.Expression == "" {
			out = append(out, query.Field{Column: table.Column{Name: f.Name, Type: f.Type, Unit: f.Unit}, Adds: f.Adds})
		}
	}
	return out, true
}

// Tables implements query.Catalog.
func (s *scope) Tables() []string {
	out := make([]string, len(s.model.Entities))
	for i := range s.model.Entities {
		out[i] = s.model.Entities[i].Table
	}
	return out
}

// token is a word, a number or a mark of a message.
type token struct {
	text       string   // as it was written
	fold       string   // text.Fold
	stem       string   // text.Stem of fold
	parts      []string // the words of what is written as one, folded: order_id, well-known; nil where it is one
	start, end int      // bytes of the message
	kind       tokenKind
}

type tokenKind uint8

const (
	wordToken   tokenKind = iota
	numberToken           // digits, with what belongs to a number
	markToken             // punctuation
	quotedToken           // what stands between quotation marks, without them
)

// span is a stretch of the message and what it may mean. Several may lie over the same tokens.
type span struct {
	from, to int // tokens[from:to]
	cat      category
	sense    string  // of a word of the lexicon: which operator it is; "" for others
	score    float64 // how well the words fit, 0 to 1; 1 is without doubt
	how      string  // one of the how constants
	mean     meaning // nil for words of the lexicon
	links    int     // of the tokens, small words within a name
	// fixed says that the question changes where the words are left out: no reading may skip them.
	fixed bool
	// outdone is how much better another name fits the same words, 0 to 1.
	outdone float64
}

// meaning is what a part of a message stands for: one of the refs here, or what the grammar's actions make of them.
type meaning interface{}

// entityRef is a table of the scope, by its index.
type entityRef struct{ table int }

// fieldRef is a field of an entity, by indexes.
type fieldRef struct{ table, field int }

// valueRef is cells of a column that the words name.
type valueRef struct {
	field  fieldRef
	values []string // as the cells have them: one, or several that the words may mean together
	match  plan.Match
	rows   int
	// several is how many values of the column the words met in this way: where it is over 1, values holds the most
	// frequent alone, and all that contain the phrase are meant.
	several int
	phrase  string
	copies  []valueIn // the same value in columns that stand for the same
}

// valueIn is a value as a column has it.
type valueIn struct {
	field  fieldRef
	values []string
}

// numberRef is a number that was written, or said in words.
type numberRef struct {
	value   table.Value
	unit    string // as semantic.Field.Unit writes it; "" where none was said
	percent bool
	ordinal bool // third, 3rd
}

// periodRef is a stretch of time. Either from and to are set, or cycle and parts, or last.
type periodRef struct {
	grain    string // year, quarter, month, week, day, hour ...: how it was said
	from, to time.Time
	// open says that only one end was said: to is zero for "since", from for "until".
	// cycle is what comes back: month, weekday, quarter, hour, day; parts are which of them, from 1 (Monday is 1).
	cycle string
	parts []int
	// last is how many grains up to the end of the data are meant; complete ones where whole is set.
	last  int
	whole bool
}
