// Command formats scores how numbers and dates are written and read.
//
//	go -C bench run ./formats -data DIR [-split dev] [-v] [-json]
//
// DIR holds the folder formatting. Written: python_format_spec (the results of CPython; where it has one for decimals, that), d3_format,
// babel_cldr41 and babel_suite (Babel, exact text). Read: dateparse (the same instant, or an error where one is expected) and dirty_numbers_own
// (value, type and unit). total counts every record of every file; none is left out.
package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"catena/bench/sets"
)

// figures is the last line with -json.
type figures struct {
	Pass       int     `json:"pass"`
	Total      int     `json:"total"`
	DatesAcc   float64 `json:"dates_acc"`
	DatesWrong int     `json:"dates_wrong"` // texts read as another instant without a word that they are ambiguous
	Python     float64 `json:"python_format_spec"`
	CLDR       float64 `json:"babel_cldr41"`
	Babel      float64 `json:"babel_suite"`
	D3         float64 `json:"d3_format"`
	Dirty      float64 `json:"dirty_numbers_own"`
}

// tally counts one file.
type tally struct{ pass, total int }

func (t tally) share() float64 {
	if t.total == 0 {
		return 0
	}
	return float64(t.pass) / float64(t.total)
}

// add counts a record, and tells a miss.
func (t *tally) add(o *sets.Options, what, got, want string) {
	t.total++
	if got == want {
		t.pass++
		return
	}
	o.Missf("%s: got %q, want %q", what, got, want)
}

func main() {
	o := sets.Flags("formats", "the folder formatting")
	o.Parse()
	f, err := run(o)
	o.End(f, err)
}

func run(o *sets.Options) (figures, error) {
	var f figures
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, set := range []struct {
		name  string
		score func(*sets.Options, string) (tally, error)
		share *float64
	}{
		{"python_format_spec", python, &f.Python}, {"d3_format", d3, &f.D3}, {"babel_cldr41", cldr, &f.CLDR}, {"babel_suite", suite, &f.Babel},
		{"dirty_numbers_own", dirty, &f.Dirty},
		{"dateparse", func(o *sets.Options, path string) (t tally, err error) {
			t, f.DatesWrong, err = dates(o, path)
			return t, err
		}, &f.DatesAcc},
	} {
		t, err := set.score(o, o.Path("formatting", set.name+".SPLIT.jsonl"))
		if err != nil {
			return f, err
		}
		*set.share = t.share()
		f.Pass, f.Total = f.Pass+t.pass, f.Total+t.total
		fmt.Fprintf(out, "%s\t%d of %d\t%.2f %%\n", set.name, t.pass, t.total, 100*t.share())
	}
	fmt.Fprintf(out, "total\t%d of %d\t%.2f %%\n", f.Pass, f.Total, 100*float64(f.Pass)/float64(max(f.Total, 1)))
	fmt.Fprintf(out, "dates read wrongly without a word\t%d\n", f.DatesWrong)
	return f, out.Flush()
}
