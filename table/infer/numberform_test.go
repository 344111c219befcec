package infer

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestNumberForm checks that a number read by words is the one that PlainNumber reads, and nothing else is one.
func TestNumberForm(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const signs = "0123456789.-+ e/:"
	read := 0
	for range 200_000 {
		size, scale := 1+r.IntN(16), r.IntN(8)
		b := []byte(strings.Repeat("7", 16-size))
		for range size {
			b = append(b, signs[r.IntN(10)])
		}
		switch r.IntN(4) {
		case 0:
			b[16-size] = '-'
		case 1:
			b[16-1-r.IntN(size)] = signs[10+r.IntN(7)]
		}
		if scale > 0 && scale < size {
			b[15-scale] = '.'
		}
		s := string(b)
		form := FormOf(int32(scale))
		got, ok := form.Read(s, uint32(size))
		ok = ok && form.Known
		want, wantScale, wantOK := PlainNumber(s[16-size:])
		if ok && (!wantOK || got != want || int(wantScale) != scale) {
			t.Fatalf("%q with %d digits behind the point is %d: %d, %d, %v", s[16-size:], scale, got, want, wantScale, wantOK)
		}
		if usual := wantOK && int(wantScale) == scale && scale <= 6 && s[16-size] != '+' && s[16-size] != '.' && !strings.HasPrefix(s[16-size:], "-."); ok != usual {
			t.Fatalf("%q with %d digits behind the point: %v", s[16-size:], scale, ok)
		}
		if ok {
			read++
		}
	}
	if read < 20_000 {
		t.Errorf("only %d were numbers", read)
	}
}
