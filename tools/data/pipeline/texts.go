package pipeline

import (
	"strconv"
	"strings"

	"catena/table"
)

// numberIn reads the first number of a text: "W 27–14" is 27, "1st" 1, "1,234 km" 1234. A time is its seconds:
// "1:02.5" is 62.5.
func numberIn(s string, point byte) table.Value {
	if v, ok := textNumber(s, point); ok {
		return v
	}
	s = strings.ReplaceAll(s, "\u2212", "-")
	i := strings.IndexFunc(s, func(r rune) bool { return r >= '0' && r <= '9' })
	if i < 0 {
		return table.NullValue
	}
	end := i
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || strings.IndexByte(".,:", s[end]) >= 0 && end+1 < len(s) && s[end+1] >= '0' && s[end+1] <= '9') {
		end++
	}
	if i > 0 && s[i-1] == '-' && (i == 1 || s[i-2] == ' ') {
		i--
	}
	text := plainDigits(s[i:end], point)
	if strings.Contains(text, ":") {
		return secondsOf(text)
	}
	v, err := table.ParseDecimal(text)
	if err != nil {
		return table.NullValue
	}
	return v
}

// secondsOf reads 1:02, 1:02.5 and 2:01:02.
func secondsOf(s string) table.Value {
	total := 0.0
	for _, part := range strings.Split(s, ":") {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return table.NullValue
		}
		total = total*60 + n
	}
	return table.FloatValue(total)
}

// yearIn reads the first number of four digits that may be a year, 1000 to 2999.
func yearIn(s string) table.Value {
	for i := 0; i < len(s); i++ {
		if !digit(s, i) || i > 0 && digit(s, i-1) {
			continue
		}
		n := 0
		for digit(s, i+n) {
			n++
		}
		if n == 4 && (s[i] == '1' || s[i] == '2') {
			year, err := strconv.ParseInt(s[i:i+4], 10, 64)
			if err == nil {
				return table.IntValue(year)
			}
		}
	}
	return table.NullValue
}

func digit(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }
