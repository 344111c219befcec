package parse

import (
	"context"
	"math"
	"testing"
)

// The examples are counted by hand, by the rules of Campbell's paper (Cognitive Complexity, 2018): one for each break in the flow,
// one more for each level that it is nested in, one for a sequence of the same logical operators.
func TestMetricsByHand(t *testing.T) {
	for _, c := range []struct {
		name, file, src                string
		cyclomatic, cognitive, nesting int
		rules                          bool // simple enough for the lexical rules too
	}{
		{"Go: the paper's sumOfPrimes", "a.go", `package p
func sumOfPrimes(max int) int {
	total := 0
OUT:
	for i := 1; i <= max; i++ { // +1
		for j := 2; j < i; j++ { // +2
			if i%j == 0 { // +3
				continue OUT // +1
			}
		}
		total += i
	}
	return total
}`, 4, 7, 3, false},
		{"Java: the paper's getWords", "A.java", `class A {
	String getWords(int number) {
		switch (number) { // +1
			case 1:
				return "one";
			case 2:
				return "a couple";
			case 3:
				return "a few";
			default:
				return "lots";
		}
	}
}`, 4, 1, 1, true},
		{"JavaScript: else if", "a.js", `function f(a, b) {
	if (a) { // +1
		return 1;
	} else if (b) { // +1
		return 2;
	} else { // +1
		return 3;
	}
}`, 3, 3, 1, true},
		{"JavaScript: sequences of operators", "a.js", `function f(a, b, c, d) {
	if (a && b && c || d) { // +1, +1 for &&, +1 for ||
		return 1;
	}
}`, 5, 3, 1, true},
		{"Python: nesting and except", "a.py", `def f(a, b):
    for x in a:  # +1
        try:
            if x and b:  # +2, +1
                g(x)
        except ValueError:  # +2
            pass
`, 5, 6, 2, true},
		{"C by rules", "a.c", `int f(int a) {
	while (a > 0) { /* +1 */
		if (a == 3 || a == 4) { /* +2, +1 */
			break;
		}
		a--;
	}
	return a;
}`, 4, 4, 2, true},
	} {
		usual, err := Parse(context.Background(), c.file, []byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		files := []File{usual}
		if c.rules {
			files = append(files, byRules(c.file, []byte(c.src)))
		}
		for _, f := range files {
			for _, s := range f.Symbols {
				if s.Metrics == nil {
					continue
				}
				if m := s.Metrics; m.Cyclomatic != c.cyclomatic || m.Cognitive != c.cognitive || m.Nesting != c.nesting {
					t.Errorf("%s by %s: cyclomatic %d, cognitive %d, nesting %d; want %d, %d, %d", c.name, f.Parser, m.Cyclomatic, m.Cognitive, m.Nesting,
						c.cyclomatic, c.cognitive, c.nesting)
				}
			}
		}
	}
}

// In { return a + b*a } the operators are { return + *, the operands a b a.
func TestHalsteadByHand(t *testing.T) {
	f, err := Parse(context.Background(), "a.go", []byte("package p\nfunc f(a, b int) int { return a + b*a }\n"))
	if err != nil {
		t.Fatal(err)
	}
	h := f.Symbols[0].Metrics.Halstead
	volume := 7 * math.Log2(6)
	want := Halstead{Operators: 4, Operands: 3, UniqueOperators: 4, UniqueOpds: 2, Volume: volume, Difficulty: 3, Effort: 3 * volume, Bugs: volume / 3000}
	if h != want {
		t.Errorf("%+v, want %+v", h, want)
	}
}
