package web_test

import (
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"catena/web"
)

// TestBundle: what the first view imports is one module, in the order in which it is needed; the rest takes from it what
// it shares, and names all that it needs itself.
func TestBundle(t *testing.T) {
	files := map[string][]byte{
		"index.html": []byte("<link rel=\"stylesheet\" href=\"/static/a.css\">\n<link rel=\"stylesheet\" href=\"/static/b.css\">\n<p>"),
		"a.css":      []byte("a {}"),
		"b.css":      []byte("b {}"),
		"app.js":     []byte("import { one,\n  two as three } from \"./a.js\";\nimport \"./b.js\";\nuse(import(\"./later.js\"), one, three);\n"),
		"a.js":       []byte("import { b } from \"./b.js\";\nexport const one = b;\nexport async function two() {}\nexport class Three {}\n"),
		"b.js":       []byte("// import nothing\nconst c = 1;\nexport { c as b };\n"),
		"later.js":   []byte("import { one as first } from \"./a.js\";\nimport { next } from \"./next.js\";\nexport { last } from \"./last.js\";\n"),
		"next.js":    []byte("import { more } from \"./more.js\";\nimport { b } from \"./b.js\";\nexport const next = more + b;\n"),
		"last.js":    []byte("export const last = 1;\n"),
		"more.js":    []byte("import { next } from \"./next.js\";\nexport const more = () => next;\n"), // a circle
	}
	got, err := web.Bundle(files)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"index.html": "<link rel=\"stylesheet\" href=\"/static/a.css\">\n<p>",
		"a.css":      "a {}\nb {}",
		"app.js": "const $b = (() => {\n// import nothing\nconst c = 1;\nreturn { b: c };\n})();\n" +
			"const $a = (() => {\nconst { b } = $b;\nconst one = b;\nasync function two() {}\nclass Three {}\nreturn { one, two, Three };\n})();\n" +
			"const $app = (() => {\nconst { one, two: three } = $a;\n\nuse(import(\"./later.js\"), one, three);\nreturn {  };\n})();\n" +
			"export { $b, $a, $app };\n",
		"later.js": "import { $a } from \"./app.js\"; const { one: first } = $a;\nimport { next } from \"./next.js\";\nexport { last } from \"./last.js\";\n" +
			"import \"./next.js\";\nimport \"./last.js\";\nimport \"./more.js\";\n",
		"next.js": "import { more } from \"./more.js\";\nimport { $b } from \"./app.js\"; const { b } = $b;\nexport const next = more + b;\nimport \"./more.js\";\n",
		"last.js": "export const last = 1;\n",
		"more.js": "import { next } from \"./next.js\";\nexport const more = () => next;\nimport \"./next.js\";\n",
	}
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, slices.Sorted(maps.Keys(want))) {
		t.Errorf("there are %v", names)
	}
	for name, text := range want {
		if string(got[name]) != text {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got[name], text)
		}
	}
}

// TestBundleRefuses: what cannot be read is not left out silently.
func TestBundleRefuses(t *testing.T) {
	for app, a := range map[string]string{
		`import * as a from "./a.js";`:                 "export const b = 1;",
		`import a from "./a.js";`:                      "export const b = 1;",
		`export { b } from "./a.js";`:                  "export const b = 1;",
		`import { b } from "./none.js";`:               "",
		`import { b } from "./a.js";`:                  `import "./app.js";`,
		`import { b } from "./a.js"; // let`:           "export let b = 1;",
		`import { b } from "./a.js"; // default`:       "export default 1;",
		`import { b } from "./a.js"; import("./a.js")`: "export const b = 1;",
	} {
		files := map[string][]byte{"app.js": []byte(app + "\n"), "a.js": []byte(a + "\n")}
		if got, err := web.Bundle(files); err == nil {
			t.Errorf("%s: %s", app, got["app.js"])
		}
	}
}

// TestBundledPage: of the page's own modules none is left out, and none is there twice.
func TestBundledPage(t *testing.T) {
	files := map[string][]byte{}
	names, err := fs.Glob(web.Files(), "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if files[name], err = fs.ReadFile(web.Files(), name); err != nil {
			t.Fatal(err)
		}
	}
	got, err := web.Bundle(files)
	if err != nil {
		t.Fatal(err)
	}
	imports := regexp.MustCompile(`(?:from |import |import\()"\./([^"]+)"`)
	for name, body := range got {
		if !strings.HasSuffix(name, ".js") {
			continue
		}
		for _, m := range imports.FindAllStringSubmatch(string(body), -1) {
			if _, is := got[m[1]]; !is {
				t.Errorf("%s imports %s, which is not sent", name, m[1])
			}
		}
	}
	for name := range files {
		module, is := strings.CutSuffix(name, ".js")
		_, apart := got[name]
		within := strings.Contains(string(got["app.js"]), "const $"+module+" = ")
		if is && (apart == within) != (name == "app.js") {
			t.Errorf("%s: apart %t, in the first view %t", name, apart, within)
		}
	}
}
