package model

import "unicode"

const (
	maxName  = 128 // bytes of a name that are read
	maxGrams = 512 // n-grams of one text
)

// folded appends a name in lower case with one blank around each of its words, which end at anything that is no letter
// or digit, at aB, and between letters and digits.
func folded(dst []byte, name string) []byte {
	dst = append(dst, ' ')
	var last rune
	for _, r := range name {
		if len(dst)+8 > cap(dst) {
			break
		}
		switch {
		case unicode.IsLetter(r):
			if unicode.IsUpper(r) && unicode.IsLower(last) || unicode.IsDigit(last) {
				dst = blank(dst)
			}
			dst = append(dst, string(unicode.ToLower(r))...)
		case unicode.IsDigit(r):
			if unicode.IsLetter(last) {
				dst = blank(dst)
			}
			dst = append(dst, string(r)...)
		case r == '%' || r == '$' || r == '#' || r == '?':
			dst = append(blank(dst), byte(r), ' ')
		default:
			dst = blank(dst)
		}
		last = r
	}
	return blank(dst)
}

func blank(dst []byte) []byte {
	if dst[len(dst)-1] != ' ' {
		dst = append(dst, ' ')
	}
	return dst
}

// grams collects hashed n-grams.
type grams struct {
	n   int
	out [maxGrams]uint32
}

func (g *grams) add(h uint32) {
	if g.n < maxGrams {
		g.out[g.n] = h
		g.n++
	}
}

// FNV-1a (Fowler, Noll, Vo), 32 bits.
const (
	offset32 = 2166136261
	prime32  = 16777619
)

func hash(seed uint32, b []byte) uint32 {
	h := (offset32 ^ seed) * prime32
	for _, c := range b {
		h = (h ^ uint32(c)) * prime32
	}
	return h ^ h>>15
}

// names adds the words of a folded name, pairs of them, and its character n-grams of least to most.
func (g *grams) names(seed uint32, name []byte, least, most int) {
	before := 0
	for i := 1; i < len(name); i++ {
		if name[i] != ' ' {
			continue
		}
		from := i
		for from > 0 && name[from-1] != ' ' {
			from--
		}
		g.add(hash(seed+1, name[from:i]))
		if before > 0 {
			g.add(hash(seed+2, name[before:i]))
		} else {
			g.add(hash(seed+3, name[from:i])) // the first word
		}
		before = from
		if i == len(name)-1 {
			g.add(hash(seed+4, name[from:i])) // the last
		}
	}
	g.add(hash(seed+5, name))
	for n := least; n <= most; n++ {
		for i := 0; i+n <= len(name); i++ {
			g.add(hash(seed+6, name[i:i+n]))
		}
	}
}

// values adds what the cells look like: their characters by class in runs and pairs, and their first letters.
func (g *grams) values(seed uint32, samples []string) {
	var buf [32]byte
	for i, x := range samples {
		if i == maxSamples {
			break
		}
		if x == "" {
			g.add(hash(seed, nil))
			continue
		}
		out := buf[:0]
		for _, r := range x {
			if len(out) == cap(out) {
				break
			}
			switch {
			case unicode.IsDigit(r):
				out = append(out, '9')
			case unicode.IsUpper(r):
				out = append(out, 'A')
			case unicode.IsLetter(r):
				out = append(out, 'a')
			case r < 128:
				out = append(out, byte(r))
			default:
				out = append(out, '*')
			}
		}
		g.add(hash(seed+1, out))
		for n := 2; n <= 4; n++ {
			for at := 0; at+n <= len(out); at++ {
				g.add(hash(seed+2, out[at:at+n]))
			}
		}
		if len(x) <= 12 {
			var cell [12]byte
			g.add(hash(seed+3, cell[:copy(cell[:], x)]))
		}
	}
}
