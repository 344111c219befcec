package names

import (
	"math"
	"slices"
)

// Channel is how words are shortened: for each letter of a word, how likely it is kept, by where it stands, whether it
// is a vowel, whether it is the last, and how many letters before it were dropped in a row. It is the parametric half
// of P(piece | word).
type Channel struct {
	Keep     [keepStates]float32 // P(kept)
	Identity [lengths]float32    // P(the whole word is written), by its length
}

const (
	places, runs = 7, 4
	keepStates   = places * 3 * 2 * runs
	lengths      = 12
)

// state is the index into Keep for letter i of word after run letters in a row were dropped.
func state(word string, i, run int) int {
	kind := 0
	switch {
	case isVowel(word[i]):
		kind = 1
	case i > 0 && word[i] == word[i-1]:
		kind = 2
	}
	return stateOf(i, kind, i == len(word)-1) + min(run, runs-1)
}

// stateOf is the state of letter i of a kind when the letter before was kept.
func stateOf(i, kind int, last bool) int {
	place := min(i, 4)
	switch {
	case i >= 8:
		place = 6
	case i >= 5:
		place = 5
	}
	at := (place*3 + kind) * 2
	if last {
		at++
	}
	return at * runs
}

func isVowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return false
}

const unlikely = -1e9

// logP is log P(piece | word) for a word that is written in full or shortened by dropping letters; unlikely when it is
// neither.
func (c *channelLogs) logP(piece, word string) float32 {
	if piece == word {
		return c.identity[min(len(word), lengths-1)]
	}
	if len(piece) >= len(word) || len(word) > maxWord {
		return unlikely
	}
	return c.abbreviated[min(len(word), lengths-1)] + c.best(piece, word)
}

// maxWord is the longest word that is looked at, in bytes.
const maxWord = 24

// channelLogs is a Channel in logarithms.
type channelLogs struct {
	keep, drop            [keepStates]float32
	identity, abbreviated [lengths]float32
}

func (c *Channel) logs() *channelLogs {
	l := &channelLogs{}
	for i, p := range c.Keep {
		l.keep[i], l.drop[i] = ln(p), ln(1-p)
	}
	for i, p := range c.Identity {
		l.identity[i], l.abbreviated[i] = ln(p), ln(1-p)
	}
	return l
}

// ln is the natural logarithm, with a floor.
func ln(p float32) float32 { return float32(math.Log(float64(max(p, 1e-9)))) }

var smallest = ln(0)

// best is the likeliest way to keep the letters of piece out of word.
func (c *channelLogs) best(piece, word string) float32 {
	var rows [2][maxWord + 1][runs]float32
	n, m := len(word), len(piece)
	cur, next := &rows[0], &rows[1]
	for j := 0; j <= m; j++ {
		cur[j] = [runs]float32{unlikely, unlikely, unlikely, unlikely}
	}
	cur[0][0] = 0
	for i := range n {
		lo, hi := max(0, m-(n-i)), min(i, m)
		for j := lo; j <= min(hi+1, m); j++ {
			next[j] = [runs]float32{unlikely, unlikely, unlikely, unlikely}
		}
		at := state(word, i, 0)
		for j := lo; j <= hi; j++ {
			same := j < m && piece[j] == word[i]
			for r, s := range cur[j] {
				if s <= unlikely {
					continue
				}
				to := min(r+1, runs-1)
				next[j][to] = max(next[j][to], s+c.drop[at+r])
				if same {
					next[j+1][0] = max(next[j+1][0], s+c.keep[at+r])
				}
			}
		}
		cur, next = next, cur
	}
	return max(cur[m][0], cur[m][1], cur[m][2], cur[m][3])
}

// bounds are what best is at most, by the lengths of word and piece: the likeliest kinds of letters throughout.
func (c *channelLogs) bounds() [maxWord + 1][maxWord + 1]float32 {
	var out [maxWord + 1][maxWord + 1]float32
	for n := 1; n <= maxWord; n++ {
		var cur [maxWord + 2][runs]float32
		for j := range cur {
			cur[j] = [runs]float32{unlikely, unlikely, unlikely, unlikely}
		}
		cur[0][0] = 0
		for i := range n {
			next := cur
			for j := range next {
				next[j] = [runs]float32{unlikely, unlikely, unlikely, unlikely}
			}
			for j := 0; j <= i; j++ {
				for r, s := range cur[j] {
					keep, drop := c.highest(i, r, i == n-1)
					next[j][min(r+1, runs-1)] = max(next[j][min(r+1, runs-1)], s+drop)
					next[j+1][0] = max(next[j+1][0], s+keep)
				}
			}
			cur = next
		}
		for m := range out[n] {
			out[n][m] = slices.Max(cur[m][:])
		}
	}
	return out
}

// highest are the highest scores of keeping and of dropping letter i of any word.
func (c *channelLogs) highest(i, run int, last bool) (keep, drop float32) {
	keep, drop = unlikely, unlikely
	for kind := range 3 {
		at := stateOf(i, kind, last) + run
		keep, drop = max(keep, c.keep[at]), max(drop, c.drop[at])
	}
	return keep, drop
}

// kept is which letters of word the likeliest way keeps; nil when piece is not made of them.
func (c *channelLogs) kept(piece, word string) []bool {
	out := make([]bool, len(word))
	j := 0
	for i := range len(word) {
		if j == len(piece) {
			break
		}
		// A letter is kept as soon as the rest can be written best so.
		if piece[j] != word[i] {
			continue
		}
		if !subsequence(piece[j:], word[i+1:]) || c.best(piece[j:], word[i:]) >= c.best(piece[j:], word[i+1:]) {
			out[i] = true
			j++
		}
	}
	if j < len(piece) {
		return nil
	}
	return out
}
