package data

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
	"catena/table"
	"catena/table/csv"
	"catena/table/loadtest"
)

func testIndex(t testing.TB) *Index {
	people := loadtest.ReadCSV(t, "name,country,code,mood\nÉmile Noir,Germany,00017,sun\nOlga von Berg,USA,00018,rain\nEmil Noir,USA,00019,drizzle\nOlga Klein,Germany,00020,rain\n").Table
	trips := loadtest.ReadCSV(t, "from,to\nORD,LAX\nLAX,ORD\nORD,SEA\n").Table
	return NewIndex([]table.Named{{Name: "people", Table: people}, {Name: "trips", Table: trips}})
}

func TestIndexFind(t *testing.T) {
	cases := []struct {
		phrase string
		want   []string // table.column=value match rows/values
	}{
		{"germany", []string{"people.country=Germany exact 2/1"}},
		{"American", []string{"people.country=USA synonym 2/1"}},
		{"rainy", []string{"people.mood=rain synonym 2/1"}},
		{"emile noir", []string{"people.name=Émile Noir exact 1/1"}},
		{"olga", []string{"people.name=Olga von Berg prefix 2/2"}},
		{"berg", []string{"people.name=Olga von Berg word 1/1"}},
		{"ord", []string{"trips.from=ORD exact 2/1", "trips.to=ORD exact 1/1"}},
		{"germny", []string{"people.country=Germany fuzzy 2/1"}},
		{"us", nil}, // a word, not the country
		{"US", []string{"people.country=USA synonym 2/1"}},
		{"atlantis", nil},
		{"", nil},
		{strings.Repeat("x", 1000), nil},
	}
	ix := testIndex(t)
	for _, c := range cases {
		var got []string
		for _, h := range ix.Find(t.Context(), c.phrase) {
			got = append(got, fmt.Sprintf("%s.%s=%s %s %d/%d", h.Table, h.Column, h.Value, h.Match, h.Rows, h.Values))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: %s", c.phrase, diff)
		}
	}
}

// A column that writes one thing in several ways is told to hold all of them.
func TestIndexSpellings(t *testing.T) {
	ix := NewIndex([]table.Named{{Name: "t", Table: loadtest.ReadCSV(t, "land,state\nGermany,open\nDeutschland,OPEN\ngermany,closed\nGermany,open\nFrance,open\n").Table}})
	for phrase, want := range map[string]string{
		"Germany": "Germany germany Deutschland", "deutsche": "Germany germany Deutschland", "offenen": "open OPEN", "France": "",
	} {
		hits := ix.Find(t.Context(), phrase)
		if len(hits) != 1 || strings.Join(hits[0].Same, " ") != want {
			t.Errorf("%s: %+v", phrase, hits)
		}
	}
}

// What was found of a phrase is kept, whatever a planner does with it; a search that was ended is not.
func TestIndexKeepsHits(t *testing.T) {
	ix := testIndex(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got := ix.Find(ended, "ord"); len(got) != 0 {
		t.Errorf("after its end: %v", got)
	}
	first := ix.Find(t.Context(), "ord")
	first[0].Table = "changed"
	if again := ix.Find(t.Context(), "ord"); len(again) != 2 || again[0].Table != "trips" || len(ix.found) != 1 {
		t.Errorf("%v, %d phrases are kept", again, len(ix.found))
	}
}

func TestIndexIsShared(t *testing.T) {
	cache := &IndexCache{Max: 1}
	a, b := loadtest.ReadCSV(t, "x\nred\n").Table, loadtest.ReadCSV(t, "x\nblue\n").Table
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			ix := cache.Over([]table.Named{{Name: "a", Table: a}, {Name: "b", Table: b}})
			phrase := []string{"red", "blue"}[i%2]
			if got := ix.Find(t.Context(), phrase); len(got) != 1 {
				t.Errorf("%q gave %v", phrase, got)
			}
		})
	}
	wg.Wait()
	if n := len(cache.kept); n > 1 {
		t.Errorf("%d tables are kept, 1 is allowed", n)
	}
}

func TestDescribeFacts(t *testing.T) {
	info := Describe("sales", loadtest.ReadCSV(t, "client_id,year,month,amount,share %,note\n0001,2024,1,\"1,200\",5,\n0002,2025,12,80,,x\n").Table)
	got := map[string]string{}
	for _, c := range info.Columns {
		got[c.Name] = fmt.Sprintf("%s %s %s..%s %d/%d", c.Type, c.Role, c.Min, c.Max, c.Distinct, c.Nulls)
	}
	want := map[string]string{
		"client_id": "text identifier .. 2/0", "year": "integer time 2024..2025 2/0", "month": "integer time 1..12 2/0",
		"amount": "integer measure 80..1200 2/0", "share %": "integer measure 5..5 1/1", "note": "text dimension .. 1/1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkIndexFind(b *testing.B) {
	var text strings.Builder
	text.WriteString("title,maker\n")
	for i := range 20_000 {
		fmt.Fprintf(&text, "The %d tales of %c%d,Maker %d\n", i, 'a'+rune(i%26), i/3, i%300)
	}
	n, err := csv.Read(strings.NewReader(text.String()), "t", table.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	ix := NewIndex([]table.Named{{Name: "t", Table: n.Table}})
	ix.Find(b.Context(), "warm up")
	for b.Loop() {
		ix.Find(b.Context(), "the tales of maker 12")
	}
}

func ExampleIndex() {
	n, _ := csv.Read(strings.NewReader("car,origin\nbeetle,Germany\npinto,USA\n"), "cars.csv", table.Limits{})
	ix := NewIndex([]table.Named{{Name: "cars", Table: n.Table}})
	var v plan.Values = ix
	for _, h := range v.Find(context.Background(), "German") {
		fmt.Println(h.Column, h.Value, h.Match)
	}
	// Output: origin Germany synonym
}

// Indexes that take too much together go, the least recently used first; the newest stays.
func TestIndexCacheBytes(t *testing.T) {
	cache := &IndexCache{Bytes: 1}
	for _, text := range []string{"a\nOslo\n", "a\nRome\n", "a\nLima\n"} {
		tab := loadtest.ReadCSV(t, text).Table
		if hits := cache.Over([]table.Named{{Name: "t", Table: tab}}).Find(t.Context(), strings.TrimSpace(text[2:])); len(hits) != 1 {
			t.Fatalf("%q: %v", text, hits)
		}
		if len(cache.kept) != 1 || cache.kept[tab.Fingerprint()] == nil {
			t.Errorf("%d indexes are kept, want the newest", len(cache.kept))
		}
	}
}

// The facts of a trusted table hold values; the same rows of an upload must not get them.
func TestFactsByTrust(t *testing.T) {
	cache := newFacts(4)
	tab := loadtest.ReadCSV(t, "city,n\nOslo,1\nOslo,2\nRome,3\n").Table
	if a, b := cache.entry(SourceTable{Table: tab, Trusted: true}), cache.entry(SourceTable{Table: tab}); a == b {
		t.Error("trusted and other tables share their facts")
	}
	if a, b := cache.entry(SourceTable{Table: tab}), cache.entry(SourceTable{Table: loadtest.ReadCSV(t, "city,n\nOslo,1\nOslo,2\nRome,3\n").Table}); a != b {
		t.Error("the same rows are described twice")
	}
}

// NewIndex is an index over tables with a cache of its own.
func NewIndex(tables []table.Named) *Index { return (&IndexCache{Max: len(tables) + 1}).Over(tables) }

// Only results with the same cells in the same order have one digest.
func TestDigest(t *testing.T) {
	a, b := loadtest.ReadCSV(t, "x,y\n1,a\n2,b\n").Table, loadtest.ReadCSV(t, "p,q\n1,a\n2,b\n").Table
	if digestOf(a) == 0 || digestOf(a) != digestOf(b) || digestOf(a.Slice(0, 0)) != 0 {
		t.Error("names of columns count, or no cells do")
	}
	for _, other := range []string{"x,y\n2,b\n1,a\n", "x,y\n1,a\n2,\n", "x\n1\n2\n"} {
		if digestOf(loadtest.ReadCSV(t, other).Table) == digestOf(a) {
			t.Errorf("%q has the digest of others", other)
		}
	}
}

// Large results are compared, too, by some of their rows and by how many there are: a list of a whole table is one that
// two readings of a question give.
func TestDigestOfMany(t *testing.T) {
	text := func(rows int, last string) string {
		var b strings.Builder
		b.WriteString("x,y\n")
		for i := range rows {
			fmt.Fprintf(&b, "%d,%s\n", i, last)
		}
		return b.String()
	}
	a := loadtest.ReadCSV(t, text(maxDigested, "a")).Table
	b := loadtest.ReadCSV(t, text(maxDigested, "a")).Table
	if digestOf(a) == 0 || digestOf(a) != digestOf(b) || contentOf(a) != contentOf(b) {
		t.Error("the same cells have two digests, or none")
	}
	for _, other := range []string{text(maxDigested-1, "a"), text(maxDigested, "b")} {
		if o := loadtest.ReadCSV(t, other).Table; digestOf(o) == digestOf(a) || contentOf(o) == contentOf(a) {
			t.Error("other cells have the same digest")
		}
	}
}

// The facts of uploads are bounded by their columns, and take no room from those of the operator's tables.
func TestFactsOfUploadsByColumns(t *testing.T) {
	cache := newFacts(4) // 512 columns of uploads
	own := SourceTable{Name: "own", Table: loadtest.ReadCSV(t, "city,n\nOslo,1\n").Table}
	kept := cache.entry(own)
	upload := func(n int) SourceTable {
		text := strings.Repeat("1,", 300) + fmt.Sprint(n)
		return SourceTable{Name: "wide", Source: sourceUpload, Table: loadtest.ReadCSV(t, text+"\n"+text+"\n").Table}
	}
	first, second := upload(1), upload(2)
	a := cache.entry(first)
	if cache.entry(first) != a {
		t.Error("the newest upload is described twice")
	}
	if cache.entry(second); cache.entry(first) == a {
		t.Error("more columns are kept than may be")
	}
	if cache.entry(own) != kept {
		t.Error("uploads took the place of an operator's table")
	}
}
