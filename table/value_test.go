package table

import (
	"math"
	"math/big"
	"testing"
	"time"
)

func TestParseDecimal(t *testing.T) {
	for in, want := range map[string]string{"0": "0", "-0.50": "-0.50", "+7": "7", ".5": "0.5", "1.5e3": "1500", "15e-3": "0.015", "00012.3": "12.3",
		"99999999999999999999999999999999999999":    "99999999999999999999999999999999999999",
		"-0.00000000000000000000000000000000000001": "-0.00000000000000000000000000000000000001",
		"1234567890123456789.0123456789":            "1234567890123456789.0123456789"} {
		v, err := ParseDecimal(in)
		if err != nil || v.Text() != want {
			t.Errorf("%s: got %s, %v, want %s", in, v, err, want)
		}
	}
	for _, in := range []string{"", "-", ".", "1.2.3", "1,2", "abc", "NaN", "Infinity", "1e400", "1e-400", "100000000000000000000000000000000000000", "0.000000000000000000000000000000000000001"} {
		if v, err := ParseDecimal(in); err == nil {
			t.Errorf("%q gave %s", in, v)
		}
	}
}

func FuzzParseDecimal(f *testing.F) {
	for _, s := range []string{"1.50", "-0.001", "1e10", "12345678901234567890.5", "+.5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseDecimal(s)
		if err != nil {
			return
		}
		again, err := ParseDecimal(v.Text())
		if err != nil || !Equal(v, again) || v.Scale() != again.Scale() {
			t.Fatalf("%q gave %s, which gives %s, %v", s, v, again, err)
		}
		if got, ok := new(big.Rat).SetString(v.Text()); !ok || v.Apd().Sign() != got.Sign() {
			t.Fatalf("%q gave %s", s, v)
		}
		exact, _ := new(big.Rat).SetString(v.Text())
		want, _ := exact.Float64()
		if f, ok := v.Float(); !ok || f != want {
			t.Fatalf("%s as a double is %v, want %v", v, f, want)
		}
	})
}

func TestCompare(t *testing.T) {
	ordered := []Value{FloatValue(-1e300), IntValue(math.MinInt64), exact(t, "-0.01"), IntValue(0), exact(t, "0.1"), FloatValue(0.1), // the double is a bit more than 0.1
		IntValue(1 << 53), IntValue(1<<53 + 1), FloatValue(1<<53 + 2), IntValue(math.MaxInt64), FloatValue(1 << 63), exact(t, "9223372036854775808.1"), TextValue("a"), TextValue("b"), NullValue}
	for i, a := range ordered {
		for j, b := range ordered {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := Compare(a, b); got != want {
				t.Errorf("%s %s and %s %s: got %d, want %d", a.Type(), a, b.Type(), b, got, want)
			}
		}
	}
	for _, pair := range [][2]Value{{IntValue(2), exact(t, "2.00")}, {FloatValue(0.5), exact(t, "0.50")}, {FloatValue(-3), IntValue(-3)}, {DateValue(2024, 1, 1), DateTimeValue(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))}} {
		if !Equal(pair[0], pair[1]) {
			t.Errorf("%s and %s differ", pair[0], pair[1])
		}
	}
}

func TestNumbers(t *testing.T) {
	if !FloatValue(math.NaN()).IsNull() || !FloatValue(math.Inf(-1)).IsNull() {
		t.Error("NaN and infinity are not null")
	}
	for _, tt := range []struct {
		v    Value
		i    int64
		ok   bool
		text string
	}{
		{IntValue(5), 5, true, "5"}, {exact(t, "5.00"), 5, true, "5.00"}, {exact(t, "5.10"), 0, false, "5.10"}, {FloatValue(1e21), 0, false, "1e+21"},
		{FloatValue(-8), -8, true, "-8"}, {FloatValue(0.5), 0, false, "0.5"}, {FloatValue(123456789.5), 0, false, "123456789.5"}, {TextValue("5"), 0, false, "5"},
	} {
		if i, ok := tt.v.Int(); ok != tt.ok || ok && i != tt.i {
			t.Errorf("%s: got %d %v", tt.v, i, ok)
		}
		if tt.v.Text() != tt.text {
			t.Errorf("got %q, want %q", tt.v.Text(), tt.text)
		}
	}
	if s := FloatValue(0.1).Apd().Text('f'); s != "0.1000000000000000055511151231257827021181583404541015625" {
		t.Errorf("the double nearest to 0.1 is %s", s)
	}
	if v := IntValue(maxSafeInt + 1).Any(); v != "9007199254740993" {
		t.Errorf("got %v", v)
	}
}

func exact(t testing.TB, s string) Value {
	t.Helper()
	v, err := ParseDecimal(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
