//go:build integration

package scan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestIntegrationCheckIgnore compares our rules with git's own over a made tree: 200 folders, each with an ignore file of its own of up to four
// rules, and about thirty paths below.
func TestIntegrationCheckIgnore(t *testing.T) {
	names := strings.Fields("a b ab build x.log #f !n 7x")
	patterns := []string{"*.log", "/a", "a/b", "build/", "**/b", "**/a/b", "a/**", "a/**/b", "a*b", "a**b", "[a-c]", "[!a]", "[^a]b", "[[:digit:]]x",
		"?b", "*", "!b", "!*.log", "!a/b", `\#f`, `\!n`, "/*", "!/build", "a/*", "**/", "/**/ab", "*/b", "b ", "[", "!build/", "/a/", "a//b", "*b*/ab",
		"**/a/**/b", "[]a]", "[a", `a\`}
	random := rand.New(rand.NewPCG(18, 4))
	root := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", root).CombinedOutput(); err != nil {
		t.Fatalf("git is needed: %v %s", err, out)
	}
	var paths []string
	ours := map[string]bool{}
	for i := range 200 {
		base := fmt.Sprintf("dir%d", i)
		lines := make([]string, 1+random.IntN(4))
		for j := range lines {
			lines[j] = patterns[random.IntN(len(patterns))]
		}
		rules := strings.Join(lines, "\n") + "\n"
		set := parseIgnore(base, []byte(rules))
		for range 30 {
			name := base
			out := false
			depth := 1 + random.IntN(4)
			for d := range depth { // a folder that is ignored takes all below with it, as in the walk
				name += "/" + names[random.IntN(len(names))]
				out = out || set.match(name, d < depth-1) == ignored
			}
			if _, twice := ours[name]; !twice {
				paths = append(paths, name)
			}
			ours[name] = out
		}
		put(t, root, map[string]string{base + "/.gitignore": rules}) // git needs no more: what is not there is a file to it
	}
	check := exec.Command("git", "-C", root, "check-ignore", "--no-index", "-z", "--stdin")
	check.Stdin = strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	said, err := check.Output()
	if err != nil {
		t.Fatal(err)
	}
	git := map[string]bool{}
	for name := range bytes.SplitSeq(said, []byte{0}) {
		git[string(name)] = true
	}
	for _, name := range paths {
		if ours[name] != git[name] {
			dir, _, _ := strings.Cut(name, "/")
			rules, _ := os.ReadFile(filepath.Join(root, dir, ".gitignore"))
			t.Errorf("%s is ignored: %v, by git %v; rules %q", name, ours[name], git[name], rules)
		}
	}
	t.Logf("%d paths, %d of them ignored", len(paths), len(git)-1)
}
