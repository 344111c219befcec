package plan

import "encoding/json"

// KeyOrder says where each text of a JSON document is first written, keys and values alike, in bytes from its beginning. Schemas list
// an object's properties in an order that means something, and a decoded map has none. It reads the document once. A text that is not
// there has no entry; what is no JSON gives what was read of it. A text longer than longestKey is left out: it is no name.
func KeyOrder(raw json.RawMessage) map[string]int {
	const longestKey = 1024
	first := map[string]int{}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		start := i
		for i++; i < len(raw) && raw[i] != '"'; i++ {
			if raw[i] == '\\' {
				i++
			}
		}
		if i >= len(raw) || i-start > longestKey {
			continue
		}
		var text string
		if json.Unmarshal(raw[start:i+1], &text) != nil {
			continue
		}
		if _, there := first[text]; !there {
			first[text] = start
		}
	}
	return first
}
