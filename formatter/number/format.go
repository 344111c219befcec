package number

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Format says how a number is written. It is a small value: parse it once and use it for many numbers, from several
// goroutines. The zero Format writes the canonical digits. Parse, ParseD3 and ParsePattern make one from text; the
// fields and the With methods adjust it.
type Format struct {
	Fill  rune // stands before and behind a number that is narrower than Width; 0 is a space
	Align byte // '<' left, '>' right, '^' centre, '=' between sign and digits; 0 is right
	// '-' negative only, '+' both, ' ' a space before positive ones, '(' parentheses, 'a' as the locale's accounting
	// does; 0 is '-'
	Sign      byte
	Unsigned0 bool // a number that is rounded to zero has no sign, neither - nor +
	// '$' currency symbol, 'c' currency code, 'w' name of the currency, '#' prefix of the base, and zeros kept by g; 0
	// is none
	Symbol    byte
	Zero      bool // zeros between sign and digits up to Width
	Width     int  // characters at least
	Group     byte // ',' by the locale, '_' an underscore between groups of three; 0 is none
	Precision int  // digits after the point, or significant ones, by Type; -1 is the type's default
	Trim      bool // no zeros at the end of a fraction
	Type      byte // one of Types; 0 writes the digits that the number has
	Percent   bool // a percent sign behind a number that is in percent already

	Currency string    // ISO 4217 code for Symbol; "" writes no symbol
	Minus    MinusSign // which sign negative numbers carry
	// no space between the digits and a symbol of letters where the locale's pattern has none: CHF1 for CHF 1
	Tight bool

	digits    int // after the point, or significant ones, by Type; WithPrecision sets them
	hasDigits bool
	d3        bool // rules of d3-format where they differ
	pattern   *pattern
}

// Types are the letters that Type may be.
const Types = "eEfFgGdnrskK%pboxX"

// MinusSign is the character for negative numbers.
type MinusSign byte

// Which minus: the locale's (zero value), - in every locale, or U+2212 in every locale.
const (
	LocaleMinus MinusSign = iota
	ASCIIMinus
	TypographicMinus
)

// Limits of a specification.
const (
	maxWidth     = 1000
	maxPrecision = 400
)

// SyntaxError says what is wrong with a specification. Test for it with errors.As.
type SyntaxError struct {
	Spec   string
	Reason string
}

func (e *SyntaxError) Error() string {
	return "number format " + strconv.Quote(e.Spec) + ": " + e.Reason
}

// Fixed is the format with n digits after the point, grouped by the locale or not: ",.2f".
func Fixed(n int, group bool) Format {
	f := Format{Type: 'f'}.WithPrecision(n)
	if group {
		f.Group = ','
	}
	return f
}

// WithPrecision gives the format n digits after the point, or n significant ones, by its type; a negative n is the
// type's default.
func (f Format) WithPrecision(n int) Format {
	f.digits, f.hasDigits = max(min(n, maxPrecision), 0), n >= 0
	return f
}

// WithCurrency says which currency the symbol stands for.
func (f Format) WithCurrency(code string) Format {
	f.Currency = code
	return f
}

// WithMinus chooses the minus sign.
func (f Format) WithMinus(m MinusSign) Format {
	f.Minus = m
	return f
}

// precision is the digits asked for, or what the type has without.
func (f *Format) precision(otherwise int) int {
	if f.hasDigits {
		return f.digits
	}
	return otherwise
}

// String is the specification: Parse(f.String()) equals f but for Currency, Minus and Tight, which are no part of it.
// For a format of ParseD3 or ParsePattern it is the text that was parsed, in its canonical order.
func (f Format) String() string {
	if f.pattern != nil {
		return f.pattern.text
	}
	var b strings.Builder
	if f.Align != 0 {
		if f.Fill != 0 {
			b.WriteRune(f.Fill)
		}
		b.WriteByte(f.Align)
	}
	if f.Sign != 0 {
		b.WriteByte(f.Sign)
	}
	if f.Unsigned0 && !f.d3 {
		b.WriteByte('z')
	}
	switch f.Symbol {
	case '$', '#':
		b.WriteByte(f.Symbol)
	case 'c':
		b.WriteString("$$")
	case 'w':
		b.WriteString("$$$")
	}
	if f.Zero {
		b.WriteByte('0')
	}
	if f.Width > 0 {
		b.WriteString(strconv.Itoa(f.Width))
	}
	if f.Group != 0 {
		b.WriteByte(f.Group)
	}
	if f.hasDigits {
		b.WriteString("." + strconv.Itoa(f.digits))
	}
	if f.Trim {
		b.WriteByte('~')
	}
	if f.Type != 0 {
		b.WriteByte(f.Type)
	}
	if f.Percent {
		b.WriteByte('%')
	}
	return b.String()
}

// Parse reads a specification in the grammar of this package. The error is a *SyntaxError.
func Parse(spec string) (Format, error) {
	s := scanner{rest: spec}
	f := s.common()
	f.Percent = f.Type != '%' && s.take('%')
	err := s.check(spec, &f)
	return f, err
}

// ParseD3 reads a specification of d3-format 3 (https://d3js.org/d3-format), by its rules: exponents have as few digits
// as they need, g keeps zeros at the end, ties are rounded away from zero, -0 is 0 unless the sign is shown. "$" stands
// for US dollars unless WithCurrency says otherwise, as in d3's own locale. The error is a *SyntaxError.
func ParseD3(spec string) (Format, error) {
	s := scanner{rest: spec}
	f := s.common()
	f.d3, f.Minus = true, TypographicMinus
	f.Unsigned0 = f.Sign != '+'
	if f.Symbol == '$' {
		f.Currency = "USD"
	}
	if err := s.check(spec, &f); err != nil {
		return f, err
	}
	if f.Group == '_' || f.Sign == 'a' || strings.IndexByte("cw", f.Symbol) >= 0 && f.Symbol != 0 ||
		strings.IndexByte("kKEFG", f.Type) >= 0 && f.Type != 0 {
		return Format{}, &SyntaxError{spec, "is no format of d3"}
	}
	return f, nil
}

// scanner reads a specification from the left.
type scanner struct {
	rest   string
	reason string
}

func (s *scanner) take(c byte) bool {
	if s.rest == "" || s.rest[0] != c {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

// oneOf takes a character of set, 0 when there is none.
func (s *scanner) oneOf(set string) byte {
	if s.rest == "" || strings.IndexByte(set, s.rest[0]) < 0 {
		return 0
	}
	c := s.rest[0]
	s.rest = s.rest[1:]
	return c
}

// number takes digits, -1 when there are none.
func (s *scanner) number(limit int) int {
	n, i := 0, 0
	for i < len(s.rest) && s.rest[i]-'0' < 10 {
		if n = n*10 + int(s.rest[i]-'0'); n > limit {
			s.reason = "a width or precision is greater than " + strconv.Itoa(limit)
			return -1
		}
		i++
	}
	if i == 0 {
		return -1
	}
	s.rest = s.rest[i:]
	return n
}

const aligns = "<>^="

// common reads what all dialects share: [[fill]align][sign][z][symbol][0][width][grouping][.precision][~][type].
func (s *scanner) common() Format {
	f := Format{}
	if r, n := utf8.DecodeRuneInString(s.rest); n > 0 && n < len(s.rest) && strings.IndexByte(aligns, s.rest[n]) >= 0 &&
		(r != utf8.RuneError || n > 1) {
		f.Fill, f.Align = r, s.rest[n]
		s.rest = s.rest[n+1:]
	} else {
		f.Align = s.oneOf(aligns)
	}
	f.Sign = s.oneOf("-+ (a")
	f.Unsigned0 = s.take('z')
	switch {
	case strings.HasPrefix(s.rest, "$$$"):
		f.Symbol, s.rest = 'w', s.rest[3:]
	case strings.HasPrefix(s.rest, "$$"):
		f.Symbol, s.rest = 'c', s.rest[2:]
	default:
		f.Symbol = s.oneOf("$#")
	}
	f.Zero = s.take('0')
	f.Width = max(s.number(maxWidth), 0)
	f.Group = s.oneOf(",_")
	if s.take('.') {
		n := s.number(maxPrecision)
		if n < 0 && s.reason == "" {
			s.reason = "a point must be followed by the number of digits"
		}
		f = f.WithPrecision(n)
	}
	f.Trim = s.take('~')
	f.Type = s.oneOf(Types)
	return f
}

// check refuses what is left over, or means nothing.
func (s *scanner) check(spec string, f *Format) error {
	switch {
	case s.reason != "":
	case s.rest != "":
		s.reason = "cannot read it from " + strconv.Quote(s.rest) +
			" on; a format is [[fill]align][sign][z][symbol][0][width][grouping][.precision][~][type], as in ,.2f"
	case f.percents() && f.Symbol != 0 && !f.d3:
		s.reason = "a percentage has no symbol"
	default:
		return nil
	}
	*f = Format{}
	return &SyntaxError{spec, s.reason}
}
