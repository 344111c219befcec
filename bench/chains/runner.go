package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/tools"
)

// runnerEnv makes this program run one plan over the faulty server, as the file at its path says, with a journal on disk: the
// process that is killed.
const runnerEnv = "CATENA_CHAINS_RUNNER"

// order is what a runner is told.
type order struct {
	Row       row                       `json:"row"`
	Dir       string                    `json:"dir"` // of the journal and of what the server keeps
	Decisions map[string]tools.Decision `json:"decisions"`
}

// ending is what a runner tells at its end.
type ending struct {
	Values  map[string]json.Number `json:"values"`  // of the steps that are done
	Waiting map[string]waiting     `json:"waiting"` // steps whose outcome is unknown
	Failed  []string               `json:"failed"`  // the others, with why
}

type waiting struct {
	Seed    int64  `json:"seed"`
	Hash    string `json:"hash"`
	Attempt int    `json:"attempt"`
}

// posted is a step's tool: every third step changes something.
func posted(s neutralStep) string {
	var a struct {
		Seed int64 `json:"seed"`
	}
	if json.Unmarshal(s.Args, &a) == nil && a.Seed%3 == 0 {
		return "post"
	}
	return s.Tool
}

func runOne(ctx context.Context, path string) (err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var o order
	if err := json.Unmarshal(raw, &o); err != nil {
		return err
	}
	db, err := sqlite.Open(ctx, filepath.Join(o.Dir, "journal.db"), store.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	s, end, err := dagStand(ctx, map[string]string{serverEnv: faultyServer, faultsEnv: o.Dir}, tools.ExecutorOptions{Parallel: 8}, db)
	if err != nil {
		return err
	}
	defer end()
	for i := range o.Row.Steps {
		o.Row.Steps[i].Tool = posted(o.Row.Steps[i])
	}
	p, err := readPlan(o.Row, s.reg.Planning(caller), exported)
	if err != nil {
		return err
	}
	out, err := s.exec.Run(ctx, tools.RunRequest{Caller: caller, Run: "run", Plan: p, Resume: true, Decisions: o.Decisions}, nil)
	if err != nil {
		return err
	}
	e := ending{Values: map[string]json.Number{}, Waiting: map[string]waiting{}}
	for _, step := range out.Steps {
		switch step.Status {
		case tools.StepDone:
			m, _ := step.Result.Structured.(map[string]any)
			e.Values[step.ID] = json.Number(fmt.Sprint(m["value"]))
		case tools.StepPending:
			seed, _ := json.Number(fmt.Sprint(step.Args["seed"])).Int64()
			e.Waiting[step.ID] = waiting{seed, step.ArgsHash, step.Attempt}
		default:
			e.Failed = append(e.Failed, fmt.Sprint(step.ID, " ", step.Status, ": ", step.Error))
		}
	}
	return json.NewEncoder(os.Stdout).Encode(e)
}
