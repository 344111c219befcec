package number

import (
	"errors"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// compactForm is how numbers of one magnitude are shortened: 10^5 in English is "000K", so that 123456 is 123 and a K
// behind it.
type compactForm struct {
	digits int // of the whole part that is shown; 0 keeps the number as it is
	forms  [6]*affixes
}

// affixes stand around a number. bare forms have no number: Italian 1000 is "mille".
type affixes struct {
	prefix, suffix   string
	nprefix, nsuffix string
	bare             bool
}

var pluralNames = [...]string{"zero", "one", "two", "few", "many", "other"}

// pluralIndex is the place of a plural form in pluralNames.
func pluralIndex(f plural.Form) int {
	switch f {
	case plural.Zero:
		return 0
	case plural.One:
		return 1
	case plural.Two:
		return 2
	case plural.Few:
		return 3
	case plural.Many:
		return 4
	}
	return 5
}

// pluralOf is the plural form of a number as it is shown: its whole digits and those after the point.
func pluralOf(lang language.Tag, n *num, fraction int) int {
	digits := make([]byte, 0, 24)
	for i := range max(n.point, 0) + fraction {
		if n.point < 0 && i < -n.point {
			digits = append(digits, 0)
			continue
		}
		digits = append(digits, n.digit(i+min(n.point, 0))-'0')
	}
	if n.point < 0 {
		digits = digits[:fraction]
	}
	return pluralIndex(plural.Cardinal.MatchDigits(lang, digits, max(n.point, 0), fraction))
}

func compactForms(from []map[string]string) ([]compactForm, error) {
	out := make([]compactForm, len(from))
	for i, forms := range from {
		if forms["other"] == "" {
			return nil, errors.New("compact form without other")
		}
		for k, name := range pluralNames {
			text := forms[name]
			if text == "" {
				text = forms["other"]
			}
			a, digits := parseCompact(text)
			out[i].forms[k] = a
			if name == "other" && text != "0" {
				out[i].digits = digits
			}
		}
	}
	return out, nil
}

// parseCompact reads a form such as 00 Mio'.' ¤ and counts its zeros.
func parseCompact(text string) (*affixes, int) {
	pos, neg, hasNeg := strings.Cut(text, ";")
	var a affixes
	prefix, rest := affix(pos)
	zeros := len(rest) - len(strings.TrimLeft(rest, "0"))
	a.prefix, a.bare = prefix, zeros == 0
	a.suffix, _ = affix(rest[zeros:])
	a.nprefix, a.nsuffix = "-"+a.prefix, a.suffix
	if hasNeg {
		a.nprefix, rest = affix(neg)
		a.nsuffix, _ = affix(strings.TrimLeft(rest, "0"))
	}
	return &a, zeros
}

// compactFor is the form for a number and the power of ten that it takes away; nil and 0 when the number is written as
// it is.
func compactFor(forms []compactForm, n *num) (*compactForm, int) {
	e := n.exponent()
	if e < 3 || len(forms) == 0 {
		return nil, 0
	}
	at := min(e-3, len(forms)-1)
	form := &forms[at]
	if form.digits == 0 {
		return nil, 0
	}
	return form, at + 3 - form.digits + 1
}
