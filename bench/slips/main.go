// Command slips measures what becomes of the slips that models make in plans: names that are spelled otherwise, types,
// periods, stages, aliases, dialects of SQL, prose around a plan, native tool calls.
//
//	go -C bench run ./slips [-kind NAME] [-v] [-json]
//
// A slip is a right plan over the demo (bases.go) that is written as models are known to write (kinds.go). A scripted
// model gives it in answer to the question, through the same planners as the program has. When it is told what is wrong
// it gives the right plan where the correction names the word that is wrong, else the same one again; after a step that
// failed it only has the same plan. What comes out is compared with the table of the right plan:
//
//   - right: as it stands; mended: by repairs; corrected: by the model, once told; reader: by the planner without one
//   - refused: a question or a refusal; raw error: a step failed and its error is what the asker gets
//   - silent wrong: another table, and nothing that says so
//
// The bars: 90 % have the right table, none is silently wrong, no raw error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"

	"catena/bench/sets"
)

// figures are what the program measures.
type figures struct {
	Right     int `json:"right"`
	Mended    int `json:"mended"`
	Corrected int `json:"corrected"`
	Reader    int `json:"reader"`
	Refused   int `json:"refused"`
	Wrong     int `json:"silent_wrong"`
	Raw       int `json:"raw_error"`
	Total     int `json:"total"`
}

// leastRight is the share of slips that must come to the right table.
const leastRight = 0.90

func main() {
	o := sets.Flags("slips", "nothing: all is here")
	kind := flag.String("kind", "", "only the slips of this kind")
	flag.Parse()
	f, err := run(context.Background(), o, *kind)
	o.End(f, err)
}

func run(ctx context.Context, o *sets.Options, only string) (figures, error) {
	var f figures
	w, err := newWorld(ctx)
	if err != nil {
		return f, err
	}
	defer w.close()
	for _, k := range kinds {
		if only != "" && k.name != only {
			continue
		}
		counts := map[outcome]int{}
		for _, b := range bases {
			text, made := k.of(b)
			if !made {
				continue
			}
			got, err := w.try(ctx, b, text, k.token)
			if err != nil {
				return f, fmt.Errorf("%s of %q: %w", k.name, b.question, err)
			}
			counts[got.outcome]++
			if slices.Contains([]outcome{refused, raw, wrong}, got.outcome) {
				o.Missf("%s: %s: %s\n  %s\n  %s", got.outcome, k.name, b.question, text, got.said)
			}
		}
		f.add(k.name, counts)
	}
	share := float64(f.Right+f.Mended+f.Corrected+f.Reader) / float64(max(f.Total, 1))
	fmt.Printf("%d slips: right table %.1f %% (bar %.0f %%): %d as they stand, %d mended, %d corrected, "+
		"%d by the reader; %d refused, %d silently wrong, %d raw errors\n", f.Total, 100*share, 100*leastRight, f.Right,
		f.Mended, f.Corrected, f.Reader, f.Refused, f.Wrong, f.Raw)
	return f, f.missed(share, only)
}

func (f figures) missed(share float64, only string) error {
	var missed []error
	if share < leastRight && only == "" {
		missed = append(missed, fmt.Errorf("%.1f %% are right, less than %.0f %%", 100*share, 100*leastRight))
	}
	if f.Wrong > 0 {
		missed = append(missed, fmt.Errorf("%d are silently wrong", f.Wrong))
	}
	if f.Raw > 0 {
		missed = append(missed, fmt.Errorf("%d show a raw error", f.Raw))
	}
	return errors.Join(missed...)
}

// add counts the slips of one kind, and prints them.
func (f *figures) add(kind string, counts map[outcome]int) {
	n := 0
	line := ""
	for _, o := range []outcome{right, mended, corrected, readerOnly, refused, wrong, raw} {
		n += counts[o]
		if counts[o] > 0 {
			line += fmt.Sprintf("  %s %d", o, counts[o])
		}
	}
	fmt.Printf("%-34s %3d%s\n", kind, n, line)
	f.Right += counts[right]
	f.Mended += counts[mended]
	f.Corrected += counts[corrected]
	f.Reader += counts[readerOnly]
	f.Refused += counts[refused]
	f.Wrong += counts[wrong]
	f.Raw += counts[raw]
	f.Total += n
}
