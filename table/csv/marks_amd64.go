//go:build !purego

package csv

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// hasMarks reports whether markText is faster than to look at one cell after the other.
var hasMarks = cpu.X86.HasAVX2 && cpu.X86.HasPCLMULQDQ

// markText marks the bytes of a text, whose length is a multiple of 64; out has one element for each 64.
func markText(text string, comma byte, out []marks) {
	if words := len(text) / 64; words > 0 {
		_ = out[words-1]
		markAVX2(unsafe.StringData(text), words, comma, &out[0])
	}
}

//go:noescape
func markAVX2(text *byte, words int, comma byte, out *marks)
