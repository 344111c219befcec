package reader

import (
	"bufio"
	"cmp"
	"context"
	_ "embed" // the weights
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"catena/planner/plan"
	"catena/query/semantic"
)

// priorFile is what a person thinks that features are worth, learntFile is what was learnt beyond it: lines of a feature,
// a tab and its weight, in the order of the features. A prior whose second word is a star is for all features of that
// kind that have no weight of their own.
//
//go:embed data/weights.tsv
var priorFile string

//go:embed data/learnt.tsv
var learntFile string

// weights are what the features of a reading are worth.
type weights struct{ byName map[string]float64 }

// learnt are the weights that come with the program.
var learnt = sync.OnceValue(func() *weights {
	w := &weights{byName: PriorWeights()}
	maps.Copy(w.byName, mustRead(learntFile))
	return w
})

func mustRead(file string) map[string]float64 {
	byName, err := readWeights(strings.NewReader(file))
	if err != nil {
		panic("planner/reader: a file of weights: " + err.Error()) // a test reads them
	}
	return byName
}

// PriorWeights are those that nobody learnt.
func PriorWeights() map[string]float64 { return mustRead(priorFile) }

// WithWeights gives other weights than those that come with the program: for who learns them.
func WithWeights(byName map[string]float64) Option {
	return func(r *Reader) { r.weights = &weights{byName: maps.Clone(byName)} }
}

// WriteWeights writes weights as data/learnt.tsv has them: those that say no more than the priors are left out.
func WriteWeights(to io.Writer, byName map[string]float64) error {
	out, prior := bufio.NewWriter(to), &weights{byName: PriorWeights()}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if text := weightText(byName[name]); text != weightText(prior.of(name)) {
			fmt.Fprintf(out, "%s\t%s\n", name, text)
		}
	}
	return out.Flush()
}

func weightText(v float64) string { return strconv.FormatFloat(v+0, 'f', 3, 64) }

// PriorWeight is what a feature is worth by the priors.
func PriorWeight(name string) float64 { return (&weights{byName: PriorWeights()}).of(name) }

func readWeights(from io.Reader) (map[string]float64, error) {
	byName := map[string]float64{}
	for in := bufio.NewScanner(from); in.Scan(); {
		name, value, ok := strings.Cut(in.Text(), "\t")
		f, err := strconv.ParseFloat(value, 64)
		if !ok || err != nil || name == "" {
			return nil, fmt.Errorf("%q is no feature with its weight", in.Text())
		}
		if _, twice := byName[name]; twice {
			return nil, fmt.Errorf("%s is there twice", name)
		}
		byName[name] = f
	}
	return byName, nil
}

// of is what a feature is worth: its own weight, else that of its kind, which is the name's first two words with a star,
// or the first.
func (w *weights) of(name string) float64 {
	if f, ok := w.byName[name]; ok {
		return f
	}
	return w.ofKind(name)
}

func (w *weights) ofKind(name string) float64 {
	kind, rest, _ := strings.Cut(name, " ")
	if second, _, more := strings.Cut(rest, " "); more {
		if f, ok := w.byName[kind+" "+second+" *"]; ok {
			return f
		}
	}
	return w.byName[kind+" *"]
}

// remembered is a function of names that works each out once. It is not safe for concurrent use.
func remembered(of func(name string) float64) func(name string) float64 {
	known := map[string]float64{}
	return func(name string) float64 {
		f, ok := known[name]
		if !ok {
			f = of(name)
			known[name] = f
		}
		return f
	}
}

// score is what features are worth together.
func (w *weights) score(features []Feature) float64 {
	sum := 0.0
	for _, f := range features {
		sum += w.of(f.Name) * f.Value
	}
	return sum
}

// maxShaped is how many of the best readings are run for the shape of what they give.
const maxShaped = 24

// differing leaves out the readings whose results have the cells of a better one's: nobody has to choose between them. The
// better one knows how they scored.
func differing(list []Reading) []Reading {
	first := map[uint64]int{}
	var out []Reading
	for _, r := range list {
		at, same := first[r.digest]
		if same && r.digest != 0 {
			out[at].alike = append(out[at].alike, r.Score)
			continue
		}
		first[r.digest] = len(out)
		out = append(out, r)
	}
	return out
}

// Ranked are the Readings of a message, with what is known of their results counted in. tables may be nil.
func (r *Reader) Ranked(ctx context.Context, req plan.Request, model *semantic.Model, tables Tables) ([]Reading, error) {
	list, err := r.Readings(ctx, req, model)
	if err != nil || tables == nil {
		return list, err
	}
	fails := make([]bool, len(list))
	for i := range list[:min(len(list), maxShaped)] {
		shape := tables.Shape(ctx, list[i].ranked)
		fails[i] = shape.Fails
		list[i].addShape(shape)
	}
	at := -1
	list = slices.DeleteFunc(list, func(Reading) bool { at++; return fails[at] })
	for i := range list {
		list[i].Score = r.weights.score(list[i].Features)
	}
	slices.SortStableFunc(list, func(a, b Reading) int { return cmp.Compare(b.Score, a.Score) })
	return differing(list), ctx.Err()
}
