package csv

import "testing"

func TestIsCrossRule(t *testing.T) {
	for line, want := range map[string]bool{
		"+---+---+": true, "  +---+ ": true, "----+----": true, "|---+---|": true, "-+-": true, "+-": true, "-+": true, "++-": true, "|+-": true, "+=:=+": true, "--+||": true,
		"": false, "+": false, "++": false, "---": false, "|---|": false, "||-+": false, "|-|-+": false, "+++-": false, "-+x": false, "x-+-": false, "| a |": false, "+1": false, "- +": false,
	} {
		if got := isCrossRule(line); got != want {
			t.Errorf("%q: %t", line, got)
		}
	}
}
