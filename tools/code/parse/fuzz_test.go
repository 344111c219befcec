package parse

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fuzzNames are files of every way of reading.
var fuzzNames = []string{"a.go", "a.py", "a.js", "a.ts", "a.tsx", "a.java", "a.rs", "a.c", "a.cpp", "a.cs", "a.rb", "a.php", "a.kt", "a.swift",
	"a.sh", "a.sql", "a.md", "a.json", "a.txt"}

// FuzzParse holds what must be true of any bytes: chunks cover all lines that are not blank once and in order, ranges are within
// the file, the same source gives the same result, memory goes with the size, and nothing panics; by the usual parser and by the rules.
func FuzzParse(f *testing.F) {
	paths, err := filepath.Glob("testdata/src/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range paths {
		src, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		for i, name := range fuzzNames {
			if filepath.Ext(p) == filepath.Ext(name) {
				f.Add(uint8(i), src)
			}
		}
	}
	for _, h := range hostile(50) {
		for i := range fuzzNames {
			f.Add(uint8(i), []byte(h.src))
		}
	}
	f.Fuzz(func(t *testing.T, language uint8, src []byte) {
		name := fuzzNames[int(language)%len(fuzzNames)]
		first, err := parseWatched(t, name, src)
		if err != nil {
			t.Fatal(err)
		}
		checkFile(t, name, src, first)
		again, err := Parse(context.Background(), name, src)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(first, again); d != "" {
			t.Fatalf("another result for the same source:\n%s", d)
		}
		checkFile(t, name, src, byRules(name, src))
	})
}

// byRules reads a source by the lexical rules, whatever its language has.
func byRules(name string, src []byte) File {
	text := Text(src)
	b := &builder{ctx: context.Background(), raw: text, src: newSource(string(text))}
	b.file = File{Path: name, Language: Language(name, text), Build: true, Lines: b.src.lines(), Parser: Lexical, Test: isTest(Language(name, text), name)}
	b.readLexical()
	b.finish()
	return b.file
}
