package plan

import (
	"slices"
	"strings"

	"catena/internal/text"
)

// SafeName reports whether a name that came with data may stand in a prompt or a message: 1 to 64 of
// [A-Za-z0-9_ .%()-]. Longer names, and those with other characters, could carry instructions.
func SafeName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !idByte(c) && !strings.ContainsRune(" .%()", rune(c)) {
			return false
		}
	}
	return true
}

// fold brings spellings of one name together: loadTable, Load-Table and load_table are "loadtable".
func fold(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		if c := folded(s[i]); c != separator {
			b = append(b, c)
		}
	}
	return string(b)
}

// separator stands for all bytes that fold leaves out.
const separator = '_'

// folded is a byte as fold has it, or separator.
func folded(c byte) byte {
	switch {
	case c >= 'A' && c <= 'Z':
		return c + 'a' - 'A'
	case c == '-', c == ' ', c == '.':
		return separator
	}
	return c
}

// sameFold reports whether fold makes the same of two names, without making it.
func sameFold(a, b string) bool {
	for {
		for a != "" && folded(a[0]) == separator {
			a = a[1:]
		}
		for b != "" && folded(b[0]) == separator {
			b = b[1:]
		}
		if a == "" || b == "" || folded(a[0]) != folded(b[0]) {
			return a == b
		}
		a, b = a[1:], b[1:]
	}
}

// words splits a name at _ - space . and at a change from lower to upper case, and lowers it.
func words(s string) []string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			if i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z' {
				b.WriteByte(' ')
			}
			c += 'a' - 'A'
		}
		if c == '_' || c == '-' || c == '.' {
			c = ' '
		}
		b.WriteByte(c)
	}
	return strings.Fields(b.String())
}

// tooShort reports whether two words are too short to be slips of each other.
func tooShort(x, y string) bool {
	short, long := min(len(x), len(y)), max(len(x), len(y))
	return long < 4 || short < 3 || short == 3 && x[0] != y[0]
}

// typo reports whether two names differ by slips of the keyboard alone: the same number of words, the same short words,
// and at most one edit (insert, drop, change, swap of neighbours) in each word of four letters and more, or a letter that is
// missing in one of three but not at its start. So get_user never becomes set_user, nor stop_timer top_timer.
func typo(a, b string) bool {
	x, y := words(a), words(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] && (tooShort(x[i], y[i]) || text.Distance(x[i], y[i], 1) > 1) {
			return false
		}
	}
	return true
}

// likeness is a way in which a name may be written for another one.
type likeness func(a, b string) bool

// The likenesses, from the surest on. What they compare is the names that a schema, a catalogue or a plan has.
var (
	otherSpelling likeness = func(a, b string) bool { return fold(a) == fold(b) }
	otherNumber   likeness = func(a, b string) bool { return fold(a)+"s" == fold(b) || fold(a) == fold(b)+"s" }
	slipOfKeys    likeness = func(a, b string) bool { return len(a) <= maxNear && len(b) <= maxNear && typo(a, b) }
	// slipInWord is for words whose change by one letter may be another word: letters changed places, one was dropped or came in, none is another.
	slipInWord likeness = func(a, b string) bool {
		return len(a) != len(b) && min(len(a), len(b)) >= 5 && slipOfKeys(a, b) || anagram(a, b) && slipOfKeys(a, b)
	}
)

// anagram reports whether two words have the same letters.
func anagram(a, b string) bool {
	x, y := []byte(fold(a)), []byte(fold(b))
	slices.Sort(x)
	slices.Sort(y)
	return len(x) >= 5 && string(x) == string(y)
}

// Bounds of what is compared: a plan or a call may have a megabyte of names and words, and a schema thousands.
const (
	maxComparisons = 500_000 // of names with names, for one plan or one call: some tenths of a second
	longestName    = 256     // bytes; a longer one is like no other
)

// comparisons compares names. It counts the comparisons; when it has none left no name is like another.
type comparisons struct{ left int }

// take uses up so many comparisons, and reports whether they were there.
func (c *comparisons) take(n int) bool {
	c.left = max(c.left-n, -1)
	return c.left >= 0
}

// negated reports whether a name has a sign in front or at its end that turns its meaning around, as !closed and status!= do: it is no spelling
// of the rest.
func negated(name string) bool {
	t := strings.TrimSpace(name)
	return strings.TrimLeft(t, "!-~^¬≠<>") != t || strings.TrimRight(t, "!¬≠<>=") != t
}

// onlyLike is the one of names that a name is like by the first likeness that any has; "" where there is none, or more than one.
func (c *comparisons) onlyLike(name string, names []string, by ...likeness) string {
	if len(name) > longestName || negated(name) {
		return ""
	}
	for _, like := range by {
		only, n := "", 0
		if !c.take(len(names)) {
			return ""
		}
		for _, other := range names {
			if len(other) > longestName {
				continue
			}
			if like(name, other) && (n == 0 || other != only) {
				only = other
				n++
			}
		}
		if n == 1 {
			return only
		}
		if n > 1 {
			return ""
		}
	}
	return ""
}

// maxNear bounds the names that are compared by edit distance.
const maxNear = 64

// nearest returns the one of names that s most likely meant, "" when none is near. It is for messages only: what Mend
// changes follows stricter rules.
func nearest(s string, names []string) string {
	if len(s) > maxNear {
		return ""
	}
	f, best := fold(s), ""
	most := 1 + len(f)/4
	for _, n := range names {
		if len(n) > maxNear {
			continue
		}
		if g := fold(n); g == f {
			return n
		} else if d := text.Distance(f, g, most); d <= most {
			best, most = n, d-1
		}
	}
	return best
}
