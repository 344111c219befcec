package archtest

import (
	"fmt"
	"os"
	"testing"

	"catena/internal/e2e/e2etest"
)

// TestMain has the tests see the module from its root.
func TestMain(m *testing.M) {
	if err := os.Chdir(e2etest.Path(".")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
