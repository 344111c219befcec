package scan

import (
	"strings"
	"testing"
)

// The expectations are what git 2.39 says of the same files (git check-ignore --no-index), but for what lies below an ignored folder:
// the walk does not get there.
func TestIgnore(t *testing.T) {
	for _, c := range []struct {
		rules string // lines
		path  string // with a slash at the end for a folder
		want  bool
	}{
		{"*.log", "a.log", true},
		{"*.log", "x/y/a.log", true},
		{"*.log", "a.logs", false},
		{"/a", "a", true},
		{"/a", "x/a", false},
		{"a/b", "a/b", true},
		{"a/b", "x/a/b", false},
		{"build/", "build/", true},
		{"build/", "build", false},
		{"build/", "x/build/", true},
		{"**/foo", "foo", true},
		{"**/foo", "x/y/foo", true},
		{"**/foo/bar", "x/foo/bar", true},
		{"**/foo/bar", "foo/x/bar", false},
		{"abc/**", "abc/x/y", true},
		{"abc/**", "abc/", false},
		{"a/**/b", "a/b", true},
		{"a/**/b", "a/x/y/b", true},
		{"a/**/b", "a/x/y/c", false},
		{"a**b", "axxb", true},
		{"a/*", "a/b", true},
		{"a/*", "a/b/c", false},
		{"*.txt\n!keep.txt", "keep.txt", false},
		{"*.txt\n!keep.txt", "lose.txt", true},
		{"!keep.txt\n*.txt", "keep.txt", true},
		{"# a comment", "# a comment", false},
		{`\#file`, "#file", true},
		{`\!file`, "!file", true},
		{"trailing   ", "trailing", true},
		{`trailing\ `, "trailing ", true},
		{`trailing\ `, "trailing", false},
		{"a?c", "abc", true},
		{"a?c", "a/c", false},
		{"[a-c]x", "bx", true},
		{"[!a-c]x", "bx", false},
		{"[^a-c]x", "dx", true},
		{"[]a]x", "]x", true},
		{"[[:digit:]]x", "7x", true},
		{"[[:digit:]]x", "ax", false},
		{"[ab", "[ab", false},
		{`\*x`, "*x", true},
		{`\*x`, "ax", false},
		{"a\\", "a\\", false},
		{"", "a", false},
		{"/", "a", false},
		{"crlf\r", "crlf", true},
		{"\xef\xbb\xbfbom", "bom", true},
		{"odd\xff", "odd\xff", true},
		{"*a*a*a*a*a*b", strings.Repeat("a", 2000), false},
	} {
		t.Run(c.rules+" "+c.path[:min(len(c.path), 20)], func(t *testing.T) {
			name, dir := strings.CutSuffix(c.path, "/")
			if got := parseIgnore("", []byte(c.rules)).match(name, dir) == ignored; got != c.want {
				t.Errorf("%q on %q: ignored %v", c.rules, c.path, got)
			}
		})
	}
}

func TestIgnoreBelowAndAbove(t *testing.T) {
	below := parseIgnore("a/b", []byte("/x\n"))
	if below.match("a/b/x", false) != ignored || below.match("a/b/c/x", false) == ignored {
		t.Error("rules of a folder hold below it")
	}
	above := parseIgnore("", []byte("/sub/x\nother/\n"))
	above.above = "sub"
	if above.match("x", false) != ignored || above.match("y/x", false) == ignored {
		t.Error("rules from above the tree hold from their own folder on")
	}
	if above.covers() {
		t.Error("the tree itself is not ignored")
	}
	above.above = "a/other/c"
	if !above.covers() {
		t.Error("a folder around the tree is ignored, and so is the tree")
	}
}

// FuzzIgnore looks for patterns that break the matcher, and for a negated rule that is not the opposite of the rule.
func FuzzIgnore(f *testing.F) {
	for _, s := range []string{"*.log", "a/**/b", "[a-", `\`, "!x", "[[:alpha:]]", "/"} {
		f.Add(s, "a/x/b.log", true)
	}
	f.Fuzz(func(t *testing.T, pattern, name string, dir bool) {
		name = strings.Trim(name, "/")
		if name == "" || strings.ContainsAny(pattern, "\r\n") || strings.HasPrefix(pattern, "!") || strings.HasPrefix(pattern, "#") || strings.HasPrefix(pattern, "\xef\xbb\xbf") {
			return
		}
		yes := parseIgnore("", []byte(pattern)).match(name, dir)
		no := parseIgnore("", []byte("!"+pattern)).match(name, dir)
		if (yes == ignored) != (no == included) {
			t.Errorf("%q on %q: %v, negated %v", pattern, name, yes, no)
		}
	})
}
