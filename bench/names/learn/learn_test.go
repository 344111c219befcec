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

// A short form stands for what most sources mean by it: several have to use a tiny one so, and words that labels keep are no short forms.
func TestShortForms(t *testing.T) {
	lists := t.TempDir()
	for _, l := range listed {
		if err := os.WriteFile(filepath.Join(lists, l.name), []byte("modified\nmodify\nnumber\nnot\naccount\nstate\nunit\norder\norders\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var examples []Example
	for _, source := range []string{"a", "b", "c", "d"} {
		for name, label := range map[string]string{"acct_no": "Account Number", "unit_cd": "Unit of the order", "CAC": "Customer Acquisition Cost", "orders": "Order"} {
			examples = append(examples, Example{Name: name, Gold: label, Source: source, Weight: 1})
		}
	}
	examples = append(examples,
		Example{Name: "mod_dt", Gold: "Modified date", Source: "a", Weight: 1}, Example{Name: "MOD", Gold: "modify", Source: "b", Weight: 1},
		Example{Name: "st_unit", Gold: "State unit", Source: "a", Weight: 1})
	list, err := ShortForms(examples, lists)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range list {
		got[s.Short] = s.Long
	}
	for short, long := range map[string]string{"acct": "account", "no": "number", "cac": "customer acquisition cost", "mod": "modified", "unit": "", "orders": "", "st": ""} {
		if got[short] != long {
			t.Errorf("%s stands for %q, want %q", short, got[short], long)
		}
	}
}
