package table

import "math/bits"

// radix orders pairs by their words, stably, a digit at a time from the lowest. It is scratch, to be used again.
type radix struct {
	counts [mostDigits][1 << wideDigit]int32
}

// The bits of a digit, for many pairs and for fewer: the counters are to cost less than the pairs.
const (
	wideDigit   = 11
	narrowDigit = 8
	manyPairs   = 4096
	mostDigits  = 3
)

// sort orders the pairs; low and high are the least and the greatest word. It goes by up to three digits of the bits in
// which the words differ, from the highest, and orders what is equal in these once more by the others. spare is scratch
// of the same length.
func (x *radix) sort(pairs, spare []keyed, low, high uint64) {
	if len(pairs) <= 2*fewRows {
		insertWords(pairs)
		return
	}
	digit := wideDigit
	if len(pairs) < manyPairs {
		digit = narrowDigit
	}
	shift := max(0, bits.Len64(high-low)-digit*mostDigits)
	x.passes(pairs, spare, low, high, shift, digit)
	if shift == 0 {
		return
	}
	for from := 0; from < len(pairs); {
		top, to := (pairs[from].word-low)>>shift, from+1
		least, most := pairs[from].word, pairs[from].word
		for to < len(pairs) && (pairs[to].word-low)>>shift == top {
			least, most = min(least, pairs[to].word), max(most, pairs[to].word)
			to++
		}
		if least != most {
			x.sort(pairs[from:to], spare[from:to], least, most)
		}
		from = to
	}
}

// passes orders by the bits from shift on.
func (x *radix) passes(pairs, spare []keyed, low, high uint64, shift, digit int) {
	mask := uint64(1)<<digit - 1
	digits := (bits.Len64((high-low)>>shift) + digit - 1) / digit
	for d := range digits {
		clear(x.counts[d][:mask+1])
	}
	for _, p := range pairs {
		w := (p.word - low) >> shift
		for d := range digits {
			x.counts[d][w&mask]++
			w >>= digit
		}
	}
	from, to := pairs, spare
	for d := range digits {
		at, by := int32(0), shift+d*digit
		next := x.counts[d][:mask+1]
		for i, n := range next {
			next[i] = at
			at += n
		}
		for _, p := range from {
			place := &next[(p.word-low)>>by&mask]
			to[*place] = p
			*place++
		}
		from, to = to, from
	}
	if digits&1 == 1 {
		copy(pairs, spare)
	}
}

func insertWords(pairs []keyed) {
	for i := 1; i < len(pairs); i++ {
		p, at := pairs[i], i
		for ; at > 0 && p.word < pairs[at-1].word; at-- {
			pairs[at] = pairs[at-1]
		}
		pairs[at] = p
	}
}
