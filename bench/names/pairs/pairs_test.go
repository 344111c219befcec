package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each form in which a name and its label stand together is read.
func TestCollect(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.java":   "@Column(name = \"VNDR_NM\")\nprivate String vendorName;",
		"b.xml":    `<field-descriptor name="accountNumber" column="ACCT_NBR" jdbc-type="VARCHAR"/>`,
		"c.rd":     `\item{educ}{years of education (in school)}`,
		"d.sql":    "COMMENT ON COLUMN t.cr_lmt IS 'Credit limit. In dollars.';",
		"e.yml":    "- name: ord_qty\n  description: \"Order quantity\"\n",
		"f.json":   `{"fields": [{"fieldname": "tot_wt", "label": "Total Weight"}]}`,
		"g.csv":    "variable,description\nhh_inc,Household income\n",
		"h.md":     "| Field | Label |\n|---|---|\n| po_dt | Purchase Order Date |\n\nCost per Click (CPC) and AOV (Average Order Value)\n",
		"i.py":     "SHORT = {'whse': 'warehouse', \"kind\": \"some other\", 'transaction': 'txn'}",
		"m.md":     "| Suffix | Meaning |\n|---|---|\n| `_nm`  | Name        | `site_nm` |\n",
		"j.rst":    "   * - **CAC**\n     - Customer Acquisition Cost\n",
		"k.md":     "- average • x avg\n",
		"l.md":     "| Word\\(s\\) | Abbreviation |\n|---|---|\n| Approve\\* | APRV\\* |\n| Approval | |\n",
		"skip.bin": "x",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := collect(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []pair{
		{"VNDR_NM", "vendor name"}, {"ACCT_NBR", "account number"}, {"educ", "years of education"}, {"cr_lmt", "Credit limit"},
		{"ord_qty", "Order quantity"}, {"tot_wt", "Total Weight"}, {"hh_inc", "Household income"}, {"po_dt", "Purchase Order Date"},
		{"CPC", "Cost per Click"}, {"AOV", "Average Order Value"},
		{"whse", "warehouse"}, {"CAC", "Customer Acquisition Cost"}, {"avg", "average"}, {"txn", "transaction"}, {"nm", "Name"}, {"APRV", "Approval"}, {"APRV", "Approve"},
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %v in %v", want, got)
		}
	}
}

// The columns of each portal are a source; portals of scored sets and titles that are too long are none.
func TestPortals(t *testing.T) {
	dir := t.TempDir()
	rows := `{"domain":"a","field_name":"tot_amt","title":"Total Amount"}` + "\n" + `{"domain":"b","field_name":"yr","title":"Year"}` + "\n" +
		`{"domain":"a","field_name":"tot_amt","title":"Total Amount"}` + "\n" + `{"domain":"a","field_name":"long","title":"` + strings.Repeat("x", longestLabel) + `"}` + "\n"
	file := filepath.Join(dir, "rows.jsonl")
	if err := os.WriteFile(file, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := portals(file, filepath.Join(dir, "out"), []string{"b"}); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadDir(filepath.Join(dir, "out"))
	got, readErr := os.ReadFile(filepath.Join(dir, "out", "a+socrata.tsv"))
	if err != nil || readErr != nil || len(list) != 1 || string(got) != "tot_amt\tTotal Amount\n" {
		t.Errorf("%q of %d: %v %v", got, len(list), err, readErr)
	}
}
