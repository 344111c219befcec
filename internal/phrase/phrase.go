// Package phrase makes the small parts of messages: counts with their nouns, sizes, shortened texts. It also reads the lists of words that rules are written as.
package phrase

import (
	"strconv"
	"strings"
)

// Counted is a number with what it counts: 1 row, 2 rows.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
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

// Set is the words of a list that bars part, without the spaces around them.
func Set(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Split(list, "|") {
		out[strings.TrimSpace(w)] = true
	}
	return out
}

// Clip shortens a text to at most limit bytes, cut between characters, and an ellipsis.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
