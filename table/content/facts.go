package content

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"catena/internal/buffer"
	"catena/internal/parallel"
)

// Facts is what the reading of a delimited text has to know of all its bytes. They are counted chunk by chunk, by as
// many goroutines as there are processors, so that each byte comes from memory once.
type Facts struct {
	valid    bool // UTF-8
	Nuls     int
	Formulas bool    // `="` occurs
	quotes   []int32 // in each chunk
	lines    []int32 // line ends in each chunk: "\n", "\r" or "\r\n", which counts where it ends
}

const factBytes = 64 << 10 // a chunk stays in the processor's cache

// Scan looks at a text.
func Scan(text []byte) *Facts {
	chunks := (len(text) + factBytes - 1) / factBytes
	f := &Facts{valid: true, quotes: make([]int32, chunks), lines: make([]int32, chunks)}
	nuls, valid, formulas := make([]int32, chunks), make([]bool, chunks), make([]bool, chunks)
	parallel.Columns(chunks, factBytes/8, func(i int) {
		from, to := i*factBytes, min((i+1)*factBytes, len(text))
		chunk := text[from:to]
		n := tallyText(buffer.String(chunk))
		valid[i] = n.wide == 0 || utf8.Valid(text[runeStart(text, from):runeStart(text, to)])
		nuls[i], f.quotes[i] = int32(n.nuls), int32(n.quotes)
		f.lines[i] = int32(n.feeds + n.returns)
		if n.returns > 0 {
			f.lines[i] -= int32(bytes.Count(chunk, []byte("\r\n")))
		}
		if from > 0 && text[from-1] == '\r' && chunk[0] == '\n' {
			f.lines[i]-- // its other half was counted before
		}
		if n.quotes > 0 {
			formulas[i] = bytes.Contains(text[max(0, from-1):to], []byte(`="`))
		}
	})
	for i := range chunks {
		f.Nuls += int(nuls[i])
		f.valid = f.valid && valid[i]
		f.Formulas = f.Formulas || formulas[i]
	}
	return f
}

// runeStart moves a place of a text back to where its character begins, as far as one reaches.
func runeStart(text []byte, at int) int {
	if at == len(text) {
		return at
	}
	for i := at; i >= 0 && i > at-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			return i
		}
	}
	return at
}

// Lines counts the line ends of the text.
func (f *Facts) Lines() int {
	n := 0
	for _, lines := range f.lines {
		n += int(lines)
	}
	return n
}

// LinesBetween counts the line ends from one place to another, both of which stand behind line ends.
func (f *Facts) LinesBetween(text string, from, to int) int {
	n := 0
	for from < to {
		end := min((from/factBytes+1)*factBytes, to)
		if end-from == factBytes {
			n += int(f.lines[from/factBytes])
		} else if n += LineEnds(text[from:end]); from > 0 && text[from-1] == '\r' && text[from] == '\n' {
			n--
		}
		from = end
	}
	return n
}

// QuotesBetween counts the quotes from one place to another.
func (f *Facts) QuotesBetween(text string, from, to int) int {
	n := 0
	for from < to {
		end := min((from/factBytes+1)*factBytes, to)
		if end-from == factBytes {
			n += int(f.quotes[from/factBytes])
		} else {
			n += strings.Count(text[from:end], `"`)
		}
		from = end
	}
	return n
}

// CutPoints divides a text from pos on, where a record begins, into pieces of about size bytes that begin with records,
// as long as quotes follow the rules. The last number is the first such place at or behind end.
func (f *Facts) CutPoints(text string, pos, end, size int) []int {
	cuts := []int{pos}
	seen, quotes := pos, 0
	for pos < end {
		at := min((pos/size+1)*size, end)
		quotes += f.QuotesBetween(text, seen, at)
		seen = at
		pos = recordEnd(text, at, quotes&1 == 1)
		cuts = append(cuts, pos)
	}
	return cuts
}

// recordEnd gives where the first record behind pos begins; inside tells whether pos is inside of quotes.
func recordEnd(text string, pos int, inside bool) int {
	for line := -1; ; { // line is the first line feed that is not before pos, looked for once
		if inside {
			i := strings.IndexByte(text[pos:], '"')
			if i < 0 {
				return len(text)
			}
			pos += i + 1
		}
		if line < pos {
			i := strings.IndexByte(text[pos:], '\n')
			if i < 0 {
				i = len(text) - pos - 1
			}
			line = pos + i
		}
		i := strings.IndexByte(text[pos:line+1], '"')
		if i < 0 {
			return line + 1
		}
		pos += i + 1
		inside = true
	}
}

// tally is how many bytes of a text are what its reader asks for. The order of the fields is that of tallyAVX2.
type tally struct {
	quotes, feeds, returns, nuls int64
	wide                         uint64 // 0 where all bytes are ASCII
}

// add counts with what the standard library has for one byte at a time.
func (n *tally) add(text string) {
	n.quotes += int64(strings.Count(text, `"`))
	n.feeds += int64(strings.Count(text, "\n"))
	n.returns += int64(strings.Count(text, "\r"))
	n.nuls += int64(strings.Count(text, "\x00"))
	for ; len(text) >= 8; text = text[8:] {
		n.wide |= buffer.Word(text) & buffer.Highs
	}
	for i := range len(text) {
		n.wide |= uint64(text[i] & utf8.RuneSelf)
	}
}

// LineEnds counts the line ends in a text: CR LF is one.
func LineEnds(s string) int {
	return strings.Count(s, "\n") + strings.Count(s, "\r") - strings.Count(s, "\r\n")
}
