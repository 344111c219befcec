package semantic

import (
	"context"
	"hash/maphash"
	"math"
	"strconv"

	"catena/table"
)

// Values are compared by samples: some of the different values of a column that may refer, against all values of a key.
const (
	maxSample  = 128  // different values of a column
	maxSampled = 1024 // rows that are looked at for them, spread over the table
)

// family is what values can be compared with.
type family uint8

const (
	apart family = iota // neither refers nor is referred to
	integers
	texts
)

var hashSeed = maphash.MakeSeed()

// hashOf is the value's hash; false for null. Only whether two hashes are equal is used, so the seed changes nothing.
func hashOf(v table.Value) (uint64, bool) {
	switch v.Type() {
	case table.Int:
		n, _ := v.Int()
		return mix(uint64(n)), true
	case table.Text:
		return maphash.String(hashSeed, v.Text()), true
	}
	return 0, false
}

// mix spreads the bits of a number: the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// sampleOf is the hashes of some different values of a column, in the order of their rows; of whole numbers the values too.
func sampleOf(t *table.Table, c int) (hashes []uint64, numbers []int64) {
	step := max(1, t.NumRows()/maxSampled)
	seen := make(map[uint64]bool, maxSample)
	for row := 0; row < t.NumRows() && len(hashes) < maxSample; row += step {
		v := t.Value(row, c)
		h, ok := hashOf(v)
		if !ok || seen[h] {
			continue
		}
		seen[h] = true
		hashes = append(hashes, h)
		if n, whole := v.Int(); whole && v.Type() == table.Int {
			numbers = append(numbers, n)
		}
	}
	return hashes, numbers
}

// hashSet is a set of hashes, each with a number; open addressing.
type hashSet struct {
	slots []int32 // number + 1; 0 is free
	keys  []uint64
	mask  uint64
}

func newHashSet(most int) *hashSet {
	size := 16
	for size < 4*most {
		size *= 2
	}
	return &hashSet{slots: make([]int32, size), keys: make([]uint64, 0, most), mask: uint64(size - 1)}
}

// find is the number of a hash; -1 where it is not in the set.
func (s *hashSet) find(h uint64) int32 {
	for at := h & s.mask; ; at = (at + 1) & s.mask {
		n := s.slots[at] - 1
		if n < 0 || s.keys[n] == h {
			return n
		}
	}
}

// add puts a hash into the set and gives its number.
func (s *hashSet) add(h uint64) int32 {
	at := h & s.mask
	for ; s.slots[at] != 0; at = (at + 1) & s.mask {
		if s.keys[s.slots[at]-1] == h {
			return s.slots[at] - 1
		}
	}
	s.keys = append(s.keys, h)
	s.slots[at] = int32(len(s.keys))
	return int32(len(s.keys)) - 1
}

// contained says, for each candidate, how many of its sampled values are values of the key.
func (k *column) contained(ctx context.Context, list []*candidate) {
	if k.dense() {
		for _, c := range list {
			c.found = 0
			for _, n := range c.from.numbers {
				if n >= k.low && n <= k.high {
					c.found++
				}
			}
		}
		return
	}
	most := 0
	for _, c := range list {
		most += len(c.from.sample)
	}
	set := newHashSet(most)
	for _, c := range list {
		for _, h := range c.from.sample {
			set.add(h)
		}
	}
	seen := k.scan(ctx, set)
	for _, c := range list {
		c.found = 0
		for _, h := range c.from.sample {
			if seen[set.find(h)] {
				c.found++
			}
		}
	}
}

// scan says which hashes of a set are those of values of the key.
func (k *column) scan(ctx context.Context, set *hashSet) []bool {
	const often = 8192 // rows
	seen, left := make([]bool, len(set.keys)), len(set.keys)
	for row := 0; row < k.in.NumRows() && left > 0; row++ {
		if row%often == 0 && ctx.Err() != nil {
			break
		}
		h, ok := hashOf(k.in.Value(row, k.at))
		if !ok {
			continue
		}
		if n := set.find(h); n >= 0 && !seen[n] {
			seen[n] = true
			left--
		}
	}
	return seen
}

// dense reports whether whole numbers fill their range, so that the range alone says which there are.
func (k *column) dense() bool {
	return k.family == integers && k.bounded && uint64(k.high)-uint64(k.low)+1 == uint64(k.meta.DistinctCount)
}

// chance is how likely a value of the same range is one of the key's by accident.
func (k *column) chance() float64 {
	if k.family != integers || !k.bounded {
		return 0
	}
	span := float64(k.high) - float64(k.low) + 1
	return min(1, float64(k.meta.DistinctCount)/math.Max(span, 1))
}

// readRange takes the least and the greatest whole number from the profile.
func (k *column) readRange() {
	low, lowOK := wholeNumber(k.meta.Min)
	high, highOK := wholeNumber(k.meta.Max)
	k.low, k.high, k.bounded = low, high, lowOK && highOK
}

// wholeNumber reads a number of a profile, which writes large ones as texts.
func wholeNumber(v any) (int64, bool) {
	switch n := v.(type) {
	case int64:
		return n, true
	case int:
		return int64(n), true
	case string:
		i, err := strconv.ParseInt(n, 10, 64)
		return i, err == nil
	}
	return 0, false
}
