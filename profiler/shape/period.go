package shape

import "strings"

// Period reports whether a text names a part of one year with that year: a quarter, a half, a month or a week by its
// number (2025Q1, Q3 2026, 1Q25, H1 2025, 2025-W07, 2025M01), a fiscal year with or without one (FY25, Q1 FY2025, FY
// 2024/25), or a month by its name with a year in two digits (Jan-25), which may as well be a day. Other months and
// days are for Date.
func Period(s string) bool {
	const shortest, longest = 4, 14 // bytes: FY25, "Week 07 - 2025"
	if len(s) < shortest || len(s) > longest {
		return false
	}
	if Date(s) == Partial {
		return true
	}
	var p periodParts
	for rest := s; rest != ""; {
		var ok bool
		if rest, ok = p.next(rest); !ok {
			return false
		}
	}
	return p.complete()
}

// periodParts are what a period is written of.
type periodParts struct {
	part byte // 'q' quarter, 'h' half, 'm' month, 'w' week; 0 while there is none
	// digits of a year that a sign or a blank keeps apart, or that its own letters mark; 0 while there is none
	loose  int
	fiscal bool
	ends   bool // a second year: 2024/25
}

// partTops are the numbers of the last parts of a year.
var partTops = map[byte]int{'q': 4, 'h': 2, 'm': 12, 'w': 53}

// next reads one part off the text, with the signs before it.
func (p *periodParts) next(s string) (rest string, ok bool) {
	body := strings.TrimLeft(s, " -/'’.")
	apart := len(body) < len(s)
	if body == "" {
		return "", false
	}
	word := body[:len(body)-len(strings.TrimLeft(body, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))]
	switch low := strings.ToLower(word); {
	case low == "":
		return p.number(body, apart)
	case low == "fy" || low == "cy":
		if p.fiscal {
			return "", false
		}
		p.fiscal = true
		return body[len(word):], len(body) > len(word)
	case len(low) == 1 && partTops[low[0]] > 0, low == "week" || low == "quarter":
		n, rest, ok := number(strings.TrimLeft(body[len(word):], " "))
		if !ok || p.part != 0 || n < 1 || n > partTops[low[0]] || rest != "" && digit(rest[0]) {
			return "", false
		}
		p.part = low[0]
		return rest, true
	}
	return "", false
}

// number reads a year, or the number before its part: 1Q25.
func (p *periodParts) number(s string, apart bool) (rest string, ok bool) {
	size := len(s) - len(strings.TrimLeft(s, "0123456789"))
	rest = s[size:]
	switch {
	case size == 1 && p.part == 0 && rest != "" && (rest[0]|0x20 == 'q' || rest[0]|0x20 == 'h') && s[0] >= '1' &&
		int(s[0]-'0') <= partTops[rest[0]|0x20]:
		p.part = rest[0] | 0x20
		if rest = rest[1:]; p.loose == 0 && len(rest) == 2 && digit(rest[0]) && digit(rest[1]) {
			p.loose = 2 // 1Q25
			return "", true
		}
		return rest, true
	case size == 4 && (s[:2] == "19" || s[:2] == "20" || s[:2] == "21") && p.loose == 0:
		p.loose = size
	case size == 2 && p.loose == 0 && (apart && (p.part == 'q' || p.part == 'h') || p.fiscal):
		p.loose = size
	case (size == 2 || size == 4) && apart && p.loose > 0 && p.fiscal && !p.ends:
		p.ends = true
	default:
		return "", false
	}
	return rest, true
}

// complete reports whether a year was read, and a part of it or that it is fiscal.
func (p *periodParts) complete() bool { return p.loose > 0 && (p.part != 0 || p.fiscal) }
