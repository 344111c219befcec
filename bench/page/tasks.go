package main

import (
	"context"
	_ "embed"
)

//go:embed tasks.txt
var taskScripts string

// tasks does the twelve, each with a browser of its own.
func tasks(ctx context.Context, url string, r *result) error {
	for _, t := range scriptsOf(taskScripts) {
		b, end, err := open(ctx)
		if err != nil {
			return err
		}
		if err = b.visit(url + "/"); err == nil {
			err = b.play(t)
		}
		end()
		if err != nil {
			r.NotDone = append(r.NotDone, err.Error())
			continue
		}
		r.TasksDone++
	}
	return nil
}
