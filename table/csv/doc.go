// Package csv reads delimited texts without being told how they are written, and texts that programs print for
// people: ruled, drawn or aligned by spaces; and it writes RFC 4180.
//
// A text whose records are all alike goes straight into columns, piece by piece on all processors. Any other is cut
// into a grid, whose layout tells what is title, header, body, total and note. Readers of other formats that have
// rows of texts, such as sheets and HTML, put them into a Grid, so that the same rules hold for them.
package csv
