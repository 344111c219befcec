package index

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var nouns = strings.Fields("order client ledger invoice price basket refund account customer payment gateway report column buffer")

// invent writes a source file that imports some of the others.
func invent(r *rand.Rand, name string) string {
	var b strings.Builder
	pick := func() string { return nouns[r.IntN(len(nouns))] }
	title := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	switch {
	case strings.HasSuffix(name, ".go"):
		fmt.Fprintf(&b, "package %s\n\nimport (\n\t%q\n\t%q\n)\n", strings.Split(name, "/")[0], "x.org/"+dirs[r.IntN(len(dirs))], "x.org/"+dirs[r.IntN(len(dirs))])
		for range 1 + r.IntN(4) {
			one, two := pick(), pick()
			fmt.Fprintf(&b, "\n// %s%s checks the %s of a %s.\nfunc %s%s(%s int) int {\n\tif %s > %d {\n\t\treturn %s.%s%s(%s)\n\t}\n\treturn %d\n}\n", title(one), title(two), pick(), pick(),
				title(one), title(two), one, one, r.IntN(99), dirs[r.IntN(len(dirs))], title(pick()), title(pick()), one, r.IntN(9))
		}
	case strings.HasSuffix(name, ".py"):
		fmt.Fprintf(&b, "from . import %s\n\ndef %s_%s(%s):\n    # the %s of it\n    return %s.%s()\n", pick(), pick(), pick(), pick(), pick(), pick(), pick())
	default:
		fmt.Fprintf(&b, "import { %s } from './%s';\nexport function %s%s() { return %s; }\n", pick(), pick(), pick(), title(pick()), pick())
	}
	return b.String()
}

var dirs = []string{"shop", "bank", "web", "desk"}

func inventedPath(r *rand.Rand) string {
	end := []string{".go", ".go", "_test.go", ".py", ".ts"}[r.IntN(5)]
	return dirs[r.IntN(len(dirs))] + "/" + nouns[r.IntN(len(nouns))] + end
}

// TestWithEqualsBuild makes random changes and asks the changed index and a fresh one of the same files the same.
func TestWithEqualsBuild(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		files := map[string]string{"go.mod": "module x.org\n"}
		for range 30 {
			p := inventedPath(r)
			files[p] = invent(r, p)
		}
		s := indexed(t, files)
		for step := range 15 {
			s = changed(t, r, s, files, 1+r.IntN(3))
			if step%5 == 4 {
				sameAnswers(t, fmt.Sprintf("seed %d, step %d", seed, step), s, indexed(t, files))
			}
		}
		if len(s.views) > mergeViews+1 {
			t.Errorf("%d views", len(s.views))
		}
		compact, err := s.Compact(t.Context())
		if err != nil || len(compact.views) != 1 {
			t.Fatal(err)
		}
		sameAnswers(t, "compact", compact, indexed(t, files))
		dir := t.TempDir()
		if err := s.Save(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
		opened, err := Open(t.Context(), dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		sameAnswers(t, "opened", opened, s)
	}
}

// changed makes some changes in files and in a snapshot.
func changed(t testing.TB, r *rand.Rand, s *Snapshot, files map[string]string, n int) *Snapshot {
	var list []Change
	for range n {
		p := inventedPath(r)
		if r.IntN(2) == 0 { // one that is there
			all := slices.Sorted(maps.Keys(files))
			p = all[r.IntN(len(all))]
		}
		c := Change{}
		c.File.Path = p
		if r.IntN(4) == 0 && p != "go.mod" {
			c.Gone = true
			delete(files, p)
		} else {
			text := files[p]
			if p != "go.mod" {
				text = invent(r, p)
			}
			files[p] = text
			c.File, c.Source, c.Hash = parsed(t, p, []byte(text)), []byte(text), "h:"+p
		}
		list = append(list, c)
	}
	next, err := s.With(context.Background(), list)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func sameAnswers(t *testing.T, what string, got, want *Snapshot) {
	t.Helper()
	near := cmpopts.EquateApprox(1e-6, 1e-6)
	check := func(question string, a, b any) {
		t.Helper()
		if diff := cmp.Diff(b, a, near); diff != "" {
			t.Fatalf("%s: %s differs: %s", what, question, diff)
		}
	}
	facts, other := got.Facts(), want.Facts()
	facts.Made, facts.Stored, other.Stored = other.Made, 0, 0
	check("facts", facts, other)
	check("files", got.Files(), want.Files())
	for _, q := range []string{"how is the price of a basket checked", "InvoiceLedger", "OrderClient checks the refund", "shop.PriceOrder", "custmer"} {
		a, err := got.Search(t.Context(), Query{Text: q, Limit: 20})
		if err != nil {
			t.Fatal(err)
		}
		b, err := want.Search(t.Context(), Query{Text: q, Limit: 20})
		if err != nil {
			t.Fatal(err)
		}
		check(q, a, b)
	}
	for _, f := range want.Files() {
		a, err := got.Dependents(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := want.Dependents(f.Path)
		check("dependents of "+f.Path, a, b)
		ra, err := got.Related(t.Context(), f.Path, 10)
		if err != nil {
			t.Fatal(err)
		}
		rb, _ := want.Related(t.Context(), f.Path, 10)
		check("related to "+f.Path, ra, rb)
		ta, _ := got.Tests(f.Path)
		tb, _ := want.Tests(f.Path)
		check("tests of "+f.Path, ta, tb)
		fa, _ := got.File(f.Path)
		fb, _ := want.File(f.Path)
		check("file "+f.Path, fa, fb)
	}
	a, _, _ := got.Symbols(t.Context(), Named{Limit: 10_000})
	b, _, _ := want.Symbols(t.Context(), Named{Limit: 10_000})
	check("symbols", a, b)
}

// TestOldSnapshotsStay asks old snapshots while new ones are made of them.
func TestOldSnapshotsStay(t *testing.T) {
	s := indexed(t, shop)
	before, err := s.Search(t.Context(), Query{Text: "charge customer", Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	group.Go(func() {
		next := s
		for i := range 30 {
			src := []byte(fmt.Sprintf("package pay\n\nfunc Charge(customer int) int { return %d }\n", i))
			var err error
			if next, err = next.With(context.Background(), []Change{{File: parsed(t, "pay/pay.go", src), Source: src}}); err != nil {
				t.Error(err)
			}
		}
	})
	for range 3 {
		group.Go(func() {
			for range 50 {
				after, err := s.Search(context.Background(), Query{Text: "charge customer", Limit: 5})
				if diff := cmp.Diff(before, after); err != nil || diff != "" {
					t.Error(err, diff)
				}
				if _, err := s.Related(context.Background(), "pay/pay.go", 5); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

func TestCancelled(t *testing.T) {
	s := indexed(t, shop)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.With(ctx, []Change{{Gone: true}}); err == nil {
		t.Error("With went on")
	}
	if _, err := s.Compact(ctx); err == nil {
		t.Error("Compact went on")
	}
	dir := t.TempDir()
	if err := s.Save(ctx, dir); err == nil {
		t.Error("Save went on")
	}
	if _, err := Open(t.Context(), dir, Options{}); !IsNotStored(err) {
		t.Errorf("after a cancelled Save: %v", err)
	}
}
