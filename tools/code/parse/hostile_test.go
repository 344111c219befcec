package parse

import (
	"context"
	"errors"
	"runtime"
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
		{"open brackets", r("[", n)},
		{"open angles", r("<", n)},
		{"tiny functions", "package p\n" + r("func f(){}\n", n)},
		{"tiny Python functions", r("def f(): pass\n", n)},
		{"Go imports", "package p\n" + r("import \"a\"\n", n)},
		{"imports", r("import a\n", n)},
		{"uses", r("use a::b;\n", n)},
		{"includes", r("#include <a>\n", n)},
		{"requires", r("require 'a'\n", n)},
		{"assignments", "package p\nfunc f(){" + r("a:=b;", n) + "}"},
		{"semicolons", "package p\nfunc f(){" + r(";", n)},
		{"triple quotes", r("x = \"\"\"\n", n)},
		{"raw strings", r("r#\"", n)},
		{"here documents", r("cat <<A\n", n)},
		{"dollar quotes", r("$a$ $b$ ", n)},
		{"JSON lists", r("[1,", n)},
		{"JSON objects", r("{\"a\":", n)},
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

// How much the tests of time and memory read: bytes of brackets, repetitions of what is hostile. See race_test.go.
var bracketBytes, manyTimes = 2 << 20, 5_000

// Any parser reads what is large in time and memory that grow as it does: this test ends soon or never.
func TestLargeHostileSources(t *testing.T) {
	for _, h := range hostile(manyTimes) {
		for _, name := range fuzzNames {
			checkFile(t, h.name+" as "+name, []byte(h.src), byRules(name, []byte(h.src)))
			f, err := parseWatched(t, name, []byte(h.src))
			if err != nil {
				t.Fatalf("%s as %s: %v", h.name, name, err)
			}
			checkFile(t, h.name+" as "+name, []byte(h.src), f)
		}
	}
}

// Sources as large as a workspace takes them, of the brackets that made most of an index's memory, in every language.
func TestMemoryOfBrackets(t *testing.T) {
	for _, piece := range []string{"{", "(", "[", "({[", "}", "a:=b;"} {
		src := []byte(strings.Repeat(piece, bracketBytes/len(piece)))
		for _, name := range fuzzNames {
			if _, err := parseWatched(t, name, src); err != nil {
				t.Fatalf("%q as %s: %v", piece, name, err)
			}
		}
	}
}

// parseWatched is Parse, and fails where it takes more memory than a source of that size may. What is freed meanwhile counts too, and
// so does what other goroutines of the test take.
func parseWatched(t *testing.T, name string, src []byte) (File, error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, err := Parse(context.Background(), name, src)
	runtime.ReadMemStats(&after)
	if took, most := after.TotalAlloc-before.TotalAlloc, uint64(4<<20+MemoryPerByte*len(src)); took > most {
		t.Errorf("%d bytes as %s, %.20q and so on, took %d bytes of memory, at most %d", len(src), name, src, took, most)
	}
	return f, err
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

// What goes on when nobody waits any more ends within a few thousand tokens.
func TestCancelledMeanwhile(t *testing.T) {
	src := strings.Repeat("f(a, b);\n", 200_000)
	for _, name := range []string{"a.js", "a.py", "a.sql", "a.c"} {
		ctx := &endingContext{Context: t.Context(), looks: 3}
		if _, err := Parse(ctx, name, []byte(src)); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if ctx.looks > 0 {
			t.Errorf("%s: nobody looks whether the request has ended", name)
		}
	}
}

// endingContext ends after it was asked some times whether it has.
type endingContext struct {
	context.Context
	looks int
}

func (c *endingContext) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
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
