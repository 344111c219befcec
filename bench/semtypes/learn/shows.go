package learn

import (
	"catena/bench/sets"
	"catena/profiler/model"
)

// Published is a record of Socrata.
type Published struct {
	ID          string `json:"id"`
	Domain      string `json:"domain"`
	Dataset     string `json:"dataset"`
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
	Groups  []int   // portals
	Tables  [][]int // the rows of each table
	grams   [model.NumFields][][]uint32
	beside  [][]uint32 // words of the other columns of the row's table
}

// NewShowSet reads the words of records.
func NewShowSet(records []Published) *ShowSet {
	s := &ShowSet{}
	portals := map[string]int{}
	tables := map[[2]string]int{}
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
		t, seen := tables[[2]string{r.Domain, r.Dataset}]
		if !seen {
			t = len(tables)
			tables[[2]string{r.Domain, r.Dataset}] = t
			s.Tables = append(s.Tables, nil)
		}
		s.Tables[t] = append(s.Tables[t], len(s.Words))
		w := model.Words{Name: r.Name, Title: r.Title, Description: r.Description}
		s.Words, s.Classes, s.Groups = append(s.Words, w), append(s.Classes, int(show)), append(s.Groups, g)
		for f := range s.grams {
			s.grams[f] = append(s.grams[f], w.Grams(nil, f))
		}
	}
	s.beside = make([][]uint32, len(s.Words))
	for _, rows := range s.Tables {
		for i, r := range rows {
			for other := range model.Around(len(rows), i) {
				s.beside[r] = s.Words[rows[other]].Heads(s.beside[r])
			}
		}
	}
	return s
}

// eachTable calls do for each table whose first row is in; portals, and so tables, are in whole or not at all.
func (s *ShowSet) eachTable(in func(r int) bool, do func(rows []int, columns []model.Words)) {
	for _, rows := range s.Tables {
		if !in(rows[0]) {
			continue
		}
		columns := make([]model.Words, len(rows))
		for i, r := range rows {
			columns[i] = s.Words[r]
		}
		do(rows, columns)
	}
}

// ShowOptions are how Shows are trained.
type ShowOptions struct {
	Linear LinearOptions // of the column's own words
	Beside LinearOptions // of those of the columns around it
	Boost  BoostOptions
	Damp   float64 // a portal of n columns weighs n to the power of 1 less this
	Inner  int     // folds by which the n-gram models are stacked
}

// DefaultShows are the options of the embedded model.
func DefaultShows() ShowOptions {
	return ShowOptions{Linear: LinearOptions{Classes: model.NumShows, Bits: 15, Epochs: 5, Rate: 0.1, Decay: 1e-6, Seed: 1}, Damp: 0.3, Inner: 5,
		Beside: LinearOptions{Classes: model.NumShows, Bits: 13, Epochs: 4, Rate: 0.1, Decay: 1e-5, Seed: 1},
		Boost:  BoostOptions{Classes: model.NumShows, Rounds: 120, Bags: 3, Leaves: 12, MinRows: 8, Rate: 0.08, Lambda: 4, Columns: 0.3, Groups: 0.7, Seed: 1}}
}

// Train trains Shows on the rows.
func (s *ShowSet) Train(rows []int, o ShowOptions) *model.Shows {
	m, t := s.stack(rows, o)
	m.Trees = *Boost(t.x, t.y, t.weights, t.groups, o.Boost)
	return m
}

// stacked are the features of rows, by n-gram models that have not seen the row's portal.
type stacked struct {
	x       [][]float32
	y       []int
	weights []float32
	groups  []int
}

// stack trains all but the trees, and gives what these are trained on.
func (s *ShowSet) stack(rows []int, o ShowOptions) (*model.Shows, stacked) {
	weights := dampedWeights(s.Groups, rows, o.Damp)
	m := &model.Shows{}
	s.linear(m, rows, weights, o)
	groups := make([]int, len(rows))
	for i, r := range rows {
		groups[i] = s.Groups[r]
	}
	folds := Folds(groups, o.Inner)
	x := make([][]float32, len(rows))
	at := map[int]int{}
	for i, r := range rows {
		at[r] = i
	}
	for f := range o.Inner {
		var in []int
		for i, r := range rows {
			if folds[i] != f {
				in = append(in, r)
			}
		}
		stack := &model.Shows{}
		s.linear(stack, in, weights, o)
		s.eachTable(func(r int) bool { i, ok := at[r]; return ok && folds[i] == f }, func(rows []int, columns []model.Words) {
			v := make([][model.NumShowFeatures]float32, len(rows))
			stack.Features(columns, v)
			for i, r := range rows {
				x[at[r]] = v[i][:]
			}
		})
	}
	y, w := make([]int, len(rows)), make([]float32, len(rows))
	for i, r := range rows {
		y[i], w[i] = s.Classes[r], weights[r]
	}
	return m, stacked{x, y, w, groups}
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
	var examples []Example
	for _, r := range rows {
		if len(s.beside[r]) > 0 {
			examples = append(examples, Example{s.beside[r], s.Classes[r], weights[r]})
		}
	}
	m.Beside = *TrainLinear(examples, o.Beside)
}

// Validate trains on all folds but one and predicts that one, for each; it returns the predicted ways.
func (s *ShowSet) Validate(folds []int, o ShowOptions) []int {
	out := make([]int, len(folds))
	eachFold(folds, func(in, test []int) {
		m := s.Train(in, o)
		tested := map[int]bool{}
		for _, r := range test {
			tested[r] = true
		}
		s.predict(m, func(r int) bool { return tested[r] }, out)
	})
	return out
}

// Predict gives what a model says of all columns.
func (s *ShowSet) Predict(m *model.Shows) []int {
	out := make([]int, len(s.Words))
	s.predict(m, func(int) bool { return true }, out)
	return out
}

func (s *ShowSet) predict(m *model.Shows, in func(r int) bool, out []int) {
	s.eachTable(in, func(rows []int, columns []model.Words) {
		for i, best := range m.Best(columns) {
			out[rows[i]] = int(best.Show)
		}
	})
}
