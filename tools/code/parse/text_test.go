package parse

import (
	"context"
	"testing"
)

func TestLanguage(t *testing.T) {
	for path, want := range map[string]string{"a/b.go": "go", "X.PY": "python", "a.d.ts": "typescript", "a.tsx": "typescript", "Makefile": "text", "run": "shell",
		".json": "text", ".eslintrc.json": "json", "a.h": "c", "README": "markdown", "Gemfile": "ruby", "": "text", "a.unknown": "text"} {
		src := ""
		if path == "run" {
			src = "#!/usr/bin/env -S bash -e\n"
		}
		if got := Language(path, []byte(src)); got != want {
			t.Errorf("Language(%q) = %q, want %q", path, got, want)
		}
	}
	if got := Language("a.h", []byte("#pragma once\nnamespace a {\n}\n")); got != "cpp" {
		t.Errorf("a header with a namespace is %q, want cpp", got)
	}
	if got := Language("run", []byte("#!/usr/bin/python3.11\n")); got != "python" {
		t.Errorf("a script of python3.11 is %q", got)
	}
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{"a\r\nb\rc": "a\nb\nc", "\xef\xbb\xbfa": "a", "\xff\xfea\x00\n\x00": "a\n", "\xfe\xff\x00a\x00": "a", "a\xffb": "a\uFFFDb", "a\x00b": "a b"} {
		if got := string(Text([]byte(in))); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	src := []byte("as it is\n")
	if got := Text(src); &got[0] != &src[0] {
		t.Error("a clean text was copied")
	}
}

func TestTests(t *testing.T) {
	for path, want := range map[string]bool{"a_test.go": true, "a.go": false, "test_a.py": true, "tests/conftest.py": true, "a.spec.ts": true, "a.test.jsx": true,
		"__tests__/a.js": true, "src/test/java/A.java": true, "PayTest.java": true, "Pay.java": false, "tests/a.rs": true, "pay_spec.rb": true, "contest.py": false} {
		f, err := Parse(context.Background(), path, nil)
		if err != nil || f.Test != want {
			t.Errorf("%s: test %v, want %v, %v", path, f.Test, want, err)
		}
	}
}

func TestBuild(t *testing.T) {
	for _, c := range []struct {
		path, src  string
		build, cgo bool
	}{
		{"a.go", "package p\n", true, false},
		{"a_plan9.go", "package p\n", false, false},
		{"a.go", "//go:build ignore\n\npackage p\n", false, false},
		{"a.go", "//go:build !ignore\n\npackage p\n", true, false},
		{"_a.go", "package p\n", false, false},
		{"a.go", "package p\n\nimport \"C\"\n", true, true},
		{"a_plan9.py", "", true, false},
		// Of two twins the one without cgo, however this program was built.
		{"a.go", "//go:build cgo\n\npackage p\n", false, false},
		{"a.go", "//go:build !cgo\n\npackage p\n", true, false},
	} {
		f, err := Parse(context.Background(), "x/"+c.path, []byte(c.src))
		if err != nil || f.Build != c.build || f.Cgo != c.cgo {
			t.Errorf("%s %q: build %v, cgo %v; want %v, %v; %v", c.path, c.src, f.Build, f.Cgo, c.build, c.cgo, err)
		}
	}
}
