package scan

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestLargeIgnoreFiles: what an ignore file hides behind the last rule that is read is hidden still, in the files, above them and in a revision.
func TestLargeIgnoreFiles(t *testing.T) {
	many := strings.Repeat("*.nothing\n", ignoreRules) + "local.txt\n"
	long := "#" + strings.Repeat("x", ignoreSize) + "\nlocal.txt\n"
	for what, text := range map[string]string{"rules": many, "bytes": long} {
		for _, name := range ignoreFiles {
			root := t.TempDir()
			r := newRepo(t, root)
			hash := r.commit(map[string]string{"a.go": "package a\n", "sub/local.txt": "x\n", "sub/b.go": "package b\n"})
			put(t, root, map[string]string{"sub/" + name: text})
			if name != ignoreFiles[0] {
				hash = r.commit(map[string]string{"sub/" + name: text})
			}
			rev, err := Revision(t.Context(), root, hash, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			defer rev.Close()
			trees := map[string]Tree{"files": open(t, root, Limits{})}
			if name != ignoreFiles[0] { // of what git hides a file that was tracked then counts
				trees["a revision"] = rev
			}
			for kind, tree := range trees {
				tracked := kind == "files" && name == ignoreFiles[0]
				if paths, _ := listed(t, tree); !tracked && !slices.Equal(paths, []string{"a.go"}) {
					t.Errorf("too many %s in %s, %s: %q", what, name, kind, paths)
				}
			}
			plain := t.TempDir()
			put(t, plain, map[string]string{"a.go": "package a\n", name: text, "local.txt": "x\n"})
			if paths, _ := listed(t, open(t, plain, Limits{})); len(paths) != 0 {
				t.Errorf("too many %s in %s: %q", what, name, paths)
			}
		}
	}
}

// TestIgnoreFilesOnEachLevel: rules of all folders above a file are bounded together, and a listing ends with its context.
func TestIgnoreFilesOnEachLevel(t *testing.T) {
	root, dir, files := t.TempDir(), "", map[string]string{}
	rules := strings.Repeat(strings.Repeat("*a", 200)+"\n", ignoreRules)
	for i := range 4 {
		files[path.Join(dir, ".ignore")] = rules
		dir = path.Join(dir, fmt.Sprint("d", i))
	}
	for i := range 200 {
		files[path.Join(dir, strings.Repeat("a", 199)+fmt.Sprint(i))] = ""
	}
	put(t, root, files)
	tree := open(t, root, Limits{})
	ctx, end := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer end()
	if _, _, err := tree.Files(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if paths, _ := listed(t, tree); len(paths) != 0 {
		t.Errorf("%d files", len(paths))
	}
}

// TestLongPatterns: what a name takes grows with the patterns, and not with the patterns times the name, whatever stars and bracket expressions they have.
func TestLongPatterns(t *testing.T) {
	half := strings.Repeat("a", 127)
	text := strings.Repeat("*"+half+"b?\n*"+half+"*"+strings.Repeat("?", 126)+"b?\n"+strings.Repeat("*a", 120)+"*b?\n", 400) +
		strings.Repeat("*["+strings.Repeat("b", longestRule-4)+"]?\n"+
			"*["+strings.Repeat("[:", longestRule/2-2)+"]?\n", 50)
	set := parseIgnore("", []byte(text+"*a*b*c[0-9]\n"))
	name := strings.Repeat("a", 255)
	for range 20 {
		if set.match(name, false) != silent || set.match("a"+half+"bxc7", false) != ignored {
			t.Fatal("a pattern of many stars matches otherwise")
		}
	}
}
