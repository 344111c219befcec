// Command stats measures how many digits of a column's statistics are right.
//
//	go -C bench run ./stats -data DIR [-split dev] [-n N] [-v] [-json]
//
// DIR holds nist: the univariate sets of NIST's Statistical Reference Datasets and exact_cases.jsonl, cases with exact answers. The values of each are
// written as one column of CSV, loaded as any file is, and profiled; the score of a statistic x whose exact value is c is its log relative error,
// min(15, -log10(|x-c|/|c|)) digits. Whole answers (counts, and zeros) must be equal: 15 or 0.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"catena/bench/sets"
	"catena/profiler"
	"catena/table"
	"catena/table/load"
)

// figures are what the program prints.
type figures struct {
	MinDigits float64            `json:"min_digits"` // of all statistics of all cases
	Digits    map[string]float64 `json:"digits"`     // the least of each statistic
	Cases     int                `json:"cases"`
	Values    int                `json:"values"` // statistics compared
}

// answer is one case: the texts of a column and exact statistics by name.
type answer struct {
	id     string
	values []string
	exact  map[string]json.RawMessage
}

func main() {
	o := sets.Flags("stats", "nist")
	o.Parse()
	f, err := score(o)
	if err == nil {
		for _, name := range slices.Sorted(maps.Keys(f.Digits)) {
			fmt.Printf("%-12s %4.1f digits\n", name, f.Digits[name])
		}
		fmt.Printf("least        %4.1f digits in %d statistics of %d cases\n", f.MinDigits, f.Values, f.Cases)
	}
	o.End(f, err)
}

func score(o *sets.Options) (figures, error) {
	f := figures{MinDigits: 15, Digits: map[string]float64{}}
	cases, err := read(o)
	if err != nil {
		return f, err
	}
	for _, c := range cases {
		m, err := profile(c)
		if err != nil {
			return f, err
		}
		f.Cases++
		for name, raw := range c.exact {
			want, ok := new(big.Rat).SetString(strings.Trim(string(raw), `"`))
			if !ok {
				return f, fmt.Errorf("%s: %s is %s, which is no number", c.id, name, raw)
			}
			got, known := statistic(m, name)
			if name == "count" {
				got, known = new(big.Rat).SetInt64(int64(m.Count-m.NullCount)), true
			}
			digits := 0.0
			if known {
				digits = logRelativeError(got, want)
			}
			if digits < 15 {
				o.Missf("%s: %s is %s, want %s: %.1f digits", c.id, name, text(got), raw, digits)
			}
			if least, seen := f.Digits[name]; !seen || digits < least {
				f.Digits[name] = digits
			}
			f.MinDigits = min(f.MinDigits, digits)
			f.Values++
		}
	}
	return f, nil
}

func text(r *big.Rat) string {
	if r == nil {
		return "missing"
	}
	return r.FloatString(25)
}

// read gives the cases of both kinds.
func read(o *sets.Options) ([]answer, error) {
	var out []answer
	names, err := filepath.Glob(o.Path("nist", "SPLIT", "*.json"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var c struct {
			Name   string                     `json:"name"`
			Values []string                   `json:"values_as_text"`
			Exact  map[string]json.RawMessage `json:"exact"`
		}
		if err := json.Unmarshal(data, &c); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, answer{c.Name, c.Values, c.Exact})
	}
	type record struct {
		ID     string                     `json:"id"`
		Values []string                   `json:"values"`
		Exact  map[string]json.RawMessage `json:"exact"`
	}
	records, err := sets.Lines[record](o.Path("nist", "SPLIT", "exact_cases.jsonl"), o.Limit)
	for _, r := range records {
		out = append(out, answer{r.ID, r.Values, r.Exact})
	}
	return out, err
}

// profile loads the values as a file of one column.
func profile(c answer) (profiler.ColumnMetadata, error) {
	named, err := load.Bytes([]byte("measurement\n"+strings.Join(c.values, "\n")+"\n"), c.id+".csv", table.Limits{})
	if err != nil {
		return profiler.ColumnMetadata{}, err
	}
	return profiler.Profile(context.Background(), named.Table)[0], nil
}

// statistic finds one by the name that the sets give it.
func statistic(m profiler.ColumnMetadata, name string) (*big.Rat, bool) {
	pick := map[string]*float64{"mean": m.Mean, "std": m.Stddev, "std_sample": m.Stddev, "r1": m.Autocorrelation, "median": m.Median}
	if m.Quantiles != nil {
		pick["q25_type7"], pick["q75_type7"] = &m.Quantiles.P25, &m.Quantiles.P75
	}
	switch name {
	case "sum":
		return number(m.Sum)
	case "min":
		return number(m.Min)
	case "max":
		return number(m.Max)
	case "unique":
		return number(m.DistinctCount)
	}
	if f := pick[name]; f != nil {
		return new(big.Rat).SetFloat64(*f), true
	}
	return nil, false
}

// number is a cell as the wire has it.
func number(v any) (*big.Rat, bool) { return new(big.Rat).SetString(fmt.Sprint(v)) }

// logRelativeError is how many digits of got are right, 15 at most.
func logRelativeError(got, want *big.Rat) float64 {
	const most = 15
	diff := new(big.Rat).Sub(got, want)
	if diff.Sign() == 0 {
		return most
	}
	if want.Sign() == 0 {
		return 0
	}
	f, _ := diff.Quo(diff.Abs(diff), want.Abs(want)).Float64()
	return max(0, min(most, -math.Log10(f)))
}
