package index

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/tools/code/parse"
)

// shop is a small repository in several languages.
var shop = map[string]string{
	"go.mod": "module example.org/shop\n",
	"main.go": `package main

import "example.org/shop/pay"

func main() { pay.Charge("a", 5) }
`,
	"pay/pay.go": `// Package pay charges customers.
package pay

import (
	"example.org/shop/ledger"
	"fmt"
)

// Gateway talks to the bank.
type Gateway struct{ url string }

// Charge takes money from a customer and books it.
func Charge(customer string, cents int) error {
	if cents <= 0 {
		return fmt.Errorf("nothing to charge")
	}
	return ledger.Book(customer, cents)
}

// Refund gives the money of a charge back.
func (g *Gateway) Refund(id string) error { return ledger.Book(id, -1) }
`,
	"pay/pay_windows.go": "package pay\n\nimport _ \"example.org/shop/registry\"\n",
	"pay/pay_test.go": `package pay

import (
	"example.org/shop/fake"
	"testing"
)

func TestCharge(t *testing.T) { fake.Bank(); _ = Charge("x", 1) }
`,
	"ledger/ledger.go":     "package ledger\n\n// Book writes an entry.\nfunc Book(account string, cents int) error { return write(account, cents) }\n",
	"ledger/disk.go":       "package ledger\n\nfunc write(account string, cents int) error { return nil }\n",
	"registry/registry.go": "package registry\n\nfunc Open() {}\n",
	"fake/fake.go":         "package fake\n\nfunc Bank() {}\n",
	"web/app.ts":           "import { Cart } from './cart';\nimport { price } from '@lib/price';\nexport function render(c: Cart) { return price(c); }\n",
	"web/cart/index.ts":    "export class Cart { items: string[] = []; addItem(x: string) { this.items.push(x); } }\n",
	"web/lib/price.ts":     "export function price(c: any) { return 1; }\n",
	"web/tsconfig.json":    `{"compilerOptions": {"baseUrl": ".", "paths": {"@lib/*": ["lib/*"]}}}`,
	"py/app/__init__.py":   "",
	"py/app/models.py":     "from . import base\n\nclass Customer(base.Model):\n    def full_name(self):\n        return self.first\n",
	"py/app/base.py":       "class Model:\n    pass\n",
	"py/run.py":            "import app.models\n\ndef main():\n    return app.models.Customer()\n",
	"readme.md":            "# Shop\n\nHow refunds work.\n",
}

// indexed builds an index of files.
func indexed(t testing.TB, files map[string]string) *Snapshot {
	t.Helper()
	b := NewBuilder(Options{})
	for _, name := range slices.Sorted(maps.Keys(files)) {
		src := []byte(files[name])
		if err := b.Add(parsed(t, name, src), src, Stamp{Hash: "h:" + name}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := b.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parsed(t testing.TB, name string, src []byte) parse.File {
	t.Helper()
	f, err := parse.Parse(context.Background(), name, src)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSearchFindsByWordsNamesAndStems(t *testing.T) {
	s := indexed(t, shop)
	for _, c := range []struct{ question, path, symbol string }{
		{"Charge", "pay/pay.go", "Charge"},
		{"how are customers charged?", "pay/pay.go", "Charge"},
		{"Gateway.Refund", "pay/pay.go", "Gateway.Refund"},
		{"pay.Charge", "pay/pay.go", "Charge"},
		{"where are entries written", "ledger/ledger.go", "Book"},
		{"fullName of a customer", "py/app/models.py", ""},
		{"add item to cart", "web/cart/index.ts", ""},
		{"Chrage", "pay/pay.go", "Charge"},
	} {
		hits, err := s.Search(t.Context(), Query{Text: c.question, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) == 0 || hits[0].Path != c.path || c.symbol != "" && hits[0].Symbol != c.symbol {
			t.Errorf("%s: want %s %s first, got %+v", c.question, c.path, c.symbol, hits)
			continue
		}
		if h := hits[0]; h.Score <= 0 || h.Score > 1 || len(h.Why) == 0 || !strings.Contains(shop[h.Path], strings.TrimSpace(h.Text)) {
			t.Errorf("%s: the hit is %+v", c.question, h)
		}
	}
}

func TestSearchNarrows(t *testing.T) {
	s := indexed(t, shop)
	for _, c := range []struct {
		query Query
		want  func(Hit) bool
	}{
		{Query{Text: "charge", PathPrefix: "web"}, func(h Hit) bool { return strings.HasPrefix(h.Path, "web/") }},
		{Query{Text: "customer", Language: "python"}, func(h Hit) bool { return h.Language == "python" }},
		{Query{Text: "charge money customer", Kind: parse.Method}, func(h Hit) bool { return h.Kind == parse.Method }},
	} {
		c.query.Limit, c.query.Lexical, c.query.Symbol = 20, true, true
		hits, err := s.Search(t.Context(), c.query)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			if !c.want(h) {
				t.Errorf("%+v found %+v", c.query, h)
			}
		}
	}
	for _, limit := range []int{0, -1, 201} {
		if _, err := s.Search(t.Context(), Query{Text: "x", Limit: limit}); err == nil {
			t.Errorf("limit %d was taken", limit)
		}
	}
	for _, text := range []string{"", " ", "...", "the of", "\xff\xfe", strings.Repeat("zq ", 100_000)} {
		if hits, err := s.Search(t.Context(), Query{Text: text, Limit: 5}); err != nil || len(hits) > 0 {
			t.Errorf("%.20q: %v, %v", text, hits, err)
		}
	}
}

func TestGraphNeighboursComeLast(t *testing.T) {
	s := indexed(t, shop)
	hits, err := s.Search(t.Context(), Query{Text: "Charge", Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	last := hits[len(hits)-1]
	if hits[0].Symbol != "Charge" || !slices.ContainsFunc(hits, func(h Hit) bool { return h.Path == "ledger/ledger.go" && h.Why[0] == "graph" }) {
		t.Errorf("no neighbour in %+v", hits)
	}
	if last.Why[0] != "graph" || last.Confidence != low {
		t.Errorf("the last is %+v", last)
	}
}

func TestDependents(t *testing.T) {
	s := indexed(t, shop)
	for _, c := range []struct {
		path string
		want []Dependent
	}{
		{"ledger/disk.go", []Dependent{
			{Path: "pay/pay.go", Depth: 1, Line: 5, Via: "ledger"},
			{Path: "main.go", Depth: 2, Line: 3, Via: "pay"},
		}},
		{"pay/pay.go", []Dependent{{Path: "main.go", Depth: 1, Line: 3, Via: "pay"}}},
		{"registry/registry.go", []Dependent{}}, // only a file of another system imports it
		{"fake/fake.go", []Dependent{{Path: "pay/pay_test.go", Depth: 1, Line: 4, Test: true, Via: "fake"}}},
		{"web/cart/index.ts", []Dependent{{Path: "web/app.ts", Depth: 1, Line: 1, Via: "web/cart/index.ts"}}},
		{"web/lib/price.ts", []Dependent{{Path: "web/app.ts", Depth: 1, Line: 2, Via: "web/lib/price.ts"}}},
		{"py/app/base.py", []Dependent{
			{Path: "py/app/models.py", Depth: 1, Line: 1, Via: "py/app/base.py"},
			{Path: "py/run.py", Depth: 2, Line: 1, Via: "py/app/models.py"},
		}},
		{"readme.md", []Dependent{}},
	} {
		got, err := s.Dependents(c.path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.path, diff)
		}
	}
	deps, err := s.Dependencies("pay/pay.go")
	if err != nil {
		t.Fatal(err)
	}
	want := []Dependency{{Import: "example.org/shop/ledger", Line: 5, Paths: []string{"ledger/disk.go", "ledger/ledger.go"}}, {Import: "fmt", Line: 6}}
	if diff := cmp.Diff(want, deps); diff != "" {
		t.Error(diff)
	}
}

func TestRelatedAndTests(t *testing.T) {
	s := indexed(t, shop)
	hits, err := s.Related(t.Context(), "pay/pay.go", 10)
	if err != nil {
		t.Fatal(err)
	}
	why := make(map[string]string)
	for _, h := range hits {
		why[h.Path] = h.Why[0]
	}
	want := map[string]string{"ledger/ledger.go": "uses", "main.go": "used_by", "pay/pay_test.go": "test"}
	if diff := cmp.Diff(want, why); diff != "" {
		t.Error(diff)
	}
	tests, err := s.Tests("pay/pay.go")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]TestFile{{Path: "pay/pay_test.go", Reason: "named", Uses: 1}}, tests); diff != "" {
		t.Error(diff)
	}
}

func TestUnknownPaths(t *testing.T) {
	s := indexed(t, shop)
	_, err := s.File("pay/pya.go")
	var missing *PathError
	if !errors.As(err, &missing) || !errors.Is(err, fs.ErrNotExist) || len(missing.Nearest) == 0 || missing.Nearest[0] != "pay/pay.go" {
		t.Errorf("got %v", err)
	}
	for _, name := range []string{"", "/", "../../etc/passwd", "pay", "a\x00b"} {
		if _, err := s.Dependents(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestFilesLinesAndFacts(t *testing.T) {
	s := indexed(t, shop)
	for name, text := range shop {
		src, err := s.Source(name)
		if err != nil || string(src) != text {
			t.Errorf("%s: %q, %v", name, src, err)
		}
		lines := strings.SplitAfter(text, "\n")
		for from := 1; from <= len(lines); from++ {
			for to := from; to <= len(lines)+1; to++ {
				want := strings.Join(lines[from-1:min(to, len(lines))], "")
				if got, err := s.Lines(name, from, to); err != nil || got != want {
					t.Fatalf("%s %d-%d: %q, %v; want %q", name, from, to, got, err, want)
				}
			}
		}
	}
	f := s.Facts()
	if f.Files != len(shop) || f.Chunks == 0 || f.Symbols == 0 || f.Edges != 10 || f.Languages["go"] != 8 {
		t.Errorf("%+v", f)
	}
	info, err := s.File("pay/pay.go")
	if err != nil || info.Hash != "h:pay/pay.go" || len(info.Symbols) != 3 || info.Symbols[1].Metrics.Cyclomatic != 2 {
		t.Errorf("%+v, %v", info, err)
	}
}

func TestSymbolsAndFunctions(t *testing.T) {
	s := indexed(t, shop)
	for _, c := range []struct {
		pattern string
		kinds   []parse.SymbolKind
		want    []string
	}{
		{"charge", nil, []string{"Charge", "TestCharge"}},
		{"Gateway.*", nil, []string{"Refund"}},
		{"/^(Book|Bank)$/", nil, []string{"Bank", "Book"}},
		{"", []parse.SymbolKind{parse.Method}, []string{"Refund", "addItem", "full_name"}},
	} {
		found, n, err := s.Symbols(t.Context(), Named{Pattern: c.pattern, Kinds: c.kinds, Limit: 100})
		if err != nil || n != len(found) {
			t.Fatal(n, err)
		}
		var names []string
		for _, d := range found {
			names = append(names, d.Symbol.Name)
		}
		slices.Sort(names)
		if diff := cmp.Diff(c.want, names); diff != "" {
			t.Errorf("%s: %s", c.pattern, diff)
		}
	}
	var bad *PatternError
	for _, p := range []string{"/(/", "[", strings.Repeat("x", 2000)} {
		if _, _, err := s.Symbols(t.Context(), Named{Pattern: p, Limit: 1}); !errors.As(err, &bad) {
			t.Errorf("%.20s: %v", p, err)
		}
	}
	list, n, err := s.Functions(t.Context(), Filter{By: "cyclomatic", Limit: 1, Language: "go"})
	if err != nil || n < 5 || len(list) != 1 || list[0].Symbol.Name != "Charge" {
		t.Errorf("%+v %d %v", list, n, err)
	}
}

func TestFindSimilar(t *testing.T) {
	s := indexed(t, shop)
	hits, err := s.FindSimilar(t.Context(), "func Charge(customer string, amount int) error {\n if amount <= 0 { return fmt.Errorf(\"nothing\") }\n return ledger.Book(customer, amount) }", 3)
	if err != nil || len(hits) == 0 || hits[0].Symbol != "Charge" || hits[0].Score < 0.3 {
		t.Errorf("%+v, %v", hits, err)
	}
}

func TestEmpty(t *testing.T) {
	s := indexed(t, nil)
	hits, err := s.Search(t.Context(), Query{Text: "anything at all", Limit: 5})
	if err != nil || len(hits) != 0 || s.Facts().Files != 0 || s.Scattered() {
		t.Errorf("%v, %v, %+v", hits, err, s.Facts())
	}
	if _, err := s.Compact(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAddRefuses(t *testing.T) {
	b := NewBuilder(Options{})
	if err := b.Add(parse.File{Path: "a"}, nil, Stamp{}); err != nil {
		t.Fatal(err)
	}
	for _, f := range []parse.File{
		{Path: "a"}, {}, {Path: "b", Chunks: []parse.Chunk{{Start: 2, End: 1, Symbol: -1}}}, {Path: "c", Chunks: []parse.Chunk{{Start: 1, End: 1, Symbol: 3}}},
	} {
		if err := b.Add(f, nil, Stamp{}); err == nil {
			t.Errorf("%+v was taken", f)
		}
	}
}
