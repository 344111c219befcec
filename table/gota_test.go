package table

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/google/go-cmp/cmp"
)

// TestGotaIsLossless takes tables of all types to gota and back.
func TestGotaIsLossless(t *testing.T) {
	eachOdd(t, func(t *testing.T, _ *rand.Rand, tab *Table) {
		if tab.NumRows() > 300 {
			tab = tab.Slice(0, 300)
		}
		df, err := GotaFrame(tab)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tab.Names(), df.Names()); diff != "" {
			t.Errorf("the order of the columns: %s", diff)
		}
		again, err := FromGota(df, tab.Columns()...)
		if err != nil {
			t.Fatal(err)
		}
		if again.Fingerprint() != tab.Fingerprint() {
			sameRows(t, "again", again, allRows(tab))
			t.Errorf("columns were %v, are %v", tab.Columns(), again.Columns())
		}
	})
}

func allRows(tab *Table) [][]Value {
	rows := make([]int, tab.NumRows())
	for i := range rows {
		rows[i] = i
	}
	return takeRows(tab, rows)
}

// FuzzGota takes frames to a table and back, by way of gota's own types and of texts that are read by hints: what comes back is what went in,
// or there is an error.
func FuzzGota(f *testing.F) {
	f.Add("01234", 1e-9, int64(1)<<60, true, uint8(0))
	f.Add("NA", math.Copysign(0, -1), int64(-1), false, uint8(3))
	f.Add("1.50", 0.1, int64(0), false, uint8(4))
	f.Add("2024-02-29", math.MaxFloat64, int64(7), true, uint8(6))
	f.Add("nan", math.NaN(), int64(7), true, uint8(10))
	f.Fuzz(func(t *testing.T, text string, x float64, i int64, b bool, typ uint8) {
		df := dataframe.New(series.New([]string{text, "b"}, series.String, "text"), series.New([]float64{x, 1}, series.Float, "float"),
			series.New([]int{int(i), 1}, series.Int, "int"), series.New([]bool{b, true}, series.Bool, "bool"))
		tab, err := FromGota(df)
		if err != nil {
			var wrong *TypeError
			if !math.IsInf(x, 0) || !errors.As(err, &wrong) || wrong.Column != "float" {
				t.Fatal(err)
			}
			return
		}
		again, err := GotaFrame(tab)
		if err != nil {
			t.Fatal(err)
		}
		for c, name := range df.Names() {
			was, is := df.Col(name).Elem(0), again.Col(name).Elem(0)
			if was.IsNA() != is.IsNA() || !was.IsNA() && was.Val() != is.Val() {
				t.Errorf("%s was %v, is %v by way of %s", name, was, is, tab.Value(0, c))
			}
		}
		if got := tab.Value(0, 0); text != "NaN" && got.Text() != text {
			t.Errorf("the text %q became %q", text, got.Text())
		}
		// A text that is read as another type is written as it was, but for what says the same: signs, zeros, exponents.
		hint := Column{Name: "text", Type: Type(typ % 11), Scale: 2}
		read, err := FromGota(textFrame(text), hint)
		if err != nil {
			return
		}
		back, err := GotaFrame(read)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := FromGota(back, hint)
		if err != nil || twice.Fingerprint() != read.Fingerprint() {
			t.Errorf("%q as %s: %v, then %v, %v", text, hint.Type, read.Row(0), twice.Row(0), err)
		}
		if v := read.Value(0, 0); hint.Type == Decimal && !v.IsNull() {
			if was, err := ParseDecimal(text); err == nil && !Equal(was, v) {
				t.Errorf("%q was read as %s", text, v)
			}
		}
	})
}

func textFrame(text string) dataframe.DataFrame {
	return dataframe.New(series.New([]string{text}, series.String, "text"))
}

// TestGotaTraps shows that the table's way does not go through what gota gets wrong.
func TestGotaTraps(t *testing.T) {
	b := NewBuilder(Column{Name: "z", Type: Float}, Column{Name: "code", Type: Text}, Column{Name: "a_b", Type: Text}, Column{Name: "day", Type: Date})
	for i, code := range []string{"01234", "NA", "null", "", "1e5"} {
		v := FloatValue(math.Pow10(-9 * i))
		if i == 1 {
			v = NullValue
		}
		if err := b.Append(v, TextValue(code), TextValue(strconv.Itoa(i)), DateValue(2024, 2, 29)); err != nil {
			t.Fatal(err)
		}
	}
	tab := b.Table()
	df, err := GotaFrame(tab)
	if err != nil {
		t.Fatal(err)
	}
	again, err := FromGota(df, tab.Columns()...)
	if err != nil {
		t.Fatal(err)
	}
	sameRows(t, "again", again, allRows(tab))
	if none, err := FromGota(dataframe.New(series.New([]int64{1, 2}, series.Int, "n"))); err != nil || !none.IsNull(0, 0) {
		t.Errorf("a series of []int64 is all null in gota itself: %v, %v", none, err)
	}
}
