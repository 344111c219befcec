package index

import "strings"

// stem cuts a lower-case English word to what its inflections share: parse, parses, parsed, parsing and parser are pars. It is
// the steps 1 and 5a of Porter (An algorithm for suffix stripping, 1980) with three endings more that names of code have: -er,
// -ion after s or t, and -ly. Words of three letters and fewer, and words that are not plain ASCII letters, stay as they are.
func stem(w string) string {
	if len(w) <= 3 || !plainLetters(w) {
		return w
	}
	w = singular(w)
	switch {
	case strings.HasSuffix(w, "eed"):
	case cut(&w, "ing", 2), cut(&w, "ed", 3), cut(&w, "er", 4):
		w = undouble(w)
	case (strings.HasSuffix(w, "tion") || strings.HasSuffix(w, "sion")) && cut(&w, "ion", 4), cut(&w, "ly", 4):
	}
	if len(w) > 3 || strings.HasSuffix(w, "se") && len(w) == 3 {
		w = strings.TrimSuffix(w, "e")
	}
	if n := len(w); n > 3 && w[n-1] == 'y' && !vowel(w[n-2]) {
		w = w[:n-1] + "i"
	}
	return w
}

func singular(w string) string {
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"),
		strings.HasSuffix(w, "zzes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	}
	return strings.TrimSuffix(w, "s")
}

// cut takes an ending off where at least that many letters with a vowel stay.
func cut(w *string, ending string, least int) bool {
	rest, ok := strings.CutSuffix(*w, ending)
	if !ok || len(rest) < least || !strings.ContainsAny(rest, "aeiouy") {
		return false
	}
	*w = rest
	return true
}

// undouble makes scann (of scanner) scan, but leaves call, pass and fuzz.
func undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) && !vowel(w[n-1]) {
		return w[:n-1]
	}
	return w
}

func vowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

func plainLetters(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}
