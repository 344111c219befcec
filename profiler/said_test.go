package profiler

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"catena/table"
	"catena/table/columnar"
	"catena/table/load"
)

func TestTitlesAndDescriptionsOfASource(t *testing.T) {
	rows, err := load.Any([]any{map[string]any{"mrr": 12, "client_id": 7, "w_usd": 3}, map[string]any{"mrr": 15, "client_id": 9, "w_usd": 4}}, table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	said := rows.Described(map[string]table.Column{
		"mrr":       {Title: "Monthly recurring revenue", About: "At the end of the month", Unit: "EUR"},
		"client_id": {Title: "Client Id"}, // as programs make titles of names
		"w_usd":     {Title: "Weekly spend"},
	})
	var kept bytes.Buffer
	if err := columnar.WriteIPC(t.Context(), &kept, said); err != nil {
		t.Fatal(err)
	}
	if said, err = columnar.ReadIPC(&kept); err != nil {
		t.Fatal(err)
	}
	meta := map[string]ColumnMetadata{}
	for _, m := range Profile(context.Background(), said) {
		meta[m.OriginalName] = m
	}
	if m := meta["mrr"]; m.CleanedName != "Monthly recurring revenue" || m.Units != "EUR" || !strings.HasPrefix(m.Description, "At the end of the month. Monthly recurring revenue: ") {
		t.Errorf("mrr: %q in %q: %s", m.CleanedName, m.Units, m.Description)
	}
	if m := meta["client_id"]; m.CleanedName != "Client ID" {
		t.Errorf("client_id: %q", m.CleanedName)
	}
	if m := meta["w_usd"]; m.CleanedName != "Weekly spend" || m.Units != "USD" {
		t.Errorf("w_usd: %q in %q", m.CleanedName, m.Units)
	}
}
