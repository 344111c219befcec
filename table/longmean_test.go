package table

import "testing"

func TestLongMean(t *testing.T) {
	for _, tt := range []struct {
		sum  string
		n    int
		want string
	}{
		{"49382715604938271560493827156049382686", 4, "12345678901234567890123456789012345672"},
		{"49382715604938271560.4938", 4, "12345678901234567890.12345000"},
		{"100000000000000000000", 3, "33333333333333333333.3333"},
		{"-100000000000000000000", 3, "-33333333333333333333.3333"},
		{"10.5", 3, ""},
		{"10000000000000", 0, ""},
	} {
		sum, err := ParseDecimal(tt.sum)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := LongMean(sum, tt.n)
		if ok != (tt.want != "") || ok && got.Text() != tt.want {
			t.Errorf("%s/%d = %s %v, want %s", tt.sum, tt.n, got.Text(), ok, tt.want)
		}
	}
	if _, ok := LongMean(FloatValue(1e20), 2); ok {
		t.Error("a double has no more digits than it has")
	}
}
