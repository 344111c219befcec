package orders_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"catena/planner/plan"
	"catena/planner/reader"
)

// chainTools are tools of a library, and the one that queries tables.
var chainTools = func() []plan.Tool {
	give := orderTool("loans_cancel", "Cancel a loan.", "id!")
	loans := readOnlyTool("loans_list", "List loans with due date, fine amount and state.", "reader_id book_id")
	loans.InputSchema = json.RawMessage(strings.Replace(string(loans.InputSchema), `"properties":{`,
		`"properties":{"state":{"type":"string","enum":["running","late","returned"]},`, 1))
	return []plan.Tool{
		readOnlyTool("readers_find", "Find readers: id, name, city.", "name"),
		loans, give,
		readOnlyTool("query_table", "Queries tables.", "query:object sql tables:object data table"),
	}
}()

// TestChainsAsk: what is asked of the rows that calls give.
func TestChainsAsk(t *testing.T) {
	finds := `readers_find {"name":"Ada Lovelace"}; loans_list {"reader_id":{"$ref":"s1.rows[only].id"}`
	for message, want := range map[string]string{
		"show the late loans of Ada Lovelace":   finds + `,"state":"late"}`,
		"how many late loans has Ada Lovelace?": finds + `,"state":"late"}; query_table {"data":{"$ref":"s2"},"select":[{"as":"count","expr":"count"}]}`,
		"total fine of Ada Lovelace's loans":    finds + `}; query_table {"data":{"$ref":"s2"},"select":[{"column":"fine_amount","expr":"sum"}]}`,
		"number of loans of Ada Lovelace by state": finds + `}; query_table {"data":{"$ref":"s2"},"group_by":["state"],` +
			`"select":["state",{"as":"count","expr":"count"}]}`,
		"loans of Ada Lovelace with a fine amount over 5": finds + `}; query_table {"data":{"$ref":"s2"},` +
			`"filter":[{"column":"fine_amount","op":"gt","value":5}]}`,
		"city of the late loans of Ada Lovelace": "", // readers have a city, loans have none
		"cancel the late loan of Ada Lovelace":   finds + `,"state":"late"}; loans_cancel {"id":{"$ref":"s2.rows[only].id"}}`,
		"cancel all loans":                       "",
		"median weight of the loans of Ada":      "", // nobody knows that loans have one
	} {
		req := plan.Request{Message: message, Now: time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC), Tools: chainTools}
		r := reader.New()
		resp, err := r.Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		got := toldOrder(resp.Plan)
		if r.Unread(resp) || resp.Plan.Clarify != "" {
			got = ""
		}
		if got != want {
			t.Errorf("%q: want %s, got %s (%.2f)", message, want, got, resp.Plan.Confidence)
		}
	}
}
