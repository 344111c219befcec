package reader

import (
	"catena/planner/plan"
	"catena/planner/reader/orders"
	"catena/query"
)

// Reader reads messages. It is safe for concurrent use; New makes one.
type Reader struct {
	weights *weights
	risk    float64
	orders  *orders.Reader
}

// New makes a Reader.
func New(opts ...Option) *Reader {
	r := &Reader{weights: learnt(), risk: DefaultRisk}
	for _, opt := range opts {
		opt(r)
	}
	r.orders = orders.New(r.weights.of)
	return r
}

// Option changes how a Reader reads.
type Option func(*Reader)

// Reading is one way to understand a message.
type Reading struct {
	Query query.Query
	// Features are what the ranker knows of it.
	Features []Feature
	// Score is the ranker's: higher is better. It compares readings of one message only.
	Score float64
	// Skipped are words of the message that the reading makes no use of.
	Skipped []string
	// Derivation is how the grammar came to it, for people: one line for each rule, deeper ones further in.
	Derivation []string
	answer     *answer
	ranked     query.Query      // Query without what only stands beside the rows' names
	left       []plan.TotalRows // rows that it leaves out, as they sum up others
	bare       bool             // it shows numbers alone
	digest     uint64           // of its result; 0 where that is not known
	content    uint64           // of its result in any order
	alike      []float64        // scores of readings that give the same result
}

// Feature is something that is true of a reading, how often or how much.
type Feature struct {
	Name  string
	Value float64
}
