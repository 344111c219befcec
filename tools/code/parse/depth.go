package parse

// maxBrackets is how deep brackets may be nested in a source that a parser makes a tree of. Good source has some dozens of levels;
// trees of sources far beyond take memory and time that no longer go with their size.
const maxBrackets = 2000

// deep says that a source has more brackets open at once than that. Brackets in texts and comments count too: where that matters
// the source is read by the rules, which take any depth.
func deep(src []byte) bool {
	open := 0
	for _, c := range src {
		switch c {
		case '(', '[', '{':
			if open++; open > maxBrackets {
				return true
			}
		case ')', ']', '}':
			open = max(0, open-1)
		}
	}
	return false
}
