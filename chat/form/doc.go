// Package form puts the tables of an answer into the JSON Schema that a client asks for (OpenAI's response_format).
//
// A Mapping says which column, count or fact fills which field. It comes from the names of the columns (ByNames), or
// from a model, which is told the schema and what the answer has, and none of its cells. Fill applies it: every value
// of the result is a cell, a fact that the profiler computed, or a constant that the schema or the user's own words
// gave. The result is then checked against the whole schema.
package form
