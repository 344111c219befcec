package parse

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// hostileSource is a source that is not what a parser hopes for.
type hostileSource struct{ name, src string }

// hostile gives such sources; n says how large they are.
func hostile(n int) []hostileSource {
	r := strings.Repeat
	return []hostileSource{
		{"nothing", ""},
		{"blank", "\n\n \n\t\n"},
		{"parentheses", "package p\nvar x = " + r("(", n) + "1" + r(")", n) + "\n"},
		{"open parentheses", "package p\nvar x = " + r("(", n)},
		{"open braces", "func f() " + r("{", n)},
		{"closing braces", r("}", n)},
		{"mixed brackets", r("([{", n) + r(")", n)},
		{"closing mixed", r("({[", n) + r("})]", n)},
		{"blocks", "package p\nfunc f() {" + r("if x {", n) + r("}", n) + "}\n"},
		{"functions in functions", r("function f(a) {\n", n) + r("}\n", n)},
		{"classes in classes", r("class A {\n", n) + r("}\n", n)},
		{"python blocks", blocks(min(n, 300))},
		{"else if", "package p\nfunc f() { if a {} " + r("else if b {} ", n) + "}\n"},
		{"additions", "package p\nvar x = 1" + r(" + 1", n) + "\n"},
		{"logic", "package p\nvar x = a" + r(" && b || c", n) + "\n"},
		{"selectors", "x = a" + r(".b", n)},
		{"calls on one line", r("f(x);", n)},
		{"names on one line", r("Aa Bb ", n)},
		{"comments on one line", r(" ", n) + r("/*x*/", n) + "\nfunc f() {}\n"},
		{"line comments", r("// x\n", n) + "func f() {}\n"},
		{"comments and functions", r("// x\nfunc f() {}\n", n)},
		{"open strings", r("x = \"\n", n)},
		{"quotes", r("\"'`", n)},
		{"open comment", r("x\n", n) + "/* " + r("x\n", n)},
		{"nested comments", r("/*", n)},
		{"templates", r("`${", n)},
		{"headings", r("# a\n## b\n", n)},
		{"decorators", r("@a\n", n) + "def f(): pass\n"},
		{"angles", "class A" + r("<A", n) + r(">", n) + " {}"},
		{"generics", r("fn f<", n)},
		{"slashes", r("/ ", n)},
		{"arrows", "const f = " + r("a => ", n) + "1"},
		{"objects", "const o = " + r("{a: ", n) + "1" + r("}", n)},
		{"values", "x = " + r("{}", n)},
		{"declarations", r("var a, b, c = 1, 2, 3\n", n)},
		{"NUL", "package p\x00\nfunc f() {}\n" + r("\x00", n)},
		{"invalid UTF-8", "package p\n// \xff\xfe\xc3\nfunc f\xff() {}\n" + r("\xc3(", n)},
		{"UTF-16", "\xff\xfep\x00a\x00c\x00k\x00a\x00g\x00e\x00 \x00p\x00\n\x00" + r("\n\x00", n)},
		{"UTF-16 cut", "\xfe\xff\x00p\x00"},
		{"byte order mark", "\xef\xbb\xbfpackage p\nfunc f() {}\n"},
		{"CR", r("func f() {\r}\r", n)},
		{"CRLF", r("func f() {\r\n}\r\n", n)},
		{"long line", "x = '" + r("x", 100*n) + "'"},
		{"long name", "func " + r("x", 100*n) + "() {}"},
		{"odd spaces", r("\u2028\u00a0\v\f\n", n)},
		{"backslashes", r("\\\n", n)},
		{"directives", r("#define A \\\n", n) + r("#include \"\n", n)},
	}
}

func blocks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "def f():\n")
	}
	return b.String()
}

func TestHostileSources(t *testing.T) {
	for _, n := range []int{1, 50, 400} {
		for _, h := range hostile(n) {
			for _, name := range fuzzNames {
				f, err := Parse(context.Background(), name, []byte(h.src))
				if err != nil {
					t.Fatalf("%s as %s: %v", h.name, name, err)
				}
				checkFile(t, h.name+" as "+name, []byte(h.src), f)
			}
		}
	}
}

// The rules and go/ast read what is large in time that grows as it does: this test ends soon or never.
func TestLargeHostileSources(t *testing.T) {
	for _, h := range hostile(5_000) {
		for _, name := range fuzzNames {
			checkFile(t, h.name+" as "+name, []byte(h.src), byRules(name, []byte(h.src)))
		}
		f, err := Parse(context.Background(), "a.go", []byte(h.src))
		if err != nil {
			t.Fatalf("%s: %v", h.name, err)
		}
		checkFile(t, h.name, []byte(h.src), f)
	}
}

func TestTooLarge(t *testing.T) {
	if _, err := Parse(context.Background(), "a.txt", make([]byte, MaxFileSize+1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v, want ErrTooLarge", err)
	}
	f, err := Parse(context.Background(), "a.go", []byte("package p\n"+strings.Repeat("func f() { g(1, 2) }\n", 100_000)))
	if err != nil || f.Lines != 100_001 || len(f.Symbols) != MaxSymbols || !f.Truncated {
		t.Errorf("100,000 functions: %v, %d lines, %d symbols, truncated %v", err, f.Lines, len(f.Symbols), f.Truncated)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, name := range fuzzNames {
		if _, err := Parse(ctx, name, []byte("x")); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want that of the context", name, err)
		}
	}
}
