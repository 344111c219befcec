package scan

import (
	"slices"
	"strings"
)

// subject is a name that patterns are matched against. All places of the name at which the part of a pattern that is read can end are followed at
// once, as bits: a pattern is read once, whatever stars it has, where one that goes back to its last star reads the rest of it for each byte of the name.
type subject struct {
	name string
	at   map[byte][]uint64 // where a byte of the name stands, for each that was asked about
	ends []uint64          // scratch of matches: bit n stands for the end of the first n bytes
	set  []uint64          // scratch: where a byte of a bracket expression stands
	all  []uint64          // everywhere
}

func newSubject(name string) *subject { return &subject{name: name} }

// matches reports whether a pattern with *, ?, [...] and backslashes matches the name.
func (s *subject) matches(pattern string) bool {
	if !s.mayMatch(pattern) {
		return false
	}
	if s.ends == nil {
		words := len(s.name)/64 + 1
		s.at, s.ends, s.set = map[byte][]uint64{}, make([]uint64, words), make([]uint64, words)
		s.all = slices.Repeat([]uint64{^uint64(0)}, words)
	}
	clear(s.ends)
	s.ends[0] = 1
	for p := 0; p < len(pattern); {
		if pattern[p] == '*' {
			s.anywhere()
			p++
			continue
		}
		where, size, ok := s.next(pattern[p:])
		if !ok || !s.step(where) {
			return false
		}
		p += size
	}
	return s.ends[len(s.name)/64]>>(len(s.name)%64)&1 == 1
}

// mayMatch is false where the first or the last byte of a pattern already rules a name out, as it does for most.
func (s *subject) mayMatch(pattern string) bool {
	const special = `*?[]\`
	n, last := len(s.name), len(pattern)-1
	if last < 0 || n == 0 {
		return true
	}
	fits := func(c, of byte) bool { return c == of || strings.IndexByte(special, c) >= 0 }
	return fits(pattern[0], s.name[0]) && fits(pattern[last], s.name[n-1])
}

// anywhere lets any bytes follow: all places from the first on.
func (s *subject) anywhere() {
	first := slices.IndexFunc(s.ends, func(w uint64) bool { return w != 0 })
	low := s.ends[first] & -s.ends[first]
	s.ends[first] = -low
	copy(s.ends[first+1:], s.all)
}

// step goes on by one byte, which has to stand where the bits say, and reports whether any place is left.
func (s *subject) step(where []uint64) bool {
	var carry, left uint64
	for i, w := range s.ends {
		w &= where[i]
		s.ends[i], carry = w<<1|carry, w>>63
		left |= s.ends[i]
	}
	return left != 0
}

// next is where the byte stands that a pattern begins with, and how much of the pattern that took.
func (s *subject) next(pattern string) (where []uint64, size int, ok bool) {
	switch pattern[0] {
	case '?':
		return s.all, 1, true
	case '\\':
		if len(pattern) == 1 {
			return nil, 0, false
		}
		return s.of(pattern[1]), 2, true
	case '[':
		set, size, ok := parseSet(pattern)
		if !ok {
			return nil, 0, false
		}
		return s.fill(func(c byte) bool { return set[c] }), size, true
	}
	return s.of(pattern[0]), 1, true
}

// of is where a byte stands.
func (s *subject) of(c byte) []uint64 {
	where, ok := s.at[c]
	if !ok {
		where = slices.Clone(s.fill(func(b byte) bool { return b == c }))
		s.at[c] = where
	}
	return where
}

// fill is where bytes stand that are meant, until it is called again.
func (s *subject) fill(means func(byte) bool) []uint64 {
	clear(s.set)
	for i := range len(s.name) {
		if means(s.name[i]) {
			s.set[i/64] |= 1 << (i % 64)
		}
	}
	return s.set
}
