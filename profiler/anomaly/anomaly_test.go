package anomaly

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestOutliersByShape(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	normal, skew, series, steady := make([]float64, 200), make([]float64, 200), make([]float64, 200), make([]float64, 200)
	for i := range normal {
		normal[i] = 100 + 5*r.NormFloat64()
		skew[i] = math.Exp(3 + r.NormFloat64())
		series[i] = 1000 + 20*float64(i) + 300*math.Sin(float64(i)/6) + 5*r.NormFloat64()
		steady[i] = 7
	}
	tests := []struct {
		name   string
		x      []float64
		row    int
		value  float64
		method string
	}{
		{"normal", normal, 50, 160, MethodMedian},
		{"skewed", skew, 60, 60_000, MethodLog},
		{"series", series, 70, 3600, MethodNeighbour},
		{"steady", steady, 80, 70, MethodConstant},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if clean := outliers(tt.x); len(clean) > 1 {
				t.Errorf("%d false alarms in 200 clean numbers: %+v", len(clean), clean)
			}
			tt.x[tt.row] = tt.value
			got := outliers(tt.x)
			if len(got) == 0 || got[0].Row != tt.row || got[0].Value != tt.value || got[0].Method != tt.method || got[0].Why == "" {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestOutliersNeedAShape(t *testing.T) {
	if got := outliers([]float64{1, 2, 3, 4, 5, 6, 7000}); got != nil {
		t.Errorf("seven numbers: %+v", got)
	}
	half := []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 6, 7}
	if got := outliers(half); len(got) != 0 {
		t.Errorf("numbers that are often zero: %+v", got)
	}
}

// outliers is Outliers over plain numbers in the order of their rows; rows are indexes into x.
func outliers(x []float64) []Outlier { return outliersIn(x, nil, nil) }
