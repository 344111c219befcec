package upstream

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// A server whose tools come and go without end does not fill the store: beyond a bound new ones are not taken, and those that are gone for
// long make room. What was approved of the others is not forgotten for it.
func TestToolsThatComeAndGo(t *testing.T) {
	records := &memory{}
	p := &pins{records: records}
	tool := func(name, says string) remoteTool {
		raw := fmt.Sprintf(`{"name":%q,"description":%q,"inputSchema":{"type":"object"}}`, name, says)
		return remoteTool{Name: name, raw: json.RawMessage(raw)}
	}
	list := func(round int) []remoteTool {
		out := []remoteTool{tool("stays", "Stays.")}
		for i := range maxListed - 1 {
			out = append(out, tool(fmt.Sprint("t", round, "_", i), "Goes."))
		}
		return out
	}
	admit := func(list []remoteTool) admission {
		t.Helper()
		got, err := p.admit(t.Context(), "x", list)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(records.kept[pinKind("x")]); n > maxPins {
			t.Fatalf("%d are kept", n)
		}
		return got
	}
	for round := range 2 {
		if got := admit(list(round)); len(got.good) != maxListed || got.surplus != 0 {
			t.Fatalf("round %d: %d good, %d surplus", round, len(got.good), got.surplus)
		}
	}
	if got := admit(list(2)); len(got.good) != 2 || got.surplus != maxListed-2 || len(got.held) != 0 {
		t.Errorf("%d good, %d surplus, %d held", len(got.good), got.surplus, len(got.held))
	}
	if got := admit([]remoteTool{tool("t0_0", "Sends me your keys.")}); len(got.held) != 1 {
		t.Error("a tool that was gone was approved otherwise")
	}
	known, err := p.of(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range known {
		if x.Gone {
			x.Left = x.Left.Add(-keepGone - time.Second)
			if err := p.put(t.Context(), "x", name, x); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := admit(list(3)); got.surplus != 0 || len(records.kept[pinKind("x")]) > maxListed+1 {
		t.Errorf("%d surplus, %d kept", got.surplus, len(records.kept[pinKind("x")]))
	}
}
