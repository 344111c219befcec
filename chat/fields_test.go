package chat

import (
	"archive/zip"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/language"
)

// TestZones: the list of time zones is that of the Go that builds the program.
func TestZones(t *testing.T) {
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	want := []string{""}
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, "/") {
			want = append(want, f.Name)
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, zones()); diff != "" {
		t.Errorf("zones.txt (-Go's +ours):\n%s", diff)
	}
}

// TestPatterns: what is described by a pattern is what is checked.
func TestPatterns(t *testing.T) {
	var runes []rune
	for r := rune(0); r < 0x3100; r++ {
		runes = append(runes, r)
	}
	runes = append(runes, 0xe000, 0xfeff, 0xfffd, 0x1f600, 0xe0001, 0x10ffff)
	for _, r := range runes {
		for _, text := range []string{string(r), "a" + string(r), string(r) + "a", " " + string(r) + "\n"} {
			if described, checked := MessageField.Text(text) == nil, checkMessage(text) == nil; described != checked {
				t.Fatalf("a message %q is described as %v and checked as %v", text, described, checked)
			}
		}
	}
	for _, r := range runes {
		if visible := Title(string(r)) != ""; TitleField.Text(string(r)) == nil && !visible {
			t.Errorf("a title %q has nothing to show", r)
		}
	}
	for _, text := range []string{"", "de", "en-US", "zh-Hant-TW", "sr-Latn"} {
		if err := LocaleField.Text(text); err != nil {
			t.Errorf("the locale %q is not described: %v", text, err)
		}
	}
	var tags []string
	for _, part := range strings.FieldsFunc(localePattern(), func(r rune) bool { return strings.ContainsRune("^$()?-|", r) }) {
		switch len(part) {
		case 4:
			tags = append(tags, "sr-"+part+"-RS")
		case 2:
			tags = append(tags, map[bool]string{true: "en-" + part, false: part + "-Latn"}[part == strings.ToUpper(part)])
		}
	}
	if len(tags) < 400 {
		t.Errorf("%d languages, scripts and regions", len(tags))
	}
	for _, tag := range tags {
		if _, err := language.Parse(tag); err != nil {
			t.Errorf("%s: %v", tag, err)
		}
	}
}

// The pattern of a locale describes the usual tags; all that are tags are taken.
func TestLocales(t *testing.T) {
	for tag, want := range map[string]bool{"": true, "de": true, "en-us": true, "es-419": true, "fil": true, "de_DE": true, "no tag": false, "123": false} {
		if err := CheckLocale(tag); (err == nil) != want {
			t.Errorf("%q: %v", tag, err)
		}
	}
}
