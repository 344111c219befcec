package number

import (
	"math"
	"testing"

	"catena/table"
)

// writers are the formats that suggestions for columns give, and some that only the slow way serves.
var writers = func() []Format {
	var out []Format
	for _, spec := range []string{"z,.2f", "z.0f", "+z,.3f", "z.1%", "+z,.2%", "(z,.1f", "z,~", "z~", ",.2f", "z$,.2f", "+z$,.2f", "(z$,.0f", "z,.1f%", "z.18f", "z12,.2f", "z.3e", "az$,.2f"} {
		f, err := Parse(spec)
		if err != nil {
			panic(err)
		}
		out = append(out, f.WithCurrency("EUR"), f.WithCurrency("CHF").WithMinus(TypographicMinus))
	}
	return out
}()

var writerTags = []string{"en", "de", "fr", "ja", "es", "nl", "en-IN", "de-CH", "ar", "sv"}

// The quick way writes what the slow one does.
func FuzzWriter(f *testing.F) {
	for _, n := range []int64{0, 1, -1, 5, -5, 15, 25, 125, -999995, 1204551255, math.MaxInt64, math.MinInt64, 999999999999999999, 1000000000000000000} {
		f.Add(n, uint8(2), 0.145, uint8(0), uint8(0))
		f.Add(n, uint8(0), float64(n)/1000, uint8(7), uint8(1))
		f.Add(n, uint8(30), -2.675, uint8(9), uint8(2))
	}
	f.Fuzz(func(t *testing.T, n int64, scale uint8, x float64, format, tag uint8) {
		form, loc := writers[int(format)%len(writers)], For(writerTags[int(tag)%len(writerTags)])
		w := form.In(loc)
		for _, v := range []table.Value{table.IntValue(n), table.DecimalValue(n>>63, uint64(n), int32(scale%39)), table.FloatValue(x), table.FloatValue(math.Round(x*1000) / 1000)} {
			if v.IsNull() {
				continue
			}
			want, got := form.Text(v, loc), string(w.Append(nil, v))
			if got != want {
				t.Fatalf("%s by %s in %s is %q, want %q", v, form, loc.Tag(), got, want)
			}
		}
	})
}

// Numbers of every size, in every format and locale that is tried.
func TestWriter(t *testing.T) {
	for _, form := range writers {
		for _, tag := range writerTags {
			loc := For(tag)
			w := form.In(loc)
			for n, scale := int64(1), int32(0); n < 1e17; n, scale = n*7+3, (scale+1)%9 {
				for _, v := range []table.Value{table.DecimalValue(0, uint64(n), scale), table.DecimalValue(-1, uint64(-n), scale), table.IntValue(-n), table.FloatValue(float64(n) / 1e6), table.FloatValue(-float64(n%1000) / 8)} {
					if want, got := form.Text(v, loc), string(w.Append(nil, v)); got != want {
						t.Fatalf("%s by %s in %s is %q, want %q", v, form, loc.Tag(), got, want)
					}
				}
			}
		}
	}
}

func BenchmarkWriter(b *testing.B) {
	f, _ := Parse("z$,.2f")
	w, dst := f.WithCurrency("USD").In(For("en")), make([]byte, 0, 64)
	for _, v := range []table.Value{table.DecimalValue(0, 120455125, 2), table.IntValue(45), table.FloatValue(12045.5125)} {
		b.Run(v.Type().String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				dst = w.Append(dst[:0], v)
			}
		})
	}
}
