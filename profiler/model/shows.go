package model

import (
	"math"
	"slices"
)

// Shows decides how the columns of a table are to be shown by their words alone: trees over the features of Describe,
// the logits of n-gram models, and what these say of the columns beside.
type Shows struct {
	Fields [NumFields]Linear
	Beside Linear // over the words of the other columns' titles
	Trees  Forest
}

const (
	besideReach = 32 // columns to each side that are looked at
	maxHeads    = 16 // words of a title that are compared
)

// Features puts the features of each column of a table into out, which is as long.
func (m *Shows) Features(columns []Words, out [][NumShowFeatures]float32) {
	guesses := make([][NumShows]float32, len(columns))
	for i := range columns {
		m.alone(&columns[i], &out[i], &guesses[i])
	}
	if len(columns) > 1 {
		m.beside(columns, guesses, out)
	}
}

// alone puts in what a column's own words say, and makes a first guess at it: the sum of the logits of its fields.
func (m *Shows) alone(w *Words, out *[NumShowFeatures]float32, guess *[NumShows]float32) {
	w.Describe(out)
	var g grams
	for f := range m.Fields {
		logits := out[showBase+f*NumShows:][:NumShows]
		w.grams(&g, f)
		m.Fields[f].Score(g.out[:g.n], logits)
		if f == DescriptionField && w.Description == "" {
			continue
		}
		for k, x := range logits {
			guess[k] += x
		}
	}
	Softmax(guess[:])
}

// beside puts in what the columns around each are: the mean of the guesses at them, that mean weighted by the words
// they share with the column, and what their words let expect.
func (m *Shows) beside(columns []Words, guesses [][NumShows]float32, out [][NumShowFeatures]float32) {
	heads, sums := make([][]uint32, len(columns)), make([][NumShows]int32, len(columns))
	for i := range columns {
		heads[i] = columns[i].Heads(make([]uint32, 0, maxHeads))
		m.Beside.sum(heads[i], sums[i][:])
	}
	for i := range columns {
		var all [NumShows]int32
		words, others, near := 0, 0, float32(0)
		mean, alike, said := out[i][besideAt:][:NumShows], out[i][besideAt+NumShows:][:NumShows],
			out[i][besideAt+2*NumShows:][:NumShows]
		for j := range Around(len(columns), i) {
			like := shared(heads[i], heads[j])
			near += like
			others++
			words += len(heads[j])
			for k, p := range guesses[j] {
				mean[k] += p
				alike[k] += p * like
				all[k] += sums[j][k]
			}
		}
		scale := m.Beside.Scale / float32(math.Sqrt(float64(max(1, words))))
		for k := range NumShows {
			mean[k] /= float32(others)
			if near > 0 {
				alike[k] /= near
			}
			said[k] = m.Beside.Bias[k] + float32(all[k])*scale
		}
		out[i][NumShowFeatures-2], out[i][NumShowFeatures-1] = float32(others), near
	}
}

// Around gives the columns near column i of n, without itself: those that the model looks at beside it.
func Around(n, i int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for j := max(0, i-besideReach); j < min(n, i+besideReach+1); j++ {
			if j != i && !yield(j) {
				return
			}
		}
	}
}

// Heads appends the hashes of the title's first words.
func (w *Words) Heads(dst []uint32) []uint32 {
	title := w.Title
	if title == "" {
		title = w.Name
	}
	var a [maxName + 16]byte
	eachWord(folded(a[:0:maxName], title), func(word []byte, i int, _ bool) {
		if i < maxHeads {
			dst = append(dst, hash(400, word))
		}
	})
	return dst
}

// shared is the part of the words of the longer title that the other has too.
func shared(a, b []uint32) float32 {
	same := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			same++
		}
	}
	return float32(same) / float32(max(1, len(a), len(b)))
}

// Predict gives the probability of each way to show each column of a table.
func (m *Shows) Predict(columns []Words) [][NumShows]float32 {
	x := make([][NumShowFeatures]float32, len(columns))
	m.Features(columns, x)
	out := make([][NumShows]float32, len(columns))
	for i := range x {
		m.Trees.score(x[i][:], out[i][:])
		Softmax(out[i][:])
	}
	return out
}

// Best is the most probable way to show each column of a table, with its probability.
func (m *Shows) Best(columns []Words) []Choice {
	out := make([]Choice, len(columns))
	for i, p := range m.Predict(columns) {
		at := top(p[:])
		out[i] = Choice{Show(at), p[at]}
	}
	return out
}

// Choice is a way to show a column, with its probability.
type Choice struct {
	Show        Show
	Probability float32
}
