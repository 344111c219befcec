package handle

import "encoding/json"

// MaxMade bounds the query of a Made, in bytes: of a longer one nothing is kept.
const MaxMade = 64 << 10

// Made is the query that a table was computed by, for who asks where a cell comes from. It is not changed once it is
// kept.
type Made struct {
	Query  json.RawMessage `json:"query"`
	Tables []MadeOf        `json:"tables,omitempty"`
}

// MadeOf is a table that a query read.
type MadeOf struct {
	As      string `json:"as"`                // what the query calls it
	Table   string `json:"table,omitempty"`   // its handle, or the name that it is listed by; "" came with the call
	Content string `json:"content,omitempty"` // the fingerprint of what a listed table held
}
