package index

import (
	"bytes"
	"math"
	"path"
	"strings"
	"unsafe"

	"catena/tools/code/parse"
)

// The fields of a chunk, weighed one by one by BM25F.
const (
	fieldName      = iota // names of the symbols that it declares
	fieldContainer        // what they belong to: type, class, package; for the later parts of a long symbol its name
	fieldSignature
	fieldPath
	fieldComment
	fieldBody
	fieldCount
)

// counts say how often a word is in each field of a chunk.
type counts [fieldCount]uint16

// word is an identifier or word of a chunk.
type word struct {
	text string
	n    counts
}

// analysis is what a file gives to the index, before its words have numbers.
type analysis struct {
	words  []word
	ends   []int // of the words of each chunk
	offset []int // of each chunk's first byte
}

// analyse takes the words out of a file's chunks.
func analyse(f *parse.File, src []byte) analysis {
	text := unsafe.String(unsafe.SliceData(src), len(src)) // what is kept of it is copied by the interner
	lines := lineOffsets(src)
	where := words(path.Dir(f.Path) + " " + strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path)))
	var a analysis
	seen := make(map[string]int)
	next := 0 // the first symbol that begins in the chunk or after it
	for i, c := range f.Chunks {
		clear(seen)
		add := func(field int) func(string) {
			return func(w string) {
				k, ok := seen[w]
				if !ok {
					k = len(a.words)
					seen[w] = k
					a.words = append(a.words, word{text: w})
				}
				if n := &a.words[k].n[field]; *n < math.MaxUint16 {
					*n++
				}
			}
		}
		for _, w := range where {
			add(fieldPath)(w)
		}
		eachWord(f.Package, add(fieldContainer))
		next = addSymbols(f, i, next, add)
		at, end := lineAt(lines, c.Start, len(src)), lineAt(lines, c.End+1, len(src))
		eachPart(f.Language, text[at:end], func(part string, comment bool) {
			if comment {
				eachWord(part, add(fieldComment))
			} else {
				eachWord(part, add(fieldBody))
			}
		})
		a.ends = append(a.ends, len(a.words))
		a.offset = append(a.offset, at)
	}
	return a
}

// addSymbols adds the symbols that begin in chunk i; next is the first that is not yet added. It returns the next one.
func addSymbols(f *parse.File, i, next int, add func(int) func(string)) int {
	c := f.Chunks[i]
	for ; next < len(f.Symbols) && f.Symbols[next].Start <= c.End; next++ {
		s := &f.Symbols[next]
		eachWord(s.Name, add(fieldName))
		eachWord(s.Container, add(fieldContainer))
		eachWord(s.Signature, add(fieldSignature))
	}
	if c.Symbol >= 0 && f.Symbols[c.Symbol].Start < c.Start {
		eachWord(f.Symbols[c.Symbol].Name, add(fieldContainer))
	}
	return next
}

func words(text string) []string {
	var out []string
	eachWord(text, func(w string) { out = append(out, w) })
	return out
}

// lineOffsets tells where each line begins.
func lineOffsets(src []byte) []int {
	out := make([]int, 1, 1+len(src)/32)
	for at := 0; ; {
		n := bytes.IndexByte(src[at:], '\n')
		if n < 0 {
			return out
		}
		at += n + 1
		out = append(out, at)
	}
}

func lineAt(offsets []int, line, size int) int {
	if line < 1 {
		return 0
	}
	if line > len(offsets) {
		return size
	}
	return offsets[line-1]
}

// quantise writes the length of a field into one byte, on a scale of eighths of powers of two: an error of at most 5 %.
func quantise(n int) byte { return byte(min(math.Round(8*math.Log2(float64(1+n))), 255)) }

// lengths undoes quantise. They are whole numbers so that sums of them do not depend on their order.
var lengths = func() (out [256]uint64) {
	for i := range out {
		out[i] = uint64(math.Round(math.Exp2(float64(i)/8) - 1))
	}
	return out
}()
