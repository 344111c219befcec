// Package table holds the one table that every room of Catena speaks: named, typed columns over Apache Arrow arrays,
// with exact decimals and explicit nulls. It has the verbs that tools need: filter, sort, select, group, concatenate;
// the limits and the memory budget that reading and working draw from; and the wire form.
//
// The rooms below it read and write. Package content takes in bytes: within limits, unpacked, as UTF-8. Package infer
// makes typed columns of texts. Packages csv, json, xlsx and markup read texts and workbooks, columnar Arrow, Parquet
// and SQLite; gota is the edge to data frames. Package load finds out what a content is and calls its reader.
//
// A Table is immutable: every verb returns a new one that shares the columns it did not change. Tables are therefore
// safe for concurrent use and may be kept as long as needed; memory is Go's own and needs no release.
//
// Readers look at every cell of a column, choose the narrowest type that holds all of them exactly, and say in a
// LoadReport what they decided. Where a column can be read in two ways (01/02/2024) it stays text, and the report
// says why.
//
// Errors are *FormatError for sources, *UnknownColumnError for names and *TypeError for operations that a column's
// type does not have; use errors.As.
package table
