package profiler

import (
	"context"
	"slices"
	"testing"

	"catena/table"
	"catena/table/load"
)

func TestNumberedNamesAreNoUnits(t *testing.T) {
	for _, n := range ReadNames("", []string{"m0", "m1", "m2", "m3"}) {
		if n.Unit != "" {
			t.Errorf("%s in %s", n.Label, n.Unit)
		}
	}
	if n := ReadNames("", []string{"plot", "m2"})[1]; n.Unit != "m²" {
		t.Errorf("m2 is in %q", n.Unit)
	}
}

func TestDatesInSeveralFormsSayWhy(t *testing.T) {
	for text, want := range map[string]string{
		"d,v\n2026-01-05,1\n05.02.2026,2\nMarch 3 2026,3\n": "dates or times stored as text: they are written in more ways than one",
		"d,v\n01/02/2026,1\n03/04/2026,2\n05/06/2026,3\n":   "dates or times stored as text",
	} {
		named, err := load.Bytes([]byte(text), "x.csv", table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := Profile(context.Background(), named.Table)[0].Warnings; !slices.Contains(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// What is numbered begins at one; short names for how many there are begin at zero, and come again.
func TestNumbersThatCount(t *testing.T) {
	for text, want := range map[string]string{
		"paper,citation_num\na,0\nb,7\nc,2\nd,7\ne,0\n": RoleMeasure,
		"bout,round_num\na,1\nb,3\nc,2\nd,3\ne,1\n":     RoleIdentifier,
		"box,slot_num\na,0\nb,1\nc,2\nd,3\ne,4\n":       RoleIdentifier,
	} {
		named, err := load.Bytes([]byte(text), "x.csv", table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := Profile(context.Background(), named.Table)[1].Role; got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// The regions 1, 2 and 3 are labels, as classes are; how many regions there are is a number.
func TestNumberedPlaces(t *testing.T) {
	for text, want := range map[string]string{
		"shop,region\na,1\nb,2\nc,1\nd,3\ne,3\nf,2\ng,1\n":            RoleDimension,
		"shop,territory\na,10\nb,20\nc,10\nd,30\ne,30\nf,20\n":        RoleDimension,
		"shop,num_regions\na,12\nb,25\nc,12\nd,37\ne,8\nf,25\ng,41\n": RoleMeasure,
		"shop,customers_per_city\na,120\nb,250\nc,120\nd,370\ne,80\n": RoleMeasure,
	} {
		named, err := load.Bytes([]byte(text), "x.csv", table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := Profile(context.Background(), named.Table)[1].Role; got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
