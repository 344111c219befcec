package offline

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Measures that are asked for by aggregates of their own have them, and no others.
func TestOfflinePairsAggregates(t *testing.T) {
	for question, want := range map[string]string{
		"average rating and total visitors": `{"select":[{"column":"Rating","expr":"mean"},{"column":"visitors","expr":"sum"}],"table":"shops"}`,
		"total visitors, average rating":    `{"select":[{"column":"visitors","expr":"sum"},{"column":"Rating","expr":"mean"}],"table":"shops"}`,
		"average and total visitors":        `{"select":[{"column":"visitors","expr":"mean"},{"column":"visitors","expr":"sum"}],"table":"shops"}`,
		"average total visitors":            `{"select":[{"column":"visitors","expr":"mean"}],"table":"shops"}`,
	} {
		t.Run(question, func(t *testing.T) {
			if diff := cmp.Diff(want, stepsOf(planFor(t, question))); diff != "" {
				t.Error(diff)
			}
		})
	}
}
