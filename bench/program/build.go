package program

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// Root is the folder of the product's module, as this module's go.mod names it.
func Root(ctx context.Context) (string, error) {
	said, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "catena").Output()
	if err != nil {
		return "", fmt.Errorf("go list -m catena, in the folder of bench or below it: %w", err)
	}
	return string(bytes.TrimSpace(said)), nil
}

// Build makes the program at path as it is shipped: in pure Go, and in its own module, so that the versions of its own go.mod are in it
// and not those that measuring needs. flags go to go build.
func Build(ctx context.Context, path string, flags ...string) error {
	root, err := Root(ctx)
	if err != nil {
		return err
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	args := slices.Concat([]string{"build", "-C", root, "-trimpath"}, flags, []string{"-o", path, "."})
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, said)
	}
	return nil
}
