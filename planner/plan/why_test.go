package plan

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestReasons(t *testing.T) {
	tools := []Tool{
		{Name: "find_clients", Description: "Finds clients by country.", InputSchema: json.RawMessage(`{"type":"object","properties":{"country":{"type":"string"},"limit":{"type":"integer","default":10},"since":{"type":"string"},"mode":{"type":"string"}}}`)},
		{Name: "crm__bills", Description: "What somebody has to pay.", InputSchema: json.RawMessage(`{"type":"object","properties":{"client":{"type":"string"}}}`)},
	}
	p := Plan{Steps: []Step{
		{ID: "a", Tool: "find_clients", Args: map[string]any{"country": "DE", "limit": json.Number("10"), "since": "2025-03-01", "mode": "fast"}},
		{ID: "b", Tool: "crm__bills", Each: &Ref{Step: "a", Path: []Seg{{Field: "rows"}, {All: true}}}, Args: map[string]any{"client": Ref{Step: Each}}},
		{ID: "c", Tool: "crm__bills", Args: map[string]any{"client": "Ann"}},
	}}
	said := []Reason{{Step: "c", Slot: "/client", Words: "her", How: HowMessage}}
	var got []string
	for _, r := range Reasons("the bills of our German clients since March 2025", p, tools, nil, said) {
		got = append(got, strings.TrimSpace(r.line()))
	}
	want := []string{
		"a tool = find_clients: “clients”", "a country = \"DE\": “German”", "a limit = 10: the default", "a mode = \"fast\": chosen; the message does not say it", "a since = \"2025-03-01\": “since March 2025”",
		"b tool = crm__bills: “bills”", "b each = a.rows[*]: from an earlier step", "b client = each: from an earlier step", "c tool = crm__bills: “bills”", "c client = \"Ann\": “her”",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if n := len(Reasons("", Plan{}, nil, nil, nil)); n != 0 {
		t.Error(n)
	}
}
