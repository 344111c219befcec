package memory

import (
	"crypto/sha256"
	"hash/fnv"
)

// Kinds of terms in the full-text index.
const (
	asWritten = "=" // a word as it was written, folded
	inflected = "_" // a stem
)

// indexOf makes what a memory is found by: the words and stems of its text and its tags, the bands of its signature, and the
// digest of its text without case, spacing and punctuation.
func indexOf(content string, tags []string) Index {
	said := tokens(content)
	all := said
	for _, tag := range tags {
		all = append(all, tokens(tag)...)
	}
	seen := make(map[string]bool, 2*len(all))
	var x Index
	add := func(term string) bool {
		if seen[term] {
			return false
		}
		seen[term] = true
		x.Terms = append(x.Terms, term)
		return true
	}
	for _, t := range all {
		if t.surface != "" {
			x.Length++
			if add(asWritten + t.surface) {
				x.Words = append(x.Words, t.surface)
			}
		}
		if t.stem != "" {
			add(inflected + t.stem)
		}
	}
	x.Bands = bands(stems(said))
	sum := sha256.Sum256([]byte(normal(content)))
	x.Digest = sum[:16]
	return x
}

// stems is the set of a text's stems.
func stems(list []token) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, t := range list {
		if t.stem != "" && t.surface != "" {
			set[t.stem] = true
		}
	}
	return set
}

// A text's signature is the least value of each of bandCount*bandRows hash functions over its stems (MinHash: Broder, "On the
// resemblance and containment of documents", 1997). Two texts whose stems are alike by the share s have a band of r equal rows
// in common with probability 1-(1-s^r)^b (Indyk and Motwani, 1998): with 4 bands of 3 rows that is .995 at s = .9 and .41 at
// .5, and what is found is compared exactly.
const (
	bandCount = 4
	bandRows  = 3
)

// bands returns a text's signature; none for a text without stems.
func bands(set map[string]bool) []int64 {
	if len(set) == 0 {
		return nil
	}
	var least [bandCount * bandRows]uint64
	for i := range least {
		least[i] = ^uint64(0)
	}
	for s := range set {
		h := fnv.New64a()
		_, _ = h.Write([]byte(s)) // never fails: see hash.Hash
		base := h.Sum64()
		for i := range least {
			least[i] = min(least[i], mix(base+uint64(i)*0x9e3779b97f4a7c15))
		}
	}
	out := make([]int64, bandCount)
	for b := range out {
		band := uint64(b)
		for _, v := range least[b*bandRows : (b+1)*bandRows] {
			band = mix(band ^ v)
		}
		out[b] = int64(band >> 16) // exact also where numbers are doubles
	}
	return out
}

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// alike is the share of the stems of two texts that both have (Jaccard); 1 for two texts without stems.
func alike(a, b map[string]bool) float64 {
	both := 0
	for s := range a {
		if b[s] {
			both++
		}
	}
	all := len(a) + len(b) - both
	if all == 0 {
		return 1
	}
	return float64(both) / float64(all)
}
