package number

import (
	"strconv"
	"strings"
)

// pattern is a number pattern of CLDR (Unicode TR 35, part 3, section 3): #,##0.00 ¤;(#). Affixes hold '¤', '-', '+',
// '%' and '‰' as signs that are replaced; a literal sign of that kind is behind quote.
type pattern struct {
	text             string
	prefix, suffix   string
	nprefix, nsuffix string // of negative numbers
	shape
	expDigits int // digits of the exponent at least; 0 is no exponent
	expPlus   bool
	shift     int // 2 for percent, 3 for per mille
}

// shape is how the digits are laid out.
type shape struct {
	minInt, minFrac, maxFrac int
	minSig, maxSig           int // 0 is none
	group1, group2           int // digits of the last group and of the others; 0 is no grouping
}

// quote stands before a character of an affix that is meant as it is.
const quote = '\x01'

// ParsePattern reads a number pattern of CLDR such as #,##0.00, 0.###E0, @@#, #,##0.00 ¤;(#,##0.00 ¤) or #,##0.0 %. Its
// separators, signs and symbols are those of the locale that a number is written for. The error is a *SyntaxError.
func ParsePattern(text string) (Format, error) {
	p, err := parsePattern(text)
	if err != nil {
		return Format{}, err
	}
	return Format{pattern: p}, nil
}

func parsePattern(text string) (*pattern, error) {
	p := &pattern{text: text}
	pos, rest := affix(text)
	body := rest[:len(rest)-len(strings.TrimLeft(rest, "#0123456789,.@E+"))]
	if body == "" {
		return nil, &SyntaxError{text, "a pattern needs # or 0 for the digits, as in #,##0.00"}
	}
	if at := strings.IndexAny(body, "E+"); at >= 0 && (body[at] == '+' || !strings.ContainsAny(body[at:], "0")) {
		body = body[:at]
	}
	p.prefix = pos
	var after string
	p.suffix, after = affix(rest[len(body):])
	p.nprefix, p.nsuffix = "-"+p.prefix, p.suffix
	if neg, ok := strings.CutPrefix(after, ";"); ok {
		p.nprefix, neg = affix(neg)
		p.nsuffix, after = affix(strings.TrimLeft(neg, "#0123456789,.@E+"))
	}
	if after != "" {
		return nil, &SyntaxError{text, "cannot read it from " + strconv.Quote(after) + " on"}
	}
	switch signs := strings.ReplaceAll(p.prefix+p.suffix, string(quote)+"%", ""); {
	case strings.Contains(signs, "%"):
		p.shift = 2
	case strings.Contains(signs, "‰"):
		p.shift = 3
	}
	return p, p.parseBody(text, body)
}

// affix reads what stands before or behind the digits, without the quotes.
func affix(s string) (text, rest string) {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\'' && i+1 < len(s) && s[i+1] == '\'':
			b.WriteByte('\'')
			i++
		case c == '\'':
			quoted = !quoted
		case !quoted && strings.IndexByte("#0123456789,.@;", c) >= 0:
			return b.String(), s[i:]
		case quoted && strings.IndexByte("-+%", c) >= 0, c == quote:
			b.WriteByte(quote)
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}

// parseBody reads the part with the digits.
func (p *pattern) parseBody(text, body string) error {
	mantissa, exp, scientific := strings.Cut(body, "E")
	if scientific {
		exp, p.expPlus = strings.CutPrefix(exp, "+")
		if p.expDigits = len(exp); exp == "" || strings.Trim(exp, "0") != "" || len(exp) > 9 {
			return &SyntaxError{text, "an exponent is E and zeros, as in 0.###E0"}
		}
	}
	whole, frac, _ := strings.Cut(mantissa, ".")
	if strings.ContainsAny(frac, ".@") || strings.Contains(whole, "@") && strings.Contains(body, "0") ||
		len(body) > 100 {
		return &SyntaxError{text, "the digits are #, 0 and one point, or @ and #"}
	}
	if at := strings.LastIndexByte(whole, ','); at >= 0 {
		p.group1 = len(whole) - at - 1
		p.group2 = p.group1
		if at2 := strings.LastIndexByte(whole[:at], ','); at2 >= 0 {
			p.group2 = at - at2 - 1
		}
		if p.group1 == 0 || p.group2 == 0 {
			return &SyntaxError{text, "a comma must be followed by digits"}
		}
	}
	if strings.Contains(whole, "@") {
		p.minSig = strings.Count(whole, "@")
		p.maxSig = p.minSig + strings.Count(whole[strings.IndexByte(whole, '@'):], "#")
	}
	p.minInt = strings.Count(whole, "0")
	p.minFrac = strings.Count(frac, "0")
	p.maxFrac = p.minFrac + strings.Count(frac, "#")
	return nil
}
