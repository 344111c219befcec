package cli

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"catena/internal/app"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagRange is what a flag of a number or a duration may be.
type flagRange struct{ least, most, example string }

// flagRanges are those of all commands, by the flag's name.
var flagRanges = map[string]flagRange{
	"max-rows": {"1", "10000", "20"},
	"timeout":  {"1ms", "24h", "30s"},
}

// checkFlags says which flags that were given are out of their range, and what may be written.
func checkFlags(cmd *cobra.Command, _ []string) error {
	var errs []error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if r, ok := flagRanges[f.Name]; ok && !r.holds(f.Value) {
			errs = append(errs, fmt.Errorf("--%s is %s; it goes from %s to %s, for example --%s %s", f.Name, f.Value,
				r.least, r.most, f.Name, r.example))
		}
	})
	if len(errs) > 0 {
		return app.UsageError(errors.Join(errs...))
	}
	return nil
}

// holds says that a flag's value is in the range.
func (r flagRange) holds(v pflag.Value) bool {
	if v.Type() == "duration" {
		return within(r, v.String(), time.ParseDuration)
	}
	return within(r, v.String(), strconv.Atoi)
}

func within[T ~int | ~int64](r flagRange, text string, read func(string) (T, error)) bool {
	least, e1 := read(r.least)
	most, e2 := read(r.most)
	x, err := read(text)
	return errors.Join(e1, e2, err) == nil && least <= x && x <= most
}
