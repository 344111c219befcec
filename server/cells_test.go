package server

import (
	"strings"
	"testing"

	"catena/server/servertest"
)

func TestCells(t *testing.T) {
	_, h, _ := newTest(t)
	url := h.URL + "/api/v1/tables/tbl_aaaaaaaaaaaaaaaaaaaaaaaaaa/cells/"
	for path, want := range map[string]string{
		"0/revenue?limit=1": `"value":3,"expression":"","filter":"","windowed":false,"offset":0,"rows":{"columns":[{"name":"row","type":"integer"}],"rows":[],"row_count":0,"total_rows":2,"truncated":true}`,
		"0/other":           `"status":404,"detail":"There is no column."`,
		"x/revenue":         `"code":"not_found"`,
		"0/revenue?limit=0": `"status":400`,
	} {
		if _, _, body := servertest.Ask(t, "GET", url+path, ""); !strings.Contains(body, want) {
			t.Errorf("%s: %s", path, body)
		}
	}
}
