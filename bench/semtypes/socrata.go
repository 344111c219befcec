package main

import (
	"catena/bench/semtypes/learn"
	"catena/bench/sets"
	"catena/profiler/model"
)

// socrata scores how columns are shown, by their names, titles and descriptions, and those of the other columns of the table.
func socrata(o *sets.Options, f *figures) error {
	records, err := learn.Publications(o.Path("socrata", "SPLIT.jsonl"), o.Limit)
	if err != nil {
		return err
	}
	set := learn.NewShowSet(records)
	var told []int
	if o.Split == trainedOn {
		told = set.Validate(learn.Folds(set.Groups, folds), learn.DefaultShows())
	} else {
		told = set.Predict(&model.Embedded().Shows)
	}
	s := newScore()
	for i, show := range told {
		gold := model.Show(set.Classes[i]).String()
		if !s.add(gold, model.Show(show).String()) {
			o.Missf("%s %q %q: %s for %s %.80q", records[i].ID, records[i].Name, records[i].Title, model.Show(show), gold, records[i].Description)
		}
	}
	f.SocrataAcc, f.SocrataF1 = s.accuracy(), s.macroF1()
	return nil
}
