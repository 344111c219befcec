// Package load reads tables of contents whose format nobody has named: it looks at the first bytes, and at the ending
// where these leave it open, and calls the reader of the format. So it stands above all readers. It also finds the list
// that a tool's output is.
package load
