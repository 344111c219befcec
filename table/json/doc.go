// Package json reads tables of JSON and JSON Lines: lists of objects or of lists, objects of columns, objects by key,
// lists inside of objects, and the wire form of a table.Table, which gives back what was written. Nested values are
// laid flat one level; the order of keys is kept.
package json
