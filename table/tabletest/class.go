package tabletest

import (
	"slices"
	"strconv"
	"strings"
)

// Class is one way to attack a reader.
type Class struct {
	Name   string // what is attacked, such as "many tables"
	Source string // a file name with the ending of the format
	// a content of about so many bytes, at least the shortest one that shows the class; the same for the same size
	Make func(size int) []byte
}

// build writes pieces until a text is about so long. piece gets the number of the piece.
func build(size int, piece func(b *strings.Builder, i int)) []byte {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		piece(&b, i)
	}
	return []byte(b.String())
}

// repeatedPiece is a head, as many copies of a piece as fit into the size, and an end.
func repeatedPiece(size int, head, piece, end string) []byte {
	n := max(1, (size-len(head)-len(end))/len(piece))
	return []byte(head + strings.Repeat(piece, n) + end)
}

// write appends texts and numbers.
func write(b *strings.Builder, parts ...any) {
	for _, p := range parts {
		switch x := p.(type) {
		case string:
			b.WriteString(x)
		case int:
			b.WriteString(strconv.Itoa(x))
		}
	}
}

// numbered writes the numbers from..to-1, each with a text before it and one behind it.
func numbered(before string, from, to int, behind string) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		write(&b, before, i, behind)
	}
	return b.String()
}

// Texts are the classes of all formats that are no columns: text, also compressed, and workbooks.
func Texts() []Class {
	return slices.Concat(Delimited(), Markup(), JSON(), Workbooks(), Packed())
}
