package main

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"

	"catena/bench/semtypes/learn"
	"catena/bench/sets"
	"catena/profiler"
	"catena/profiler/model"
	"catena/profiler/shape"
)

// trainedOn is the split that the embedded models were trained on.
const trainedOn = "dev"

// folds is how many parts a set is cut into for cross-validation.
const folds = 5

// sortinghat scores the kinds of SortingHat's columns, and counts where the profiler sees money or a time and the gold something else.
func sortinghat(o *sets.Options, f *figures) error {
	records, err := learn.Columns(o.Path("sortinghat", "SPLIT.jsonl"), o.Limit)
	if err != nil {
		return err
	}
	if err := coercions(o, f, records); err != nil {
		return err
	}
	set := learn.NewKindSet(records)
	var told []int
	if o.Split == trainedOn {
		told = set.Validate(learn.Folds(rand.New(rand.NewPCG(1, 1)).Perm(len(set.Classes)), folds), learn.DefaultKinds())
	} else {
		m := model.Embedded()
		for i := range set.Columns {
			kind, _ := m.Kinds.Best(&set.Columns[i])
			told = append(told, int(kind))
		}
	}
	s := newScore()
	for i, k := range told {
		gold := model.Kind(set.Classes[i]).String()
		if !s.add(gold, model.Kind(k).String()) {
			o.Missf("%s %q: %s for %s %.80q", records[i].ID, records[i].Name, model.Kind(k), gold, records[i].Samples)
		}
	}
	f.SortingHatAcc, f.SortingHatF1 = s.accuracy(), s.macroF1()
	return grouped(o, f)
}

// grouped cross-validates on the local half with the columns of a file in one fold.
func grouped(o *sets.Options, f *figures) error {
	records, err := learn.Columns(filepath.Join(o.Data, "sortinghat", trainedOn+".jsonl"), o.Limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	set := learn.NewKindSet(records)
	s := newScore()
	for i, k := range set.Validate(learn.Folds(set.Groups, folds), learn.DefaultKinds()) {
		s.add(model.Kind(set.Classes[i]).String(), model.Kind(k).String())
	}
	f.SortingHatGroupedAcc = s.accuracy()
	return nil
}

// coercions counts columns that hold neither money nor times and are read so.
func coercions(o *sets.Options, f *figures, records []learn.Column) error {
	for _, c := range records {
		if !plainLabels[c.Label] {
			continue
		}
		m, err := profileColumn(c.Name, c.Samples)
		if err != nil {
			return err
		}
		if coerced(m) && !agrees(c, m) {
			f.FalseCoercions++
			o.Missf("%s %q: false %s for %s %.80q", c.ID, c.Name, m.SemanticType, c.Label, c.Samples)
		}
	}
	return nil
}

// agrees reports whether a time is no mistake although the label is not datetime. Labels such as not-generalizable say of what use a column is,
// not what it holds, and categorical is also what the set calls years and days that repeat.
func agrees(c learn.Column, m profiler.ColumnMetadata) bool {
	if m.SemanticType != profiler.Date && m.SemanticType != profiler.DateTime {
		return false
	}
	if c.Label == "not-generalizable" || c.Label == "context-specific" {
		return true
	}
	for _, cell := range c.Samples {
		cell = strings.TrimSpace(cell)
		year, err := strconv.Atoi(cell)
		if cell != "" && shape.Date(cell) == shape.NoDate && (err != nil || year < 1800 || year > 2100) {
			return false
		}
	}
	return true
}
