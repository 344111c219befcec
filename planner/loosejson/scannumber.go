package loosejson

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// maxDigits bounds a number's text: no number of a plan needs more.
const maxDigits = 100

// number reads a number and keeps it exactly as written where JSON has it so. Written otherwise are +3, .5, 5. and 1_000.
func (p *scanner) number() any {
	start := p.i
	for p.i < len(p.s) && strings.IndexByte("+-0123456789.eE_", p.s[p.i]) >= 0 {
		p.i++
	}
	text := p.s[start:p.i]
	if (text == "-" || text == "+") && strings.HasPrefix(p.s[p.i:], "Infinity") {
		p.i += len("Infinity")
		p.add(TypeMismatch, "%sInfinity is no JSON number; write a number", text)
		return nil
	}
	if !json.Valid([]byte(text)) {
		plain := plainly(text)
		if plain == "" {
			if p.i >= len(p.s) {
				p.fail(Truncated, "the text ends inside a number; write the whole plan")
			} else {
				p.fail(Syntax, "%s is no JSON number", Shown(text))
			}
			return nil
		}
		p.faults |= oddNumber
		text = plain
	}
	if why := BadNumber(text); why != "" {
		p.add(OutOfRange, "%s", why)
		return json.Number("0")
	}
	return json.Number(text)
}

var oddNumbers = regexp.MustCompile(`^([+-]?)(0|[1-9][0-9]*(?:_[0-9]{3})*)?(?:\.([0-9]*))?((?:[eE][+-]?[0-9]+)?)$`)

// plainly writes a number of Python or JavaScript as JSON does, "" when it has no one reading.
func plainly(text string) string {
	m := oddNumbers.FindStringSubmatch(text)
	if m == nil || m[2] == "" && m[3] == "" {
		return ""
	}
	out := strings.TrimPrefix(m[1], "+") + strings.ReplaceAll(m[2], "_", "")
	if m[2] == "" {
		out += "0"
	}
	if m[3] != "" {
		out += "." + m[3]
	}
	return out + m[4]
}

// BadNumber says why a number, as JSON writes it, cannot be worked with, "" where it can: an exponent that exact arithmetic would have to write out in digits,
// or more digits than any value has.
func BadNumber(text string) string {
	if len(text) > maxDigits {
		return fmt.Sprintf("a number may have %d digits at most", maxDigits)
	}
	if k := strings.IndexAny(text, "eE"); k >= 0 {
		e, err := strconv.Atoi(strings.TrimPrefix(text[k+1:], "+"))
		if err != nil || e > 308 || e < -324 {
			return "the number " + text + " is beyond the range of numbers; write one between -1e308 and 1e308"
		}
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return "the number " + text + " is beyond the range of numbers; write one between -1e308 and 1e308"
		}
	}
	return ""
}
