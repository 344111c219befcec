// Command semtypes measures how well the profiler reads what columns mean.
//
//	go -C bench run ./semtypes -data DIR [-reference DIR] [-split dev] [-n N] [-v] [-json]
//
// The folder of -reference is a checkout of tsegall/semantic-types at f92a8bc; without it, that set is not scored. Its tables are split by
// the last hex digit of the SHA-256 of their paths: the even ones are the split dev, the odd ones any other.
//
// DIR holds sortinghat, semtypes and socrata. Each column of semtypes is loaded as the product loads a file and profiled; the others are
// put to the models that package profiler/model embeds. On the split that these were trained on (dev) the figures are those of models
// trained anew on the other folds: by columns for sortinghat_acc, by files for sortinghat_grouped_acc, by portals for socrata_acc. On any
// other split they are the embedded models', and sortinghat_grouped_acc is still that of the local half.
package main

import (
	"flag"
	"fmt"

	"catena/bench/sets"
)

// figures are what the last line reports; the names are fixed.
type figures struct {
	SortingHatAcc        float64 `json:"sortinghat_acc"`
	SortingHatF1         float64 `json:"sortinghat_f1"`
	SortingHatGroupedAcc float64 `json:"sortinghat_grouped_acc"`
	SemtypesAcc          float64 `json:"semtypes_acc"`
	SemtypesF1           float64 `json:"semtypes_f1"`
	SemtypesUnits        float64 `json:"semtypes_units"`
	SocrataAcc           float64 `json:"socrata_acc"`
	SocrataF1            float64 `json:"socrata_f1"`
	FalseCoercions       int     `json:"false_coercions"`
	DatesCalledOtherwise int     `json:"dates_set_calls_otherwise"`
	ReferenceF1          float64 `json:"reference_f1"`
	ReferenceTypes       int     `json:"reference_types"`
}

func main() {
	o := sets.Flags("semtypes", "sortinghat, semtypes and socrata")
	reference := flag.String("reference", "", "checkout of tsegall/semantic-types")
	only := flag.Bool("only", false, "score the reference set alone")
	o.Parse()
	var f figures
	var err error
	if !*only {
		f, err = measure(o)
	}
	if err == nil && *reference != "" {
		err = columns(o, *reference, &f)
	}
	if err == nil {
		fmt.Printf("sortinghat  accuracy %.4f macro F1 %.4f, grouped by file %.4f\n", f.SortingHatAcc, f.SortingHatF1, f.SortingHatGroupedAcc)
		fmt.Printf("semtypes    accuracy %.4f macro F1 %.4f, units %.4f\n", f.SemtypesAcc, f.SemtypesF1, f.SemtypesUnits)
		fmt.Printf("socrata     accuracy %.4f macro F1 %.4f\n", f.SocrataAcc, f.SocrataF1)
		if *reference != "" {
			fmt.Printf("reference   macro F1 %.4f over %d types\n", f.ReferenceF1, f.ReferenceTypes)
		}
		fmt.Printf("false money or dates: %d, dates that the set calls otherwise: %d\n", f.FalseCoercions, f.DatesCalledOtherwise)
	}
	o.End(f, err)
}

func measure(o *sets.Options) (figures, error) {
	var f figures
	if err := semtypes(o, &f); err != nil {
		return f, err
	}
	if err := sortinghat(o, &f); err != nil {
		return f, err
	}
	return f, socrata(o, &f)
}

// score counts hits by label.
type score struct {
	total, right int
	gold, told   map[string]int
	hits         map[string]int
}

func newScore() *score {
	return &score{gold: map[string]int{}, told: map[string]int{}, hits: map[string]int{}}
}

func (s *score) add(gold, told string) bool {
	s.total++
	s.gold[gold]++
	s.told[told]++
	if gold == told {
		s.right++
		s.hits[gold]++
	}
	return gold == told
}

func (s *score) accuracy() float64 {
	if s.total == 0 {
		return 0
	}
	return float64(s.right) / float64(s.total)
}

// macroF1 is the mean of the labels' F1, over the labels that occur.
func (s *score) macroF1() float64 {
	sum := 0.0
	for label, n := range s.gold {
		if hits := s.hits[label]; hits > 0 {
			sum += 2 * float64(hits) / float64(n+s.told[label])
		}
	}
	return sum / float64(max(1, len(s.gold)))
}
