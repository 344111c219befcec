package csv_test

import (
	"testing"

	"catena/table/loadtest"
)

// A sign that ends every cell of a column is no part of the delimiter.
func TestSignsAreNoDelimiter(t *testing.T) {
	for _, text := range []string{"growth %,other\n+17.22%,x y\n-10.65%,x y\n+3.1%,x y\n", "sum in $;other\n17.22$;x y\n10.65$;x y\n3.10$;x y\n"} {
		got := loadtest.LoadOne(t, []byte(text), "t.csv")
		if c := got.Table.Column(0); c.Unit == "" || got.Table.NumCols() != 2 {
			t.Errorf("%q: %+v", text, c)
		}
	}
}
