package learn

import (
	"os"
	"path/filepath"
	"testing"
)

// Only what two sources have is learnt, in whatever order a label has the words.
func TestCounts(t *testing.T) {
	dir, lists := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"a+x.tsv": "vndr_nm\tVendor name\nsecret_cd\tSecret code\n",
		"b+y.tsv": "nm_vndr\tName of the vendor of the order\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, l := range listed {
		if err := os.WriteFile(filepath.Join(lists, l.name), []byte("vendor\nname\norder\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	examples, err := Read(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Counts(examples, lists)
	if err != nil {
		t.Fatal(err)
	}
	if c.Pieces["vndr"]["vendor"] == 0 || c.Pieces["nm"]["name"] == 0 {
		t.Errorf("vndr stands for %v, nm for %v", c.Pieces["vndr"], c.Pieces["nm"])
	}
	if c.Pieces["cd"] != nil || c.Words["secret"] != 0 {
		t.Errorf("one source alone taught %v", c.Pieces["cd"])
	}
}
