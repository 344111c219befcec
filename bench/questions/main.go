// Command questions asks the offline planner plain questions about real tables and tools, runs its plans on the product's
// own path (planner, executor, registry, toolkit) and scores the answers by the rule of the sets' score.py.
//
//	go -C bench run ./questions -data DIR [-split dev] [-n N] [-own DIR] [-v] [-json]
//		[-reader old|new|both|alone] [-risk .03]
//
// DIR holds analyst, wtq and chains. -own names the folder that fetch.sh has filled. The last line with -json is one object.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"catena/bench/answers"
	"catena/planner"
	"catena/planner/offline"
	"catena/planner/reader"
)

// asOf is the day on which the questions are asked.
var asOf = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// question is a line of a set.
type question struct {
	ID         string       `json:"id"`
	File       string       `json:"file"`
	Question   string       `json:"question"`
	After      string       `json:"after"`
	Category   string       `json:"category"`
	Answerable *bool        `json:"answerable"`
	Gold       answers.Gold `json:"gold"`
}

func (q question) answerable() bool { return q.Answerable == nil || *q.Answerable }

// prediction is what the product answered.
type prediction struct {
	Outcome string
	Columns []string
	Rows    [][]any
	Note    string // why, or the plan: for -v
}

// figures are what the last line reports; their names stay, as what reads them goes by them.
type figures struct {
	Right        int `json:"right"`
	Answerable   int `json:"answerable"`
	Refused      int `json:"refused"`
	Unanswerable int `json:"unanswerable"`
	ChainsRight  int `json:"chains_right"`
	ChainsTotal  int `json:"chains_total"`
	WTQRight     int `json:"wtq_right"`
	WTQTotal     int `json:"wtq_total"`
	OwnRight     int `json:"own_right"`
	OwnTotal     int `json:"own_total"`
}

type options struct {
	data, split, own, only string
	reader                 string
	risk                   float64
	limit                  int
	verbose                bool
}

func main() {
	var o options
	flag.StringVar(&o.data, "data", "", "folder with analyst, wtq and chains")
	flag.StringVar(&o.split, "split", "dev", "part of the sets: <split>.jsonl")
	flag.StringVar(&o.own, "own", "", "folder filled by bench/questions/fetch.sh")
	flag.StringVar(&o.reader, "reader", "old", "what understands questions about tables: old, "+
		"new (which asks the old one what it does not read), both (which asks the old one what it is not sure of), or alone")
	flag.Float64Var(&o.risk, "risk", reader.DefaultRisk, "of the new one: the share of wrong ones among answers; 1 answers always")
	flag.StringVar(&o.only, "only", "", "one set: analyst, wtq, chains or own")
	flag.IntVar(&o.limit, "n", 0, "ask only the first N of each set")
	flag.BoolVar(&o.verbose, "v", false, "misses on standard error")
	asJSON := flag.Bool("json", false, "end with one JSON object")
	flag.Parse()
	if err := run(o, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "questions:", err)
		os.Exit(1)
	}
}

func run(o options, asJSON bool) error {
	if o.data == "" && o.own == "" {
		return errors.New("give -data DIR or -own DIR")
	}
	var f figures
	ctx := context.Background()
	sets := []struct {
		name, dir, gold string
		ask             func(context.Context, planner.Planner, string, []question) ([]prediction, error)
		count           func(q question, right bool)
	}{
		{"analyst", filepath.Join(o.data, "analyst"), o.split + ".jsonl", askTables, func(q question, right bool) { f.analyst(q, right) }},
		{"chains", filepath.Join(o.data, "chains"), o.split + ".jsonl", askChains, func(_ question, right bool) { f.ChainsTotal++; f.ChainsRight += one(right) }},
		{"wtq", filepath.Join(o.data, "wtq"), o.split + ".jsonl", askTables, func(_ question, right bool) { f.WTQTotal++; f.WTQRight += one(right) }},
		{"own", o.own, "", askTables, func(_ question, right bool) { f.OwnTotal++; f.OwnRight += one(right) }},
	}
	for _, s := range sets {
		if s.name == "own" && o.own == "" || s.name != "own" && o.data == "" || o.only != "" && o.only != s.name {
			continue
		}
		gold := filepath.Join(s.dir, s.gold)
		if s.name == "own" {
			gold = ownFile()
		}
		list, err := loadQuestions(gold, o.limit)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(os.Stderr, "questions: no %s here (%s)\n", s.name, gold)
			continue
		} else if err != nil {
			return err
		}
		answers, err := s.ask(ctx, o.planner(), s.dir, list)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		report(o, s.name, list, answers, s.count)
	}
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(f)
	}
	return nil
}

// planner is the offline planner that is measured.
func (o options) planner() planner.Planner {
	read := reader.New(reader.WithRisk(o.risk))
	switch o.reader {
	case "alone":
		return read
	case "new":
		return planner.Reading(read, offline.New())
	case "both":
		return planner.Surer(read, offline.New())
	}
	return offline.New()
}

// ownFile finds own.jsonl beside this program's source, from the repository's root or from the folder itself.
func ownFile() string {
	if _, err := os.Stat("own.jsonl"); err == nil {
		return "own.jsonl"
	}
	return filepath.Join("bench", "questions", "own.jsonl")
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (f *figures) analyst(q question, right bool) {
	if q.answerable() {
		f.Answerable++
		f.Right += one(right)
	} else {
		f.Unanswerable++
		f.Refused += one(right)
	}
}

func report(o options, name string, list []question, answers []prediction, count func(question, bool)) {
	total, n := 0, map[string][2]int{}
	for i, q := range list {
		right, why := judge(q, answers[i])
		count(q, right)
		c := n[q.Category]
		n[q.Category] = [2]int{c[0] + one(right), c[1] + 1}
		total += one(right)
		if o.verbose && !right {
			fmt.Fprintf(os.Stderr, "MISS %s [%s] %s\n   %s\n   gold %s\n   got  %s %v %s\n   %s\n", q.ID, q.Category, q.Question, why, clip(fmt.Sprint(q.Gold.Outcome, q.Gold.Rows), 200), answers[i].Outcome, answers[i].Columns, clip(fmt.Sprint(answers[i].Rows), 200), clip(answers[i].Note, 900))
		}
	}
	fmt.Printf("%-8s %4d / %4d  %5.1f %%\n", name, total, len(list), 100*float64(total)/float64(max(1, len(list))))
	var kinds []string
	for k := range n {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	for _, k := range kinds {
		fmt.Printf("  %-20s %4d / %4d\n", k, n[k][0], n[k][1])
	}
}

func clip(s string, most int) string {
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}

func loadQuestions(path string, limit int) ([]question, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []question
	in := bufio.NewScanner(f)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		if strings.TrimSpace(in.Text()) == "" {
			continue
		}
		var q question
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if out = append(out, q); len(out) == limit {
			break
		}
	}
	return out, in.Err()
}
