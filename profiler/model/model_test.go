package model

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"testing"
)

func TestKinds(t *testing.T) {
	m := &Embedded().Kinds
	tests := []struct {
		want Kind
		c    Column
	}{
		{Numeric, Column{Name: "weight", Samples: []string{"70.25", "81.5", "66.125", "90.75", "59.5"}, Rows: 5000, Distinct: 3100, Mean: 72.5, Std: 11.25, Min: 38.5, Max: 121.75}},
		{Categorical, Column{Name: "status", Samples: []string{"open", "closed", "pending", "open", "closed"}, Rows: 5000, Distinct: 3}},
		{DateTime, Column{Name: "order_date", Samples: []string{"2024-01-05", "2024-02-17", "2024-03-02", "2024-03-30", "2024-05-11"}, Rows: 5000, Distinct: 700}},
		{URL, Column{Name: "homepage", Samples: []string{"https://example.org/a", "https://example.org/b", "https://example.org/c", "https://example.com/", "https://example.net/x"}, Rows: 900, Distinct: 900}},
		{Sentence, Column{Name: "description", Samples: []string{"The bridge was closed for repairs in the spring of that year.", "It is not known who built the tower, or why.", "A long road that leads to the sea and to the old harbour.",
			"There were many people in the square when the bells began to ring.", "We have not been able to find the letter that he wrote."}, Rows: 900, Distinct: 880}},
		{NotGeneralizable, Column{Name: "version", Samples: []string{"v1", "v1", "v1", "v1", "v1"}, Rows: 9000, Distinct: 1}},
	}
	for _, tt := range tests {
		if got, p := m.Best(&tt.c); got != tt.want {
			t.Errorf("%s: %s (%.2f), want %s", tt.c.Name, got, p, tt.want)
		}
	}
}

func TestShows(t *testing.T) {
	m := &Embedded().Shows
	tests := []struct {
		want Show
		w    Words
	}{
		{ShowMoney, Words{Name: "total_amount_paid", Title: "Total Amount Paid"}},
		{ShowPercent, Words{Name: "pct_vacant", Title: "Percent Vacant"}},
		{ShowDate, Words{Name: "issue_date", Title: "Issue Date"}},
		{ShowURL, Words{Name: "website", Title: "Website URL", Description: "Link to the web page"}},
		{ShowText, Words{Name: "agency_name", Title: "Agency Name"}},
	}
	for _, tt := range tests {
		if got := m.Best([]Words{tt.w})[0]; got.Show != tt.want {
			t.Errorf("%s: %s (%.2f), want %s", tt.w.Name, got.Show, got.Probability, tt.want)
		}
	}
}

func TestProbabilities(t *testing.T) {
	for _, c := range []Column{{}, {Name: "x", Samples: []string{"", ""}, Rows: 2, Nulls: 2}, {Name: "€", Samples: []string{"1e308", "-1e308"}, Mean: math.Inf(1), Max: math.NaN()}} {
		sum := float32(0)
		for _, p := range Embedded().Kinds.Predict(&c) {
			sum += p
		}
		if math.Abs(float64(sum)-1) > 1e-4 {
			t.Errorf("%+v: the probabilities add up to %v", c, sum)
		}
	}
}

func TestWeightsRoundTrip(t *testing.T) {
	var b bytes.Buffer
	if err := Embedded().Write(&b); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), embedded) {
		t.Error("what is written again differs from what is embedded")
	}
	const limit = 1_100_000
	if len(embedded) > limit {
		t.Errorf("%d bytes are embedded, %d at most", len(embedded), limit)
	}
	for _, damaged := range [][]byte{nil, []byte("catena-model\x02"), embedded[:len(embedded)/2]} {
		if _, err := Read(bytes.NewReader(damaged)); err == nil {
			t.Errorf("%d damaged bytes are read", len(damaged))
		}
	}
	if _, err := Read(bytes.NewReader([]byte("something else entirely"))); !errors.Is(err, ErrWeights) {
		t.Errorf("other bytes: %v", err)
	}
}

func TestNoAllocation(t *testing.T) {
	m := Embedded()
	c := Column{Name: "unit_price_eur", Samples: []string{"1.5", "2.5", "17", "3.25", ""}, Rows: 1000, Nulls: 10, Distinct: 300, Mean: 3, Std: 2, Min: 1, Max: 17}
	w := []Words{{Name: "unit_price_eur", Title: "Unit price (EUR)", Description: "Price of one unit, taxes included"}}
	if n := testing.AllocsPerRun(100, func() { m.Kinds.Predict(&c); m.Shows.Predict(w) }); n > 8 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzPredict(f *testing.F) {
	f.Add("name", "a cell", "another", "a description", 10, 1, 2, 1.5)
	f.Fuzz(func(t *testing.T, name, a, b, description string, rows, nulls, distinct int, mean float64) {
		c := Column{Name: name, Samples: []string{a, b}, Rows: rows, Nulls: nulls, Distinct: distinct, Mean: mean}
		for _, p := range Embedded().Kinds.Predict(&c) {
			if !(p >= 0 && p <= 1) {
				t.Errorf("%+v: probability %v", c, p)
			}
		}
		for _, p := range Embedded().Shows.Predict([]Words{{Name: name, Title: a, Description: description}, {Name: b}, {Title: a}}) {
			for _, x := range p {
				if !(x >= 0 && x <= 1) {
					t.Errorf("%q %q %q: probability %v", name, a, description, x)
				}
			}
		}
	})
}

func ExampleShows_Best() {
	best := Embedded().Shows.Best([]Words{{Name: "total_amount_paid", Title: "Total Amount Paid"}})
	fmt.Println(best[0].Show)
	// Output: Currency
}

func BenchmarkKinds(b *testing.B) {
	m := Embedded()
	c := Column{Name: "status_code", Samples: []string{"12", "14", "12", "17", "19"}, Rows: 1000, Nulls: 10, Distinct: 30, Mean: 15, Std: 2, Min: 12, Max: 19}
	b.ReportAllocs()
	for b.Loop() {
		m.Kinds.Predict(&c)
	}
}

func BenchmarkShows(b *testing.B) {
	m := Embedded()
	w := []Words{{Name: "unit_price_eur", Title: "Unit price (EUR)", Description: "Price of one unit, taxes included"}}
	b.ReportAllocs()
	for b.Loop() {
		m.Shows.Predict(w)
	}
}
