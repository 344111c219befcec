package data

import (
	"catena/table/loadtest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLookAlikes(t *testing.T) {
	text := "country,n\n" + strings.Repeat("United Kingdom,1\n", 5) + "Untied Kingdom,2\nU.S.A.,3\nUSA,4\nUSA,5\nAustria,6\nAustralia,7\n 1.2,8\n12x,9\n"
	c := &cleaning{t: loadtest.ReadCSV(t, text).Table}
	if err := c.lookAlikes(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`"U.S.A." and "USA" in country may be the same; they were left as they are.`,
		`"Untied Kingdom" and "United Kingdom" in country may be the same; they were left as they are.`,
	}
	if diff := cmp.Diff(want, c.notes); diff != "" {
		t.Error(diff)
	}
}
