package cli

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Who waits for a secret's program is told so, and nobody else.
func TestTellSlow(t *testing.T) {
	for _, tt := range []struct {
		takes time.Duration
		want  int // lines
	}{
		{settingsSlow - time.Millisecond, 0},
		{settingsSlow + time.Millisecond, 1},
		{time.Minute, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			var said bytes.Buffer
			read := tellSlow(&said, settingsSlow)
			time.Sleep(tt.takes)
			read()
			synctest.Wait()
			if got := strings.Count(said.String(), "\n"); got != tt.want || tt.want > 0 && !strings.Contains(said.String(), "30s") {
				t.Errorf("after %v it said %q", tt.takes, &said)
			}
		})
	}
}
