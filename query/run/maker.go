package run

import (
	"catena/internal/text"
	"catena/table"
)

// A function may make texts that are many times as long as those that it is given, so what they take is counted
// before they are made: maxText for each, as DefaultLimits of package table have it for a cell, and maxMade for those
// of one block of rows.
const (
	maxText = 1 << 20
	maxMade = 64 << 20
)

// maker counts the texts that a kernel makes for one block.
type maker struct {
	left int64
	err  error // the limit that was met
}

// takes reports whether a text of so many bytes may be made; after false the kernel fails.
func (m *maker) takes(size int64) bool {
	if m.err != nil {
		return false
	}
	if size > maxText {
		m.err = table.LargeCell(table.DefaultLimits)
		return false
	}
	if m.left -= size; m.left < 0 {
		m.err = &table.LimitError{What: table.LimitMemory, Limit: maxMade,
			Text: "texts of more than " + text.Bytes(maxMade) + " would be made for a few thousand rows"}
	}
	return m.err == nil
}

// making is a kernel whose texts a maker counts.
func making(build func(m *maker) kernel) kernel {
	return func(n int, args []vec, out *vec) error {
		m := &maker{left: maxMade}
		if err := build(m)(n, args, out); err != nil {
			return err
		}
		return m.err
	}
}
