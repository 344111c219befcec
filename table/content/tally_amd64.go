//go:build !purego

package content

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// tallyText counts the bytes of a text.
func tallyText(text string) (n tally) {
	if !cpu.X86.HasAVX2 {
		n.add(text)
		return n
	}
	for len(text) >= 64 {
		words := min(len(text)/64, tallyAtOnce)
		tallyAVX2(unsafe.StringData(text), words, &n)
		text = text[64*words:]
	}
	n.add(text)
	return n
}

//go:noescape
func tallyAVX2(text *byte, words int, out *tally)

// tallyAtOnce is how many times 64 bytes tallyAVX2 takes: it counts by bytes, two at once.
const tallyAtOnce = 127
