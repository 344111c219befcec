// Command nist measures how many digits of linear regressions and analyses of variance are right, against the certified
// values of NIST's Statistical Reference Datasets.
//
//	go -C bench run ./nist -data DIR [-v] [-json]
//
// The sets of regressions with several terms are beside the program: Filip, Longley, Pontius, Wampler1, 2 and 5. DIR
// holds further ones in NIST's own form (Norris.dat, the .dat files of the analyses of variance), in any folder. The
// score of a figure x whose certified value is c is its log relative error, min(15, -log10(|x-c|/|c|)) digits; a
// certified 0 must be met. Certified values have 15 digits, so a figure that is right has 14.3 at least.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/big"
	"path/filepath"
	"slices"
	"strings"

	"catena/bench/sets"
	"catena/query"
	"catena/query/run"
	"catena/table"
	"catena/tools/data/leastsquares"
)

// figures are what the program prints.
type figures struct {
	MinDigits float64            `json:"min_digits"`
	Sets      map[string]float64 `json:"sets"` // the least digits of each set
	Values    int                `json:"values"`
}

// set is a data set with what is certified of it.
type set struct {
	Name         string     `json:"name"`
	Degree       int        `json:"degree"`
	Y            []string   `json:"y"`
	X            [][]string `json:"x"`
	Coefficients []string   `json:"coefficients"`
	Errors       []string   `json:"errors"`
	RSquared     string     `json:"r_squared"`
	Deviation    string     `json:"deviation"`
	Rest         string     `json:"rest"`
	Explained    string     `json:"explained"`
	F            string     `json:"f"`
	groups       []string   // of an analysis of variance, in place of X
}

//go:embed testdata/linear.jsonl
var linear string

func main() {
	o := sets.Flags("nist", "NIST's .dat files")
	o.Parse()
	f, err := score(o)
	if err == nil {
		for _, name := range slices.Sorted(maps.Keys(f.Sets)) {
			fmt.Printf("%-12s %4.1f digits\n", name, f.Sets[name])
		}
		fmt.Printf("least        %4.1f digits in %d figures of %d sets\n", f.MinDigits, f.Values, len(f.Sets))
	}
	o.End(f, err)
}

func score(o *sets.Options) (figures, error) {
	f := figures{MinDigits: 15, Sets: map[string]float64{}}
	list, err := read(o)
	if err != nil {
		return f, err
	}
	for _, s := range list {
		if err := f.judge(o, s); err != nil {
			return f, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return f, nil
}

// read gives the sets beside the program, and those in the folder.
func read(o *sets.Options) (list []set, err error) {
	for _, line := range strings.Split(strings.TrimSpace(linear), "\n") {
		var s set
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	err = filepath.WalkDir(o.Data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.EqualFold(filepath.Ext(path), ".dat") {
			return err
		}
		s, known, err := readNIST(path)
		if known {
			list = append(list, s)
		}
		return err
	})
	return list, err
}

func (f *figures) judge(o *sets.Options, s set) error {
	fit, err := s.fit()
	if err != nil {
		return err
	}
	f.figure(o, s.Name, "R squared", fit.RSquared, s.RSquared)
	f.figure(o, s.Name, "residual deviation", fit.Deviation, s.Deviation)
	f.figure(o, s.Name, "residual squares", fit.Rest, s.Rest)
	f.figure(o, s.Name, "explained squares", fit.Explained, s.Explained)
	f.figure(o, s.Name, "F", fit.F, s.F)
	for i, c := range s.Coefficients {
		f.figure(o, s.Name, fmt.Sprint("coefficient ", i), fit.Coefficients[i], c)
		f.figure(o, s.Name, fmt.Sprint("standard error ", i), fit.Errors[i], s.Errors[i])
	}
	if len(s.Coefficients) != 2 {
		return nil
	}
	line, err := s.aggregates()
	if err != nil {
		return err
	}
	f.figure(o, s.Name, "INTERCEPT", line[0], s.Coefficients[0])
	f.figure(o, s.Name, "SLOPE", line[1], s.Coefficients[1])
	f.figure(o, s.Name, "CORR squared", line[2]*line[2], s.RSquared)
	return nil
}

// figure scores one figure; "" is not certified.
func (f *figures) figure(o *sets.Options, name, what string, got float64, certified string) {
	if certified == "" {
		return
	}
	want, _ := new(big.Float).SetPrec(200).SetString(certified)
	digits := 15.0
	if c, _ := want.Float64(); c == 0 && got != 0 || math.IsNaN(got) {
		digits = 0
	} else if off := new(big.Float).SetPrec(200).SetFloat64(got); c != 0 {
		relative, _ := off.Quo(off.Sub(off, want), want).Float64()
		digits = min(15, -math.Log10(math.Abs(relative)))
	}
	if o.Verbose {
		fmt.Printf("%-10s %-20s %22.16g %24s %5.1f\n", name, what, got, certified, digits)
	}
	least, seen := f.Sets[name]
	if !seen {
		least = 15
	}
	f.Sets[name] = min(least, digits)
	f.MinDigits, f.Values = min(f.MinDigits, digits), f.Values+1
}

// fit is the product's regression.
func (s set) fit() (leastsquares.Fit, error) {
	rows := make([][]*big.Float, len(s.Y))
	levels := slices.Compact(slices.Sorted(slices.Values(s.groups)))
	for i := range s.Y {
		if s.groups != nil {
			for _, level := range levels[1:] {
				one := new(big.Float)
				if s.groups[i] == level {
					one.SetInt64(1)
				}
				rows[i] = append(rows[i], one)
			}
			continue
		}
		for _, text := range s.X[i] {
			x, _ := leastsquares.Number(text)
			power := x
			for range s.Degree {
				rows[i] = append(rows[i], power)
				power = new(big.Float).SetPrec(1024).Mul(power, x)
			}
		}
	}
	m := leastsquares.Model(len(rows[0]), true)
	for i, text := range s.Y {
		y, ok := leastsquares.Number(text)
		if !ok {
			return leastsquares.Fit{}, fmt.Errorf("%q is no number", text)
		}
		m.Add(y, rows[i])
	}
	return m.Fit()
}

// aggregates are intercept, slope and correlation as queries have them.
func (s set) aggregates() (out [3]float64, err error) {
	number := table.Column{Name: "y", Type: table.Decimal, Scale: 9}
	other := number
	other.Name = "x"
	b := table.NewBuilder(number, other)
	for i := range s.Y {
		y, err := table.ParseDecimal(s.Y[i])
		if err != nil {
			return out, err
		}
		x, err := table.ParseDecimal(s.X[i][0])
		if err != nil {
			return out, err
		}
		if err := b.Append(y, x); err != nil {
			return out, err
		}
	}
	g := query.Group{}
	for _, name := range []string{"intercept", "slope", "corr"} {
		args := []query.Expr{query.Col("y"), query.Col("x")}
		g.Aggregates = append(g.Aggregates, query.Aggregate{As: name, Func: name, Args: args})
	}
	res, err := run.Run(context.Background(), query.From("t").With(g), run.TableMap{"t": b.Table()})
	if err != nil {
		return out, err
	}
	for i := range out {
		out[i], _ = res.Table.Value(0, i).Float()
	}
	return out, nil
}
