// Command names scores the reading of column names on public sets: expansions (nameguess, columbo) and, on business names, titles,
// semantic types and units.
//
// The models are learnt from the development halves. On them it prints cross-validated figures, whole tables left out; on any other
// split the figures of the embedded models. Those figures are of all readings. People see fewer: those that names.Model.Sure lets through,
// whose share of right ones -guesses prints by their confidence.
package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"sync"

	"catena/bench/names/learn"
	"catena/bench/sets"
	"catena/profiler/names"
)

func main() {
	o := sets.Flags("names", "colnames")
	lists := flag.String("lists", learn.Lists, "folder of SCOWL's word lists, for cross-validation")
	sure := flag.Bool("guesses", false, "measure the guesses that people see, too (on the split dev)")
	o.Parse()
	figures, err := run(o, *lists, *sure)
	o.End(figures, err)
}

// folds of the cross-validation.
const folds = 5

// figure names the figure of each domain's set.
var figure = [...]string{names.Civic: "nameguess_em", names.Trade: "adventureworks_em", names.Science: "edi_em"}

func run(o *sets.Options, lists string, sure bool) (map[string]float64, error) {
	var examples []learn.Example
	for domain := range learn.Files {
		more, err := learn.Read(o, domain)
		if err != nil {
			return nil, err
		}
		examples = append(examples, more...)
	}
	var s score
	var err error
	if o.Split == "dev" {
		err = crossValidate(o, &s, examples, lists)
	} else {
		for domain := range learn.Files {
			s.add(o, domain, names.Embedded(domain), examples, func(string) bool { return true })
		}
	}
	if err != nil {
		return nil, err
	}
	out := map[string]float64{}
	for domain, name := range figure {
		out[name] = float64(s.right[domain]) / float64(max(1, s.total[domain]))
		fmt.Printf("%-18s %.4f  %d of %d\n", name, out[name], s.right[domain], s.total[domain])
	}
	if sure && o.Split == "dev" {
		if err := guesses(o, examples, lists, out); err != nil {
			return nil, err
		}
	}
	return out, business(o, out)
}

// score counts right expansions.
type score struct {
	mu           sync.Mutex
	right, total [len(figure)]int
}

// crossValidate reads each fold of the tables by models of the others.
func crossValidate(o *sets.Options, s *score, examples []learn.Example, lists string) error {
	var wg sync.WaitGroup
	errs := make([]error, folds)
	for f := range folds {
		wg.Go(func() {
			var train []learn.Example
			for _, x := range examples {
				if fold(x.Table) != f {
					train = append(train, x)
				}
			}
			for domain := range learn.Files {
				counts, err := learn.ForDomain(domain, train, lists)
				if err != nil {
					errs[f] = err
					return
				}
				s.add(o, domain, names.NewModel(counts, names.Usual[domain]), examples, func(table string) bool { return fold(table) == f })
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func fold(table string) int {
	h := fnv.New32a()
	h.Write([]byte(table))
	return int(h.Sum32()>>3) % folds
}

// add scores a model on the tables of a domain that are chosen.
func (s *score) add(o *sets.Options, domain int, m *names.Model, examples []learn.Example, chosen func(table string) bool) {
	tables := map[string][]learn.Example{}
	var order []string
	for _, x := range examples {
		if x.Domain != domain || !chosen(x.Table) {
			continue
		}
		if tables[x.Table] == nil {
			order = append(order, x.Table)
		}
		tables[x.Table] = append(tables[x.Table], x)
	}
	right, total := 0, 0
	for _, t := range order {
		columns := tables[t]
		list := make([]string, len(columns))
		for i, x := range columns {
			list[i] = x.Name
		}
		for i, r := range m.Read(columns[0].Title, list) {
			total++
			got, want := names.Norm(r.String()), names.Norm(columns[i].Gold)
			if got == want {
				right++
				continue
			}
			o.Missf("%s\t%q\t%q\twant %q\t%.2f", figure[domain], list[i], got, want, r.Confidence)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.right[domain] += right
	s.total[domain] += total
}
