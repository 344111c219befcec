package learn

import (
	"catena/bench/sets"
	"catena/profiler/model"
)

// Published is a record of Socrata.
type Published struct {
	ID          string `json:"id"`
	Domain      string `json:"domain"`
	Name        string `json:"field_name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Label       string `json:"label"`
}

// Publications reads the records of a file, limit at most; 0 is all.
func Publications(path string, limit int) ([]Published, error) {
	return sets.Lines[Published](path, limit)
}

// ShowSet is what Shows are trained on.
type ShowSet struct {
	Words   []model.Words
	Classes []int
	Groups  []int // portals
	grams   [model.NumFields][][]uint32
}

// NewShowSet reads the words of records.
func NewShowSet(records []Published) *ShowSet {
	s := &ShowSet{}
	portals := map[string]int{}
	for _, r := range records {
		show, ok := model.ShowOf(r.Label)
		if !ok {
			continue
		}
		g, seen := portals[r.Domain]
		if !seen {
			g = len(portals)
			portals[r.Domain] = g
		}
		w := model.Words{Name: r.Name, Title: r.Title, Description: r.Description}
		s.Words, s.Classes, s.Groups = append(s.Words, w), append(s.Classes, int(show)), append(s.Groups, g)
		for f := range s.grams {
			s.grams[f] = append(s.grams[f], w.Grams(nil, f))
		}
	}
	return s
}

// ShowOptions are how Shows are trained.
type ShowOptions struct {
	Linear LinearOptions
	Boost  BoostOptions
	Damp   float64 // a portal of n columns weighs n to the power of 1 less this
	Inner  int     // folds by which the n-gram models are stacked
}

// DefaultShows are the options of the embedded model.
func DefaultShows() ShowOptions {
	return ShowOptions{Linear: LinearOptions{Classes: model.NumShows, Bits: 15, Epochs: 5, Rate: 0.1, Decay: 1e-6, Seed: 1}, Damp: 0.3, Inner: 5,
		Boost: BoostOptions{Classes: model.NumShows, Rounds: 120, Leaves: 24, MinRows: 8, Rate: 0.08, Lambda: 4, Columns: 0.3, Groups: 0.7, Seed: 1}}
}

// Train trains Shows on the rows.
func (s *ShowSet) Train(rows []int, o ShowOptions) *model.Shows {
	weights := dampedWeights(s.Groups, rows, o.Damp)
	m := &model.Shows{}
	s.linear(m, rows, weights, o)
	groups := make([]int, len(rows))
	for i, r := range rows {
		groups[i] = s.Groups[r]
	}
	folds := Folds(groups, o.Inner)
	x := make([][]float32, len(rows))
	for f := range o.Inner {
		var in []int
		for i, r := range rows {
			if folds[i] != f {
				in = append(in, r)
			}
		}
		stack := &model.Shows{}
		s.linear(stack, in, weights, o)
		for i, r := range rows {
			if folds[i] == f {
				var v [model.NumShowFeatures]float32
				stack.Features(&s.Words[r], &v)
				x[i] = v[:]
			}
		}
	}
	y, w := make([]int, len(rows)), make([]float32, len(rows))
	for i, r := range rows {
		y[i], w[i] = s.Classes[r], weights[r]
	}
	m.Trees = *Boost(x, y, w, groups, o.Boost)
	return m
}

// linear trains the n-gram models.
func (s *ShowSet) linear(m *model.Shows, rows []int, weights map[int]float32, o ShowOptions) {
	for f := range m.Fields {
		examples := make([]Example, len(rows))
		for i, r := range rows {
			examples[i] = Example{s.grams[f][r], s.Classes[r], weights[r]}
		}
		linear := o.Linear
		if f != model.NameField {
			linear.Bits-- // words are fewer than pieces of them
		}
		m.Fields[f] = *TrainLinear(examples, linear)
	}
}

// Validate trains on all folds but one and predicts that one, for each; it returns the predicted ways.
func (s *ShowSet) Validate(folds []int, o ShowOptions) []int {
	out := make([]int, len(folds))
	eachFold(folds, func(in, test []int) {
		m := s.Train(in, o)
		for _, r := range test {
			show, _ := m.Best(&s.Words[r])
			out[r] = int(show)
		}
	})
	return out
}
