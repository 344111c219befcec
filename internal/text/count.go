package text

import "strconv"

// Count is a number with what it counts: "1 row", "0 rows", "14,832 rows". The plural of what is one has an s.
func Count(n int, one string) string { return CountOf(n, one, one+"s") }

// CountOf is Count with the plural said: "1 memory", "5 memories".
func CountOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + many
}

// Are is Count with the verb: "1 row is", "2 rows are".
func Are(n int, one string) string {
	if n == 1 {
		return "1 " + one + " is"
	}
	return Count(n, one) + " are"
}

// Was is the verb in the past of so many things: was of one, else were.
func Was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// Thousands writes 14832 as 14,832.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Bytes is a size in whole MiB or KiB where it is one, else in bytes.
func Bytes(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return strconv.FormatInt(n>>20, 10) + " MiB"
	case n >= 1<<10 && n%(1<<10) == 0:
		return strconv.FormatInt(n>>10, 10) + " KiB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
