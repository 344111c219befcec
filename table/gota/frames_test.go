package gota_test

import (
	"errors"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/gota"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

func TestGotaRoundTrip(t *testing.T) {
	tab := loadtest.Sample(t)
	df, err := gota.FromTable(tab)
	if err != nil {
		t.Fatal(err)
	}
	again, err := gota.ToTable(df, tab.Columns()...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tabletest.Rows(tab), tabletest.Rows(again)); diff != "" {
		t.Error(diff)
	}
	for c := range tab.NumCols() {
		if tab.Column(c) != again.Column(c) {
			t.Errorf("%v became %v", tab.Column(c), again.Column(c))
		}
	}
	plain, err := gota.ToTable(df)
	if err != nil {
		t.Fatal(err)
	}
	if want := "bool:boolean int:integer float:float dec:text text:text date:text at:text zoned:text time:text dur:text json:text none:text"; loadtest.Kinds(plain) != want {
		t.Errorf("got %s", loadtest.Kinds(plain))
	}
	if df, err = gota.FromTable(tab.Slice(0, 0)); err != nil || df.Ncol() != tab.NumCols() {
		t.Errorf("no rows: %v", err)
	}
}

func TestGotaRefuses(t *testing.T) {
	b := table.NewBuilder(table.Column{Name: "t", Type: table.Text})
	if err := b.Append(table.TextValue("NaN")); err != nil {
		t.Fatal(err)
	}
	var typ *table.TypeError
	if _, err := gota.FromTable(b.Table()); !errors.As(err, &typ) || typ.Column != "t" {
		t.Errorf("the text NaN: got %v", err)
	}
	if _, err := gota.FromTable(table.NewBuilder().Table()); err == nil {
		t.Error("a table without columns was taken")
	}
	df := dataframe.New(series.New([]string{"1.5", "x"}, series.String, "a"))
	if _, err := gota.ToTable(df, table.Column{Name: "a", Type: table.Decimal, Scale: 2}); !errors.As(err, &typ) {
		t.Errorf("x as a decimal: got %v", err)
	}
	var unknown *table.UnknownColumnError
	if _, err := gota.ToTable(df, table.Column{Name: "b", Type: table.Text}); !errors.As(err, &unknown) {
		t.Errorf("an unknown hint: got %v", err)
	}
	if _, err := gota.ToTable(dataframe.DataFrame{Err: errors.New("broken")}); err == nil {
		t.Error("a broken frame was taken")
	}
}
