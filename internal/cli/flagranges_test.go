package cli

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"catena/internal/e2e/e2etest"
)

// Every flag of a number or a duration has a range.
func TestFlagRanges(t *testing.T) {
	seen := map[string]bool{}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			switch f.Value.Type() {
			case "bool", "string", "stringArray", "stringSlice":
				return
			}
			r, ok := flagRanges[f.Name]
			if seen[f.Name] = true; !ok {
				t.Errorf("%s --%s has no range", cmd.CommandPath(), f.Name)
				return
			}
			for _, text := range []string{r.least, r.most, r.example} {
				if err := f.Value.Set(text); err != nil || !r.holds(f.Value) {
					t.Errorf("--%s %s is not in its own range: %v", f.Name, text, err)
				}
			}
			for _, text := range []string{"-1s", "-1", "0", "0s", "9223372036854775807", "2562047h"} {
				if f.Value.Set(text) == nil && r.holds(f.Value) {
					t.Errorf("--%s %s is taken", f.Name, text)
				}
			}
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(RootCommand(e2etest.Settings()))
	for name := range flagRanges {
		if !seen[name] {
			t.Errorf("no command has --%s", name)
		}
	}
}
