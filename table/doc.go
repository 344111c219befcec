// Package table holds the one table that every room of Catena speaks: named, typed columns over Apache Arrow arrays, with
// exact decimals and explicit nulls. It loads tables (CSV, TSV, JSON, JSON Lines, SQLite, Arrow IPC, gota frames), writes them,
// and has the verbs that query_table needs: filter, sort, select, group, join, concatenate.
//
// A Table is immutable: every verb returns a new one that shares the columns it did not change. Tables are therefore safe
// for concurrent use and may be kept as long as needed; memory is Go's own and needs no release.
package table
