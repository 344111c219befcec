// Command reader measures planner/reader on question sets: whether a right reading is among the best ones, and what
// becomes of them at the bar that answers are given from.
//
//	go -C bench run ./reader -data DIR [-set analyst,related,wtq] [-n N] [-id PART] [-risk .03] [-v]
//	go -C bench run ./reader -data DIR -train [-n N] [-passes 4]
//
// In the table "could" is how many could be answered at the bar that keeps to the risk on that very set: how well right
// readings are told from wrong ones, whatever was learnt of bars.
//
// DIR holds analyst, related, wtq and train; the set own lies in testdata. -train learns the weights of the ranker and
// of the decision from these and from what lies under train, and writes them into planner/reader/data; it never
// reads another set.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"catena/bench/sets"
)

type options struct {
	*sets.Options
	names  []string
	id     string
	risk   float64
	most   int
	shown  int
	train  bool
	passes int
	each   int
	into   string
	made   string
	own    string
	frozen []string
	tuning
}

func main() {
	o := options{Options: sets.Flags("reader", "analyst, related, wtq and train")}
	names := flag.String("set", "analyst,related,wtq",
		"sets to measure, with commas between: analyst, related, wtq, own, and train, wikisql, sql")
	flag.StringVar(&o.id, "id", "", "only questions whose id or set holds this")
	flag.Float64Var(&o.risk, "risk", 0.03, "share of wrong ones among answers; 1 answers by the best reading always")
	flag.IntVar(&o.most, "most", 50, "readings of a question that are looked at")
	flag.IntVar(&o.shown, "show", 1, "with -v: readings of a missed question that are told, beside the right one")
	flag.BoolVar(&o.train, "train", false, "learn the weights from what lies under train")
	flag.IntVar(&o.each, "each", 4000, "questions of each source that are learnt from at most")
	flag.IntVar(&o.passes, "passes", 2, "of learning: the questions are read anew in each")
	flag.IntVar(&o.epochs, "epochs", 8, "over what was read in a pass")
	flag.StringVar(&o.into, "into", "", "folder that learnt weights are written to; \"\" is planner/reader/data")
	flag.StringVar(&o.made, "made", "", "folder for tables that are made for questions; \"\" is one that is taken away again")
	flag.StringVar(&o.own, "own", filepath.Join("reader", "testdata", "own"),
		"folder with the questions that were written here")
	flag.Float64Var(&o.rate, "rate", 0.05, "how fast weights are learnt")
	flag.Float64Var(&o.l1, "l1", 1e-4, "how strongly weights are drawn to where they began, each by as much")
	flag.Float64Var(&o.l2, "l2", 0.02, "how strongly weights are drawn to where they began, by how far they are from it")
	frozen := flag.String("frozen", "asks,query columns,query nothing,rule Query<-", "beginnings of features whose weights are not learnt, with commas between")
	flag.Float64Var(&o.hold, "hold", 0.5, "share of a weight that a person gave by which it may change")
	o.Parse()
	if o.made == "" {
		dir, err := os.MkdirTemp("", "reader")
		if err != nil {
			o.End(nil, err)
		}
		defer os.RemoveAll(dir)
		o.made = dir
	}
	o.names, o.frozen = strings.Split(*names, ","), strings.Split(*frozen, ",")
	if o.train {
		o.End(nil, train(context.Background(), o))
		return
	}
	all := map[string]*figures{}
	o.End(all, measure(context.Background(), o, all))
}

// measure reads the questions of each set and says how it went.
func measure(ctx context.Context, o options, all map[string]*figures) error {
	for _, name := range o.names {
		list, err := load(o, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		done, err := ask(ctx, o, list, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all[name] = report(o, name, done)
	}
	return nil
}
