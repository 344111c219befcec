package text

import "regexp/syntax"

// PatternSize is about how many instructions a regular expression has when its repetitions are written out; at most
// most and one are counted.
func PatternSize(re *syntax.Regexp, most int) int {
	size := 1
	for _, sub := range re.Sub {
		if size += PatternSize(sub, most); size > most {
			return most + 1
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		size += len(re.Rune)
	case syntax.OpRepeat:
		size *= max(re.Max, re.Min+1, 1)
	}
	return min(size, most+1)
}
