package text

import "unicode/utf8"

// onStack is the length of words, in bytes, that are compared without memory of their own.
const onStack = 64

// Distance is how many characters must be put in, taken out, changed or swapped with their neighbour to make b of a, or most+1 when it is more than
// most. No place is edited twice: the optimal string alignment of Damerau, "A technique for computer detection and correction of spelling errors",
// 1964. It takes len(a)*len(b) steps at the most; a negative most gives most+1.
func Distance(a, b string, most int) int {
	if isASCII(a) && isASCII(b) {
		var roomA, roomB [onStack]byte
		return distance(append(roomA[:0], a...), append(roomB[:0], b...), most)
	}
	return distance([]rune(a), []rune(b), most)
}

func distance[T byte | rune](a, b []T, most int) int {
	if d := len(a) - len(b); most < 0 || d > most || -d > most {
		return most + 1
	}
	var room [3][onStack + 1]int
	before, last, row := room[0][:], room[1][:], room[2][:]
	if len(b) > onStack {
		before, last, row = make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	}
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			d := last[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			d = min(d, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least > most {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], most+1)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
