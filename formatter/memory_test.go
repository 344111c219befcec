package formatter

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"catena/table"
)

// outputs are all the texts that a view is written as.
var outputs = map[string]func(*View) int{
	"Markdown": func(v *View) int { return len(v.Markdown()) },
	"HTML":     func(v *View) int { return len(v.HTML()) },
	"bullets":  func(v *View) int { return len(v.Bullets()) },
	"CSV":      func(v *View) int { return len(v.CSV()) },
	"text":     func(v *View) int { return len(v.Model()) },
	"JSON": func(v *View) int {
		raw, _ := v.JSON() // of a text that ended early there may be an error
		return len(raw)
	},
}

// Every output draws what it takes from the work of its table, and ends with it: one of many rows, and one of few long
// cells.
func TestOutputsDrawTheirMemory(t *testing.T) {
	var many, long strings.Builder
	many.WriteString("id,name\n")
	for i := range 40_000 {
		fmt.Fprintf(&many, "%d,number %d\n", i, i)
	}
	long.WriteString("id,name\n")
	for i := range 40 {
		fmt.Fprintf(&long, "%d,%s\n", i, strings.Repeat("long ", 20_000))
	}
	for content, text := range map[string]string{"many rows": many.String(), "long cells": long.String()} {
		tab := loaded(t, text)
		for name, write := range outputs {
			t.Run(content+"/"+name, func(t *testing.T) {
				size, work, end := written(t, t.Context(), tab, 256<<20, write)
				if taken := work.budget.Taken(); work.Stopped() != nil || size > textStep && taken < int64(size) {
					t.Errorf("%d bytes for which %d were drawn: %v", size, taken, work.Stopped())
				}
				end()
				if work.budget.Taken() != 0 {
					t.Errorf("%d bytes are not given back", work.budget.Taken())
				}
				if size <= 2*textStep {
					return // cells are cut
				}
				cut, work, end := written(t, t.Context(), tab, textStep, write)
				defer end()
				var limit *table.LimitError
				if !errors.As(work.Stopped(), &limit) || cut >= size {
					t.Errorf("%d of %d bytes in a budget of %d: %v", cut, size, textStep, work.Stopped())
				}
				ended, cancel := context.WithCancel(t.Context())
				cancel()
				cut, work, end = written(t, ended, tab, 256<<20, write)
				defer end()
				if !errors.Is(work.Stopped(), context.Canceled) || cut >= size {
					t.Errorf("%d of %d bytes after its context: %v", cut, size, work.Stopped())
				}
			})
		}
	}
}

// budgeted is a work and what it draws from.
type budgeted struct {
	*table.Work
	budget *table.MemoryBudget
}

// written makes a view, whose table is then put into a work, and tells how long the text is. end must be called.
func written(t *testing.T, ctx context.Context, tab *table.Table, size int64, write func(*View) int) (int, budgeted, func()) {
	t.Helper()
	v, err := Format(tab, nil, Options{MaxCell: -1})
	if err != nil {
		t.Fatal(err)
	}
	b := table.NewMemoryBudget(size)
	within, work := table.WithWork(ctx, b)
	v.shown = v.shown.In(within)
	return write(v), budgeted{work, b}, work.End
}
