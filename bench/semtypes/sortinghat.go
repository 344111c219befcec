package main

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
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

// coercions counts columns that hold neither money nor times and are read so. Columns whose cells are all dates or years are counted apart,
// whatever the set calls them.
func coercions(o *sets.Options, f *figures, records []learn.Column) error {
	for _, c := range records {
		if !plainLabels[c.Label] {
			continue
		}
		m, err := profileColumn(c.Name, c.Samples)
		if err != nil {
			return err
		}
		switch {
		case !coerced(m):
		case m.Role == profiler.RoleTime && areDates(c.Samples):
			f.DatesCalledOtherwise++
			o.Missf("%s %q: %s that the set calls %s %.80q", c.ID, c.Name, m.SemanticType, c.Label, c.Samples)
		default:
			f.FalseCoercions++
			o.Missf("%s %q: false %s for %s %.80q", c.ID, c.Name, m.SemanticType, c.Label, c.Samples)
		}
	}
	return nil
}

// areDates reports whether all cells that are not empty are dates, calendar years, Unix times or, among such, months by name. SortingHat labels
// by use: it calls a column of dates not-generalizable when one could not train on it, and days or years that repeat categorical.
func areDates(cells []string) bool {
	dates := 0
	for _, cell := range cells {
		cell = strings.TrimSpace(cell)
		number, err := strconv.ParseInt(cell, 10, 64)
		switch {
		case cell == "" || slices.Contains(months, strings.ToLower(cell)):
		case shape.Date(cell) != shape.NoDate, err == nil && (number >= 1800 && number <= 2100 || number >= firstUnix && number <= lastUnix):
			dates++
		default:
			return false
		}
	}
	return dates > 0
}

// Seconds from 1990 to 2100.
const firstUnix, lastUnix = 631_152_000, 4_102_444_800

// months are their short names.
var months = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
