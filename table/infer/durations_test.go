package infer_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table/loadtest"
	"catena/table/tabletest"
)

func TestInferDurations(t *testing.T) {
	for name, tt := range map[string]struct {
		header, cells, kind, want string
	}{
		"units":            {"t", "1h30m|45s|2d 4h|", "t:duration", "1h30m0s|45s|52h0m0s|null"},
		"ISO 8601":         {"t", "PT1H30M|P1DT2.5S|-PT5S|P2W", "t:duration", "1h30m0s|24h0m2.5s|-5s|336h0m0s"},
		"beyond a day":     {"t", "01:30:00|26:00:01|NA", "t:duration", "1h30m0s|26h0m1s|null"},
		"the name says so": {"call_duration", "01:30:00|00:00:05", "call_duration:duration", "1h30m0s|5s"},
		"times of day":     {"at", "01:30:00|23:00:05", "at:time", "01:30:00|23:00:05"},
		"metres":           {"t", "5m|10m", "t:text", "5m|10m"},
		"decades":          {"t", "1980s|90s", "t:text", "1980s|90s"},
		"months":           {"t", "P1M|P1Y", "t:text", "P1M|P1Y"},
		"scores":           {"t", "1:30|2:10", "t:text", "1:30|2:10"},
		"a bad cell":       {"t", "1h30m|soon", "t:text", "1h30m|soon"},
		"nothing":          {"t", "PT|P", "t:text", "PT|P"},
	} {
		t.Run(name, func(t *testing.T) {
			got := loadtest.ReadCSV(t, tt.header+",n\n"+strings.Join(strings.Split(tt.cells, "|"), ",1\n")+",1\n")
			first, err := got.Table.Select(tt.header)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.kind+" "+tt.want, loadtest.Kinds(first)+" "+strings.Join(tabletest.Rows(first), "|")); diff != "" {
				t.Error(diff, got.Report.Notes)
			}
		})
	}
}
