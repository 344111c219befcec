package main

import (
	"fmt"
	"strings"

	"catena/bench/names/learn"
	"catena/bench/sets"
	"catena/profiler"
	"catena/profiler/names"
)

// thresholds of the confidence of a guess.
var thresholds = [...]float64{0.5, 0.8, names.SureConfidence, 0.95, 0.99}

// shown counts guesses at parts of names by the thresholds they pass, and the right ones.
type shown struct{ right, total [len(thresholds)]int }

func (s *shown) count(confidence float64, right bool) {
	for i, least := range thresholds {
		if confidence < least {
			break
		}
		s.total[i]++
		if right {
			s.right[i]++
		}
	}
}

// guesses prints how often guesses at the parts of names that no dictionary has are right: all of them, and those that people see. The
// models of the profiler read the tables of each set; they are learnt from the other sets alone, as the tables of users are none of the
// sets. A guess is right when its words stand side by side in what the name stands for.
func guesses(o *sets.Options, examples []learn.Example, lists string, figures map[string]float64) error {
	var all, sure shown
	for domain := range learn.Files {
		var train []learn.Example
		tables := map[string][]learn.Example{}
		var order []string
		for _, x := range examples {
			switch {
			case x.Domain != domain:
				train = append(train, x)
				continue
			case tables[x.Table] == nil:
				order = append(order, x.Table)
			}
			tables[x.Table] = append(tables[x.Table], x)
		}
		counts, err := learn.ForDomain(names.Trade, train, lists)
		if err != nil {
			return err
		}
		m := names.NewModel(counts, names.Usual[names.Trade])
		for _, t := range order {
			judge(o, m, tables[t], &all, &sure)
		}
	}
	for i, least := range thresholds {
		fmt.Printf("guess >= %.2f       all %.4f of %d, shown %.4f of %d\n", least, share(all.right[i], all.total[i]), all.total[i], share(sure.right[i], sure.total[i]), sure.total[i])
		if least == names.SureConfidence {
			figures["guess_shown_right"], figures["guess_shown"] = share(sure.right[i], sure.total[i]), float64(sure.total[i])
		}
	}
	return nil
}

func share(n, of int) float64 { return float64(n) / float64(max(1, of)) }

// idWord is written in one way.
var idWord = strings.NewReplacer("identifier", "id")

// judge reads the names of one table.
func judge(o *sets.Options, m *names.Model, columns []learn.Example, all, sure *shown) {
	list, wanted := make([]string, len(columns)), make([]bool, len(columns))
	for i, x := range columns {
		list[i], wanted[i] = x.Name, true
	}
	for i, parts := range m.Parts(list, wanted) {
		gold := " " + idWord.Replace(names.Norm(columns[i].Gold)) + " "
		for _, p := range parts {
			if profiler.Abbreviation(p.Text) != "" || m.Knows(p.Text) || len(p.Words) == 0 || len(p.Words) == 1 && p.Words[0] == p.Text {
				continue
			}
			words := idWord.Replace(strings.Join(p.Words, " "))
			right := strings.Contains(gold, " "+words+" ")
			all.count(p.Confidence, right)
			likely := p
			likely.Confidence = 1 // whether its shape is that of a guess to be shown
			if !m.Sure(likely, profiler.Abbreviation) {
				continue
			}
			sure.count(p.Confidence, right)
			if !right && p.Confidence >= names.SureConfidence {
				o.Missf("guess\t%q\t%q in %q\twant %q\t%.2f", p.Text, words, columns[i].Name, strings.TrimSpace(gold), p.Confidence)
			}
		}
	}
}
