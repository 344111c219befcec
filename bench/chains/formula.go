package main

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// A formula is an arithmetic expression over named numbers, in Python's syntax and with its whole numbers: those stay exact
// until a division or a function of the reals. The tools of the math chains are given as such.
type formula func(names map[string]number) number

// number is a whole number of any size, or a double.
type number struct {
	whole *big.Int // nil for a double
	real  float64
}

func wholeNumber(i int64) number { return number{whole: big.NewInt(i)} }

func (n number) float() float64 {
	if n.whole == nil {
		return n.real
	}
	f, _ := new(big.Float).SetInt(n.whole).Float64()
	return f
}

// truncated is Python's int(n).
func (n number) truncated() *big.Int {
	if n.whole != nil {
		return n.whole
	}
	if math.IsNaN(n.real) || math.IsInf(n.real, 0) {
		return new(big.Int)
	}
	i, _ := big.NewFloat(n.real).Int(nil)
	return i
}

// parseFormula reads an expression of + - * / // % **, unary minus, parentheses, numbers, names and the functions below.
func parseFormula(text string) (formula, error) {
	p := &formulaParser{text: text}
	f, err := p.sum()
	if err == nil && p.peek() != 0 {
		err = fmt.Errorf("what is %q?", p.text[p.at:])
	}
	if err != nil {
		return nil, fmt.Errorf("formula %q: %w", text, err)
	}
	return f, nil
}

type formulaParser struct {
	text string
	at   int
}

// peek gives the next character that is no space, 0 at the end.
func (p *formulaParser) peek() byte {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// take moves over a sign, the longest that fits.
func (p *formulaParser) take(signs ...string) string {
	p.peek()
	for _, s := range signs {
		if strings.HasPrefix(p.text[p.at:], s) {
			p.at += len(s)
			return s
		}
	}
	return ""
}

func (p *formulaParser) sum() (formula, error) {
	return p.chain(p.product, "+", "-")
}

func (p *formulaParser) product() (formula, error) {
	return p.chain(p.sign, "//", "/", "%", "*")
}

// chain reads operands between signs of one rank, which bind to the left.
func (p *formulaParser) chain(operand func() (formula, error), signs ...string) (formula, error) {
	left, err := operand()
	for err == nil {
		sign := p.take(signs...)
		if sign == "" {
			return left, nil
		}
		a := left
		var b formula
		b, err = operand()
		left = func(n map[string]number) number { return operators[sign](a(n), b(n)) }
	}
	return nil, err
}

func (p *formulaParser) sign() (formula, error) {
	if p.take("-") == "" {
		return p.power()
	}
	f, err := p.sign()
	return func(n map[string]number) number { return operators["-"](wholeNumber(0), f(n)) }, err
}

func (p *formulaParser) power() (formula, error) {
	base, err := p.atom()
	if err != nil || p.take("**") == "" {
		return base, err
	}
	exponent, err := p.sign() // binds to the right, and weaker than a sign there
	return func(n map[string]number) number { return power(base(n), exponent(n)) }, err
}

func (p *formulaParser) atom() (formula, error) {
	if p.take("(") != "" {
		f, err := p.sum()
		if err == nil && p.take(")") == "" {
			err = fmt.Errorf("a ) is missing")
		}
		return f, err
	}
	p.peek()
	start := p.at
	for p.at < len(p.text) && wordByte(p.text[p.at]) {
		p.at++
	}
	word := p.text[start:p.at]
	switch {
	case word == "":
		return nil, fmt.Errorf("an operand is missing at %d", start)
	case word[0] <= '9':
		n, err := parseNumber(word)
		return func(map[string]number) number { return n }, err
	case p.peek() == '(':
		return p.call(word)
	case word == "pi":
		return func(map[string]number) number { return number{real: math.Pi} }, nil
	}
	return func(names map[string]number) number { return names[word] }, nil
}

func (p *formulaParser) call(name string) (formula, error) {
	f, ok := functions[name]
	if !ok {
		return nil, fmt.Errorf("the function %s is not known", name)
	}
	p.take("(")
	var args []formula
	for {
		a, err := p.sum()
		if err != nil {
			return nil, err
		}
		args = append(args, a)
		if p.take(",") == "" {
			break
		}
	}
	if p.take(")") == "" || len(args) != f.takes {
		return nil, fmt.Errorf("%s takes %d operands in parentheses", name, f.takes)
	}
	return func(n map[string]number) number {
		values := make([]number, len(args))
		for i, a := range args {
			values[i] = a(n)
		}
		return f.do(values)
	}, nil
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.'
}

func parseNumber(s string) (number, error) {
	if i, ok := new(big.Int).SetString(s, 10); ok {
		return number{whole: i}, nil
	}
	f, err := strconv.ParseFloat(s, 64)
	return number{real: f}, err
}

// operators of two operands: exact for two whole numbers, but for /.
var operators = map[string]func(a, b number) number{
	"+": exact((*big.Int).Add, func(a, b float64) float64 { return a + b }),
	"-": exact((*big.Int).Sub, func(a, b float64) float64 { return a - b }),
	"*": exact((*big.Int).Mul, func(a, b float64) float64 { return a * b }),
	"/": func(a, b number) number {
		if a.whole != nil && b.whole != nil && b.whole.Sign() != 0 {
			q, _ := new(big.Rat).SetFrac(a.whole, b.whole).Float64()
			return number{real: q}
		}
		return number{real: a.float() / b.float()}
	},
	"//": func(a, b number) number {
		if a.whole != nil && b.whole != nil && b.whole.Sign() != 0 {
			q, m := new(big.Int).DivMod(a.whole, b.whole, new(big.Int))
			if m.Sign() != 0 && b.whole.Sign() < 0 { // DivMod rounds so that m is not negative
				q.Sub(q, big.NewInt(1))
			}
			return number{whole: q}
		}
		return number{real: math.Floor(a.float() / b.float())}
	},
	"%": func(a, b number) number {
		r := math.Mod(a.float(), b.float())
		if r != 0 && (r < 0) != (b.float() < 0) {
			r += b.float()
		}
		return number{real: r}
	},
}

func exact(whole func(z, x, y *big.Int) *big.Int, real func(a, b float64) float64) func(a, b number) number {
	return func(a, b number) number {
		if a.whole != nil && b.whole != nil {
			return number{whole: whole(new(big.Int), a.whole, b.whole)}
		}
		return number{real: real(a.float(), b.float())}
	}
}

// maxExponent bounds exact powers and factorials.
const maxExponent = 10_000

func power(a, b number) number {
	if a.whole != nil && b.whole != nil && b.whole.Sign() >= 0 && b.whole.Cmp(big.NewInt(maxExponent)) <= 0 {
		return number{whole: new(big.Int).Exp(a.whole, b.whole, nil)}
	}
	return number{real: math.Pow(a.float(), b.float())}
}

type function struct {
	takes int
	do    func([]number) number
}

func real1(f func(float64) float64) function {
	return function{1, func(v []number) number { return number{real: f(v[0].float())} }}
}

var functions = map[string]function{
	"sqrt":  real1(math.Sqrt),
	"log":   real1(math.Log),
	"floor": {1, func(v []number) number { return number{real: math.Floor(v[0].float())} }},
	"int":   {1, func(v []number) number { return number{whole: v[0].truncated()} }},
	"abs": {1, func(v []number) number {
		if v[0].whole != nil {
			return number{whole: new(big.Int).Abs(v[0].whole)}
		}
		return number{real: math.Abs(v[0].real)}
	}},
	"max":       {2, func(v []number) number { return number{real: math.Max(v[0].float(), v[1].float())} }},
	"min":       {2, func(v []number) number { return number{real: math.Min(v[0].float(), v[1].float())} }},
	"gcd":       {2, func(v []number) number { return number{whole: gcd(v[0].truncated(), v[1].truncated())} }},
	"comb":      {2, func(v []number) number { return choose(v[0].truncated(), v[1].truncated()) }},
	"factorial": {1, func(v []number) number { return factorial(v[0].truncated()) }},
}

func gcd(a, b *big.Int) *big.Int {
	return new(big.Int).GCD(nil, nil, new(big.Int).Abs(a), new(big.Int).Abs(b))
}

func choose(n, k *big.Int) number {
	if k.Sign() < 0 || k.Cmp(n) > 0 {
		return wholeNumber(0)
	}
	if !n.IsInt64() || n.Int64() > 1<<31 || k.Int64() > maxExponent && n.Int64()-k.Int64() > maxExponent {
		return number{real: math.NaN()}
	}
	return number{whole: new(big.Int).Binomial(n.Int64(), k.Int64())}
}

func factorial(n *big.Int) number {
	if n.Sign() < 0 || n.Cmp(big.NewInt(maxExponent)) > 0 {
		return number{real: math.NaN()}
	}
	return number{whole: new(big.Int).MulRange(1, n.Int64())}
}
