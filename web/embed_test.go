package web_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"catena/web"
)

// The page's policy forbids inline code, and its safety rests on never making HTML out of text.
func TestPolicyHolds(t *testing.T) {
	inline := regexp.MustCompile(`(?i)<script>|<style|\sstyle=|\son[a-z]+=|javascript:`)
	absolute := regexp.MustCompile(`(from|import\()\s*"[^.]`)
	html := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function`)
	err := fs.WalkDir(web.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(web.Files(), name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, ".html") {
			if m := inline.FindString(string(b)); m != "" {
				t.Errorf("%s has inline code: %s", name, m)
			}
		}
		if m := html.FindString(string(b)); m != "" {
			t.Errorf("%s makes HTML of text: %s", name, m)
		}
		if m := absolute.FindString(string(b)); strings.HasSuffix(name, ".js") && m != "" {
			t.Errorf("%s imports by an absolute path, so that there are two copies with that under /assets/: %s", name, m)
		}
		if strings.Contains(strings.ReplaceAll(string(b), "http://www.w3.org/", ""), "://") {
			t.Errorf("%s names another host", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFilesAreThere(t *testing.T) {
	for _, name := range []string{"index.html", "app.js", "stream.js", "render.js", "style.css", "tables.css", "table.js", "icon.svg"} {
		if info, err := fs.Stat(web.Files(), name); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a module imports is there, and there is no module that nothing imports.
func TestModulesAreImported(t *testing.T) {
	modules, err := fs.Glob(web.Files(), "*.js")
	if err != nil {
		t.Fatal(err)
	}
	imported := map[string]bool{"app.js": true}
	names := regexp.MustCompile(`(?:from|import\()\s*"\./([^"]+)"`)
	for _, name := range modules {
		body, err := fs.ReadFile(web.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range names.FindAllStringSubmatch(string(body), -1) {
			imported[m[1]] = true
			if !slices.Contains(modules, m[1]) {
				t.Errorf("%s imports %s, which is not there", name, m[1])
			}
		}
	}
	for _, name := range modules {
		if !imported[name] {
			t.Errorf("nothing imports %s", name)
		}
	}
}

func ExampleFiles() {
	page, err := fs.ReadFile(web.Files(), "index.html")
	fmt.Println(strings.HasPrefix(string(page), "<!doctype html>"), err)
	// Output: true <nil>
}
