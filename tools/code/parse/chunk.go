package parse

import "strings"

const (
	looseLines = 40 // small neighbours are put together up to so many lines
	proseLines = 60 // what belongs to no declaration is cut to so many
)

// chunks covers every line that is not blank exactly once, in order. A function or type of several lines is a chunk with its
// comment; its members of several lines are chunks of their own, and what is left of it (fields, one-line members) is cut in
// between. Imports, constants and other one-line declarations that are neighbours go together. Linear in lines and symbols.
func chunks(src *source, symbols []Symbol) []Chunk {
	c := &chunker{src: src, symbols: symbols}
	c.segments()
	c.join()
	var out []Chunk
	for _, s := range c.segs {
		out = c.cut(out, s)
	}
	return out
}

// segment is a run of lines with the same owner.
type segment struct {
	start, end int
	symbol     int  // -1 for none
	loose      bool // may be put together with its neighbours
}

type chunker struct {
	src     *source
	symbols []Symbol
	segs    []segment
}

// from is the first line of a symbol with its comment.
func (s *Symbol) from() int {
	if s.DocStart > 0 && s.DocStart < s.Start {
		return s.DocStart
	}
	return s.Start
}

// alone says that a symbol is a chunk of its own.
func (s *Symbol) alone() bool {
	return s.End > s.Start && s.Kind != Constant && s.Kind != Variable
}

// segments gives each line that is not blank to the innermost declaration that is a chunk of its own.
func (c *chunker) segments() {
	var open []int // symbols, outer ones first
	next := 0
	for line := 1; line <= c.src.lines(); line++ {
		for len(open) > 0 && c.symbols[open[len(open)-1]].End < line {
			open = open[:len(open)-1]
		}
		for next < len(c.symbols) && c.symbols[next].from() <= line {
			if c.opens(next, line, open) {
				open = append(open, next)
			}
			next++
		}
		if c.src.blank(line) {
			continue
		}
		owner := -1
		if len(open) > 0 {
			owner = open[len(open)-1]
		}
		if n := len(c.segs); n > 0 && c.segs[n-1].symbol == owner && (owner >= 0 || !c.gap(n-1, line)) {
			c.segs[n-1].end = line
			continue
		}
		c.segs = append(c.segs, segment{line, line, owner, owner < 0 || !c.symbols[owner].alone()})
	}
}

// gap says that a line of no declaration starts a new segment: after a blank line, as soon as the last one is long enough.
func (c *chunker) gap(last, line int) bool {
	s := c.segs[last]
	return s.end < line-1 && line-s.start >= looseLines && c.src.indent(line) == 0
}

func (c *chunker) opens(next, line int, open []int) bool {
	s := &c.symbols[next]
	if s.End < line {
		return false
	}
	if len(open) == 0 {
		return true
	}
	outer := &c.symbols[open[len(open)-1]]
	if s.Start == outer.Start || !s.alone() {
		return false
	}
	// What is declared within a function is found with it, unless that is too long for one chunk anyway.
	return outer.Kind != Function && outer.Kind != Method || outer.End-outer.from() >= MaxChunkLines
}

// join puts small neighbours together, and closing brackets to what they close.
func (c *chunker) join() {
	out := c.segs[:0]
	for _, s := range c.segs {
		if n := len(out) - 1; n >= 0 {
			last := &out[n]
			switch lines := s.end - last.start + 1; {
			case lines <= MaxChunkLines && last.loose && last.symbol < 0 && last.end == s.start-1 && last.end-last.start < 3:
				// A line or two that lead to a declaration, such as impl Ledger {
				s.start = last.start
				*last = s
				continue
			case lines <= MaxChunkLines && c.closes(s):
				last.end = s.end
				continue
			case last.loose && s.loose && lines <= looseLines:
				last.end = s.end
				if last.symbol >= 0 && s.symbol >= 0 {
					last.symbol = several
				} else if last.symbol == -1 {
					last.symbol = s.symbol
				}
				continue
			}
		}
		out = append(out, s)
	}
	c.segs = out
}

// several marks a segment with more than one declaration.
const several = -2

// closes says that a segment has nothing but closing brackets.
func (c *chunker) closes(s segment) bool {
	if s.end-s.start > 2 {
		return false
	}
	for n := s.start; n <= s.end; n++ {
		if !closer(c.src.at(n)) {
			return false
		}
	}
	return true
}

func closer(line string) bool {
	rest := strings.Trim(line, " \t})];,")
	return rest == "" || rest == "end" || rest == "fi" || rest == "done" || rest == "esac"
}

// cut adds a segment as chunks of at most MaxChunkLines.
func (c *chunker) cut(out []Chunk, s segment) []Chunk {
	limit := MaxChunkLines
	if s.symbol < 0 {
		limit = proseLines
	}
	symbol := max(s.symbol, -1)
	start := s.start
	for s.end-start+1 > limit {
		next := c.place(start, limit)
		last := next - 1
		for c.src.blank(last) {
			last--
		}
		out = append(out, Chunk{start, last, symbol})
		start = next
	}
	return append(out, Chunk{start, s.end, symbol})
}

// place is the best line to start the next chunk at: as little indented as possible, after a blank line where there is one, late
// rather than early, and not a closing bracket.
func (c *chunker) place(start, limit int) int {
	best, bestCost := 0, 0
	for n := start + limit/3; n <= start+limit; n++ {
		if c.src.blank(n) {
			continue
		}
		cost := 8*min(c.src.indent(n), 100) + (start+limit-n)/16
		if !c.src.blank(n - 1) {
			cost += 20
		}
		if closer(c.src.at(n)) {
			cost += 1000
		}
		if best == 0 || cost <= bestCost {
			best, bestCost = n, cost
		}
	}
	if best == 0 { // nothing but blank lines: the next one that is not
		for best = start + limit; c.src.blank(best); best++ {
		}
	}
	return best
}
