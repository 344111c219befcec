package cli

import "testing"

// TestBrief holds that the arguments of a step act on no terminal and begin no line.
func TestBrief(t *testing.T) {
	if got := brief(`{"path":"old\u001b[2J\n s2 done\u202e.txt","n":3,"data":"tbl_1"}`); got != "n=3 path=old[2J s2 done.txt" {
		t.Errorf("%q", got)
	}
}
