package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Request is all that a planner is told about a turn. It holds no text out of a tool's output: of tables it has names,
// types and ranges. Values is the one way to the data, and what it finds may enter a prompt only for words of Message.
type Request struct {
	Message  string
	Now      time.Time // the as-of date of the data where the data have one, else the clock
	Clock    time.Time // the clock, from which dates in live tables count; zero is Now
	Locale   string    // BCP 47; "" is en
	TimeZone string    // IANA name; "" is UTC
	History  []Turn    // oldest first
	Tools    []Tool    // what the caller may call, in stable order
	Tables   []TableInfo
	Values   Values // may be nil: nothing is known of the data's values
	MaxRows  int    // what the caller wants to see at most; 0 is unset
	Owner    string // who asks, as an opaque id: the scope of a plan cache, never in a prompt; "" is not cached
	Early    Early  // takes steps that may start while the plan is still being written; nil starts none
}

// Early starts steps of a plan that is not whole yet. Its methods are called from one goroutine at a time and return at once.
type Early interface {
	// Start is given a step that changes nothing, refers to no other step and is valid by itself. It may still turn out not to be
	// part of the plan: whoever runs the plan compares.
	Start(s Step)
	// Cancel stops what was started: the plan that it was part of will not be run.
	Cancel()
}

// Turn is an earlier turn of the same session, as far as a planner may see it.
type Turn struct {
	Message string      `json:"message"`
	Plan    *Plan       `json:"plan,omitempty"`
	Outcome string      `json:"outcome,omitempty"` // answer, clarify, refuse ...
	Tables  []TableInfo `json:"tables,omitempty"`  // what the answer showed: handles, column names and types, no cells
}

// Tool is what a planner knows of a tool.
type Tool struct {
	Name         string
	Toolset      string
	Title        string
	Description  string
	InputSchema  json.RawMessage // JSON Schema of the arguments; never nil
	OutputSchema json.RawMessage // nil when the tool declares none
	ReadOnly     bool
	Destructive  bool
	Idempotent   bool
	// Phrases are ways to order the tool in plain words that its toolkit declares, each "words : argument". Of words with |
	// between them one is said; ? behind a word says that it may be missing or repeated, + before it that it belongs to what
	// is said behind it; * is what is said, for the argument. With ! behind its name, that takes the message to its end, to
	// the letter. A phrase says the whole message.
	Phrases []string
}

// TableInfo describes a table without a cell of it.
type TableInfo struct {
	Name    string       `json:"name"`             // how plans name it: query_table's table argument
	Handle  string       `json:"handle,omitempty"` // tbl_..., for tables that are results or uploads
	Rows    int          `json:"rows"`
	Columns []ColumnInfo `json:"columns"`
	Source  string       `json:"source,omitempty"` // "demo", a file's base name, "upload", "result", "live"
	AsOf    time.Time    `json:"as_of,omitzero"`   // the date the data speak of, where they have one
	Trusted bool         `json:"trusted,omitempty"`
	// Live says that a toolkit makes the table when it is asked for: a caller's memories, the functions of an index. Then only
	// names, types and roles of its columns are told, and Rows is 0 as long as nobody has counted them.
	Live bool `json:"live,omitempty"`
	// DecimalComma says that its numbers were written with a decimal comma, which questions about it then are, too.
	DecimalComma bool `json:"decimal_comma,omitempty"`
	// Attached says that the table came with this message: "this file" means it, and it goes before tables that fit as well.
	Attached bool `json:"attached,omitempty"`
	// Totals are rows that sum up others: sums over all rows count twice there. A planner leaves them out, unless they are asked for.
	Totals []TotalRows `json:"totals,omitempty"`
	// Untrusted says that somebody else named its columns: a tool of a server that we do not run.
	Untrusted bool `json:"untrusted,omitempty"`
}

// TotalRows says that the rows with one value of a column are the sum of others, as their numbers prove. The value is a cell, for filters
// alone: it is not written to JSON, and reaches no model unless the table is trusted. "" stands for empty cells.
type TotalRows struct {
	Column string `json:"column"`
	Rows   int    `json:"rows"`
	Value  string `json:"-"`
}

// Without is the condition that leaves the rows out.
func (t TotalRows) Without() Condition {
	if t.Value == "" {
		return Condition{Column: t.Column, Op: "not_null"}
	}
	return Condition{Column: t.Column, Op: "ne", Value: t.Value}
}

// String names the rows for people: the row whose region is "Total", which is the sum of the others.
func (t TotalRows) String() string {
	value := "is " + strconv.Quote(t.Value)
	if t.Value == "" {
		value = "is empty"
	}
	if t.Rows == 1 {
		return fmt.Sprintf("the row whose %s %s, which is the sum of the others", t.Column, value)
	}
	return fmt.Sprintf("the %d rows whose %s %s, which are sums of the others", t.Rows, t.Column, value)
}

// ColumnInfo describes a column without a cell of it. Min and Max are set for numbers and dates only.
type ColumnInfo struct {
	Name     string `json:"name"`
	Label    string `json:"label,omitempty"` // the profiler's cleaned name
	Type     string `json:"type"`            // table.Type's wire name
	Semantic string `json:"semantic_type,omitempty"`
	Role     string `json:"role,omitempty"` // measure, dimension, identifier, time
	Unit     string `json:"unit,omitempty"`
	Min      string `json:"min,omitempty"`
	Max      string `json:"max,omitempty"`
	Distinct int    `json:"distinct,omitempty"`
	Nulls    int    `json:"nulls,omitempty"`
	// Yes and No are the two values of a column that says yes and no in another type than boolean: Y and N, 1 and 0;
	// "" for all other columns.
	Yes string `json:"yes,omitempty"`
	No  string `json:"no,omitempty"`
	// Unread says why the dates of a text column were not read as such: UnreadAmbiguous or UnreadMixed; "" for all other columns.
	Unread string `json:"unread,omitempty"`
	// NotNumbers counts the cells of a text column that are no numbers where a good part of the others are; 0 for all other columns.
	// With Role measure it is computed with, those cells left out.
	NotNumbers int `json:"not_numbers,omitempty"`
	// NoSum says what one value is where values never add up, such as "a rating"; "" where a sum may mean something. NoMean says
	// that their average means nothing either: phone numbers, identifiers, dates written as numbers.
	NoSum  string   `json:"no_sum,omitempty"`
	NoMean bool     `json:"no_mean,omitempty"`
	Values []string `json:"values,omitempty"` // of low-cardinality text columns, only where the source's owner marks it trusted
}

// Why a column of dates stays text.
const (
	UnreadAmbiguous = "ambiguous" // day or month may come first in every cell
	UnreadMixed     = "mixed"     // they are written in several ways
)

// Values finds where the data hold a phrase of the user's. Implementations are safe for concurrent use and bounded in time.
// One that is a planner/reader.Tables too says what the tables mean.
type Values interface {
	// Find returns the columns that hold the phrase as a value, best first, at most a few dozen. A phrase that is nowhere
	// gives none. Comparison folds case, accents, punctuation and simple plurals.
	Find(ctx context.Context, phrase string) []Hit
}

// ResultShape is what is known of a query's result without a cell of it.
type ResultShape struct {
	// Known is false where the query was not run to its end: it takes too long, reads too much, or its tables are
	// elsewhere. Nothing else but Fails is set then.
	Known bool
	// Fails says that the query cannot be run over what the tables hold: a value that it compares with is several.
	Fails         bool
	Rows, Columns int
	Nulls         int // empty cells
	// NoNumber says that there are columns of numbers, and that all of their cells are empty.
	NoNumber bool
	// First is how many different values the first column has.
	First int
	// Digest is the same for results with the same cells, whatever their columns are called; 0 where that is not known.
	// It differs from one process to the next.
	Digest uint64
	// Content is Digest for results with the same rows in any order, each with the same cells in any order.
	Content uint64
}

// Hit is one place where a phrase was found.
type Hit struct {
	Table  string
	Column string
	Value  string  // as the cell has it
	Match  Match   // how it was found
	Score  float64 // 0..1, comparable between the hits of one phrase
	Rows   int     // how many rows hold the value, or any of the values
	Values int     // how many different values of the column the phrase met in this way; Value is the most frequent of them
	// Same are the values that are the phrase as a whole, in any spelling or by a synonym: the most frequent first. It is nil
	// where no value is, or one alone.
	Same []string
}

// Match says how a phrase met a value.
type Match string

// The ways of meeting, best first.
const (
	Exact   Match = "exact"   // the whole value, after folding
	Synonym Match = "synonym" // a known other name: "american" for "USA", "CA" for "California"
	Prefix  Match = "prefix"  // the value's first words: "toyota" in "toyota corolla"
	Word    Match = "word"    // whole words inside the value
	Stem    Match = "stem"    // another word of the same stem: "cancellation" for "cancelled"
	Fuzzy   Match = "fuzzy"   // one edit away, for words of five letters and more
)

// Response is what a planner answers.
type Response struct {
	Plan     Plan
	By       string   // llm, offline, cache, saved
	Notes    []string // why an earlier planner of the chain did not answer, one sentence each, fit for the user
	Direct   string   // a direct model reply without tools; Plan is then empty
	Usage    Usage
	Findings Findings // what the last attempt still had wrong, when the plan is a refusal because of it
	// ModelFailed says that the model was asked in this turn and did not do its work: its endpoint could not be reached, was
	// too slow or answered with an error, or its answers were no plan. What else it could write for this turn, it is not asked for.
	ModelFailed bool
	// Why is what the planner knows of where it took arguments from; Reasons finds the rest.
	Why []Reason
}

// Usage counts model use.
type Usage struct {
	Calls            int `json:"llm_calls"`
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
}

// Add returns the sum of both.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Calls + v.Calls, u.PromptTokens + v.PromptTokens, u.CompletionTokens + v.CompletionTokens}
}
