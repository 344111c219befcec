package profiler

import (
	"encoding/json"
	"net/netip"
	"net/url"
	"strings"
	"unicode"
)

func (s *scan) leadingZeros() bool {
	for _, x := range s.sample {
		if len(x) > 1 && x[0] == '0' && x[1] >= '0' && x[1] <= '9' {
			return true
		}
	}
	return false
}

// sameShape reports whether most texts have one pattern of letters, digits and signs.
func (s *scan) sameShape() bool {
	shapes := map[string]int{}
	for _, x := range s.sample {
		shapes[shapeOf(x)]++
	}
	best := 0
	for _, n := range shapes {
		best = max(best, n)
	}
	return float64(best) >= 0.8*float64(len(s.sample))
}

// shapeOf maps letters to A, digits to 9 and keeps the rest; runs count once.
func shapeOf(s string) string {
	var b strings.Builder
	var last rune
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			r = 'A'
		case unicode.IsDigit(r):
			r = '9'
		}
		if r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// isCode reports whether a text is one word of digits with letters or hyphens: T-000001, A98-117; no ordinal and no clock time.
func isCode(s string) bool {
	digits, others := false, false
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits = true
		case unicode.IsLetter(r), r == '-', r == '_':
			others = true
		case r == '/', r == ':', r == '.', r == '#':
		default:
			return false
		}
	}
	return digits && others && len(s) <= 64 && !isOrdinal(s)
}

// isOrdinal accepts 1st, 2nd, 3rd, 4th.
func isOrdinal(s string) bool {
	body := strings.TrimLeft(s, "0123456789")
	return len(body) < len(s) && (body == "st" || body == "nd" || body == "rd" || body == "th")
}

func isEmail(s string) bool {
	local, domain, ok := strings.Cut(s, "@")
	return ok && local != "" && !strings.ContainsAny(s, " ,;<>()") && isDomain(domain)
}

func isDomain(s string) bool {
	labels := strings.Split(s, ".")
	if len(labels) < 2 || len(s) > 253 {
		return false
	}
	for _, l := range labels {
		if l == "" || strings.ContainsFunc(l, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' }) {
			return false
		}
	}
	return strings.ContainsFunc(labels[len(labels)-1], unicode.IsLetter)
}

func isURL(s string) bool {
	if strings.HasPrefix(s, "www.") {
		return isDomain(strings.SplitN(s, "/", 2)[0])
	}
	if !strings.Contains(s, "://") || strings.ContainsAny(s, " \n\t") {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && u.Host != ""
}

func isIP(s string) bool {
	if !strings.ContainsAny(s, ".:") || !isHex(s[0]) && s[0] != ':' {
		return false // ParseAddr makes an error for each, which costs
	}
	_, err := netip.ParseAddr(s)
	return err == nil
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range 36 {
		c := s[i]
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !isHex(c) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|32 >= 'a' && c|32 <= 'f' }

func isJSON(s string) bool {
	if len(s) < 2 || s[0] != '{' && s[0] != '[' {
		return false
	}
	return json.Valid([]byte(s)) || strings.HasSuffix(s, "…")
}

// jsonKind tells lists from other JSON.
func jsonKind(sample []string) string {
	if len(sample) > 0 && all(sample, func(x string) bool { return strings.HasPrefix(strings.TrimSpace(x), "[") }) {
		return List
	}
	return JSON
}

// isPhone accepts 7 to 15 digits (ITU-T E.164) with the usual separators.
func isPhone(s string) bool {
	digits := 0
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '+' && i == 0, strings.ContainsRune(" -().\u00a0/x", r):
		default:
			return false
		}
	}
	return digits >= 7 && digits <= 15
}

// isFullPhone accepts phone numbers that nothing else looks like: international ones and North American ones with an area code.
func isFullPhone(s string) bool {
	if !isPhone(s) {
		return false
	}
	return strings.HasPrefix(s, "+") || strings.HasPrefix(s, "(") || shapeOf(s) == "9-9-9" && len(s) == 12
}

func all(texts []string, ok func(string) bool) bool {
	for _, x := range texts {
		if !ok(x) {
			return false
		}
	}
	return true
}
