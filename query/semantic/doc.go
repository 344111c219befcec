// Package semantic says what tables mean: what a row is, which columns name it, how tables are related, how numbers add
// up, and which metrics there are.
//
// A Model is made by Infer, from tables with their profiles, or read from a file that a person wrote. Whoever plans asks
// it for entities, for the path that joins two tables (Model.Path), and for metrics as queries of the algebra. What a
// column is, and how it adds up, is the profiler's decision: this package only takes it over.
//
// Inference prefers no relationship to a wrong one. Names and values must agree; what only may be a reference has a score
// below Sure, is listed, and is never joined by.
//
// Models are values that nothing changes after they are made: they may be shared between goroutines and kept.
package semantic
