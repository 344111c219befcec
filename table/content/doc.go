// Package content takes in the bytes that tables are read from: it opens files, reads no more than the limits allow,
// unpacks gzip and Zstandard, and decodes UTF-8, UTF-16, UTF-32 and Windows-1252. It knows no format. Errors are
// *table.FormatError.
package content
