package index

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/tools/code/parse"
)

// imports builds an index of files that only import, and tells what each import of the first means.
func resolved(t testing.TB, files []parse.File, sources map[string]string) []string {
	t.Helper()
	b := NewBuilder(Options{})
	for _, f := range files {
		f.Build = true
		if err := b.Add(f, []byte(sources[f.Path]), Stamp{}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := b.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	deps, err := s.Dependencies(files[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range deps {
		out = append(out, d.Paths...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestResolve(t *testing.T) {
	file := func(language, path, pkg string, imports ...string) parse.File {
		f := parse.File{Path: path, Language: language, Package: pkg}
		for i, p := range imports {
			f.Imports = append(f.Imports, parse.Import{Path: p, Line: i + 1})
		}
		return f
	}
	for _, c := range []struct {
		name    string
		files   []parse.File
		sources map[string]string
		want    []string
	}{
		{"go: vendor before modules, std has no prefix", []parse.File{
			file("go", "cmd/tool/main.go", "main", "golang.org/x/mod", "fmt", "cmd/internal/obj", "golang.org/x/net/idna"),
			file("go", "cmd/vendor/golang.org/x/mod/mod.go", "mod"), file("go", "vendor/golang.org/x/mod/mod.go", "mod"),
			file("go", "fmt/print.go", "fmt"), file("go", "cmd/internal/obj/obj.go", "obj"), file("go", "vendor/golang.org/x/net/idna/i.go", "idna"),
			file("text", "go.mod", ""), file("text", "cmd/go.mod", ""),
		}, map[string]string{"go.mod": "module std\n", "cmd/go.mod": "module cmd // the commands\n"},
			[]string{"cmd/internal/obj/obj.go", "cmd/vendor/golang.org/x/mod/mod.go", "fmt/print.go"}},
		{"go: without modules by the end of the path", []parse.File{
			file("go", "app/main.go", "main", "corp.example/shop/pay"), file("go", "shop/pay/pay.go", "pay"), file("go", "shop/pay/pay_test.go", "pay_test"),
		}, nil, []string{"shop/pay/pay.go"}},
		{"java: classes, wildcards, inner classes", []parse.File{
			file("java", "src/main/java/com/acme/App.java", "com.acme", "com.acme.pay.Pay", "com.acme.ledger.*", "com.acme.pay.Pay.Inner", "java.util.List", ".odd"),
			file("java", "src/main/java/com/acme/pay/Pay.java", "com.acme.pay"), file("java", "src/main/java/com/acme/ledger/Book.java", "com.acme.ledger"),
		}, nil, []string{"src/main/java/com/acme/ledger/Book.java", "src/main/java/com/acme/pay/Pay.java"}},
		{"rust: crate, super, self, mod, other crates", []parse.File{
			file("rust", "app/src/pay/mod.rs", "", "crate::ledger::Book", "super::util", "self::card::Card", "shared_types::Money", "std::fmt"),
			file("rust", "app/src/lib.rs", ""), file("rust", "app/src/ledger.rs", ""), file("rust", "app/src/util/mod.rs", ""), file("rust", "app/src/pay/card.rs", ""),
			file("rust", "shared/src/lib.rs", ""), file("toml", "shared/Cargo.toml", ""),
		}, map[string]string{"shared/Cargo.toml": "[package]\nname = \"shared-types\"\n"},
			[]string{"app/src/ledger.rs", "app/src/pay/card.rs", "app/src/util/mod.rs", "shared/src/lib.rs"}},
		{"c: beside, from the root, by its only place", []parse.File{
			file("c", "src/a.c", "", "a.h", "include/b.h", "deep/c.h", "stdio.h"),
			file("c", "src/a.h", ""), file("c", "include/b.h", ""), file("c", "lib/deep/c.h", ""),
		}, nil, []string{"include/b.h", "lib/deep/c.h", "src/a.h"}},
		{"typescript: .js for .ts, folders, base of tsconfig", []parse.File{
			file("typescript", "web/src/app.ts", "", "./engine.js", "./parts", "models/user", "react", "../../../../etc/passwd"),
			file("typescript", "web/src/engine.ts", ""), file("typescript", "web/src/parts/index.tsx", ""), file("typescript", "web/models/user.ts", ""),
			file("json", "web/tsconfig.json", ""),
		}, map[string]string{"web/tsconfig.json": `{"compilerOptions": {"baseUrl": "."}}`},
			[]string{"web/models/user.ts", "web/src/engine.ts", "web/src/parts/index.tsx"}},
	} {
		if diff := cmp.Diff(c.want, resolved(t, c.files, c.sources)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// FuzzResolve resolves any import of any language: it ends, and leads to files of the index.
func FuzzResolve(f *testing.F) {
	for _, p := range []string{"fmt", "./a", "..", "....x", "com.acme.*", ".foo", "/x", "crate::a::b", "super::super::super", "a//b", "@lib/x", "*", "::", ""} {
		f.Add(p, "names", "a/b/c")
	}
	f.Fuzz(func(t *testing.T, imp, names, dir string) {
		for _, language := range []string{"go", "python", "typescript", "java", "rust", "c"} {
			main := parse.File{Path: dir + "/x", Language: language, Imports: []parse.Import{{Path: imp, Names: []string{names}, Line: 1}}}
			other := parse.File{Path: "a/y", Language: language, Package: "y"}
			if main.Path != other.Path {
				resolved(t, []parse.File{main, other}, nil)
			}
		}
	})
}
