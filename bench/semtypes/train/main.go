// Command train trains the models that package profiler/model embeds.
//
//	go -C bench run ./semtypes/train -data DIR [-split dev] [-out ../profiler/model/weights.bin]
//
// DIR holds sortinghat and socrata. The same data give the same weights. Whether options are better is judged by the figures of
// bench/semtypes, whose folds keep the columns of a file and of a portal together.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"catena/bench/semtypes/learn"
	"catena/bench/sets"
	"catena/profiler/model"
)

func main() {
	o := sets.Flags("train", "sortinghat and socrata")
	out := flag.String("out", "../profiler/model/weights.bin", "file to write the weights to")
	o.Parse()
	size, err := train(o, *out)
	if err == nil {
		fmt.Printf("%s: %d bytes\n", *out, size)
	}
	o.End(map[string]int64{"bytes": size}, err)
}

func train(o *sets.Options, path string) (int64, error) {
	columns, err := learn.Columns(o.Path("sortinghat", "SPLIT.jsonl"), o.Limit)
	if err != nil {
		return 0, err
	}
	publications, err := learn.Publications(o.Path("socrata", "SPLIT.jsonl"), o.Limit)
	if err != nil {
		return 0, err
	}
	kinds, shows := learn.NewKindSet(columns), learn.NewShowSet(publications)
	if len(kinds.Classes) == 0 || len(shows.Classes) == 0 {
		return 0, errors.New("a set is empty: -data must hold sortinghat and socrata")
	}
	m := model.Models{Kinds: *kinds.Train(learn.All(len(kinds.Classes)), learn.DefaultKinds()), Shows: *shows.Train(learn.All(len(shows.Classes)), learn.DefaultShows())}
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	if err := m.Write(f); err != nil {
		return 0, errors.Join(err, f.Close())
	}
	info, err := f.Stat()
	if err != nil {
		return 0, errors.Join(err, f.Close())
	}
	return info.Size(), f.Close()
}
