// Command names scores what people see of column names on public sets: labels (nameguess, columbo) and, on business names, titles, semantic
// types and units.
//
// Nothing is learnt from these sets: the embedded model comes from other public sources (go -C bench run ./names/train), so each set is a
// source that was left out. Sets write "identifier" where labels write ID; both count as the same word.
package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"catena/bench/sets"
	"catena/profiler"
	"catena/profiler/names"
)

func main() {
	o := sets.Flags("names", "colnames")
	o.Parse()
	figures, err := run(o)
	o.End(figures, err)
}

// labelled are the sets of names with what they stand for, by their figures.
var labelled = []struct{ figure, file string }{
	{"nameguess_em", "nameguess_SPLIT.jsonl"},
	{"adventureworks_em", "columbo_AdventureWork_1.SPLIT.jsonl"},
	{"edi_em", "columbo_EDI_demo.SPLIT.jsonl"},
}

// column is a name of a set with what it stands for.
type column struct{ Table, Name, Gold string }

func run(o *sets.Options) (map[string]float64, error) {
	out := map[string]float64{}
	for _, s := range labelled {
		columns, err := sets.Lines[column](o.Path("colnames", s.file), o.Limit)
		if err != nil {
			return nil, err
		}
		right, misleading := labels(o, s.figure, columns)
		out[s.figure] = float64(right) / float64(max(1, len(columns)))
		fmt.Printf("%-18s %.4f  %d of %d right, %d misleading, %d with short forms left\n", s.figure, out[s.figure], right, len(columns),
			misleading, len(columns)-right-misleading)
	}
	return out, business(o, out)
}

// labels counts the columns whose labels are right, and those that are misleading; the names of a table are read together.
func labels(o *sets.Options, figure string, columns []column) (right, misleading int) {
	tables := map[string][]column{}
	var order []string
	for _, c := range columns {
		if tables[c.Table] == nil {
			order = append(order, c.Table)
		}
		tables[c.Table] = append(tables[c.Table], c)
	}
	for _, t := range order {
		list := make([]string, len(tables[t]))
		for i, c := range tables[t] {
			list[i] = c.Name
		}
		for i, n := range profiler.ReadNames(title(t), list) {
			got, want := norm(n.Label), norm(tables[t][i].Gold)
			if got == want {
				right++
				continue
			}
			kind := "left"
			if misleads(list[i], got, want) {
				kind = "misleading"
				misleading++
			}
			o.Missf("%s\t%s\t%q\t%q\twant %q", figure, kind, list[i], got, want)
		}
	}
	return right, misleading
}

// misleads reports whether a label has a word that neither its name has nor the right label: a short form was written out wrongly, which is
// worse than one that is left as it is.
func misleads(name, label, right string) bool {
	have := strings.ToLower(name)
	words := strings.Fields(right)
	return slices.ContainsFunc(strings.Fields(label), func(w string) bool { return !strings.Contains(have, w) && !slices.Contains(words, w) })
}

func norm(s string) string { return strings.ReplaceAll(names.Norm(s), "identifier", "id") }

// title is the table's name as the set has it; "" where that is an identifier of a portal (wwy2-k7b3), which says nothing.
func title(table string) string {
	if portalID.MatchString(table) {
		return ""
	}
	return table
}

var portalID = regexp.MustCompile(`^[a-z0-9]{4}-[a-z0-9]{4}$`)
