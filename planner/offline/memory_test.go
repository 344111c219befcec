package offline

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
)

func TestOfflineMemoryWords(t *testing.T) {
	const keepOrAsk = "clarify: Should I keep these words, or do you want to see what they ask for? Write “note: …” to keep the words, or ask without “remember”."
	for message, want := range map[string]string{
		"remember Globex likes email":              `store_memory {"content":"Globex likes email"}`,
		"remember 今天是星期一":                          `store_memory {"content":"今天是星期一"}`,
		"dont forget that Bob is on leave":         `store_memory {"content":"Bob is on leave"}`,
		"remmber that the coffe machine is broken": `store_memory {"content":"the coffe machine is broken"}`,
		"remember":                                                 "clarify: What should I remember?",
		"remember that":                                            "clarify: What should I remember?",
		"remember the top 5 shops by sales":                        keepOrAsk,
		"remember average rating by country":                       keepOrAsk,
		"note: deploy is on Friday #ops #deploy":                   `store_memory {"content":"deploy is on Friday","tags":["ops","deploy"]}`,
		"remember that Jo is new, tags: crm, contact":              `store_memory {"content":"Jo is new","tags":["crm","contact"]}`,
		"remember that the ticket is #12 of 20":                    `store_memory {"content":"the ticket is #12 of 20"}`,
		"note: #ops":                                               `store_memory {"content":"#ops"}`,
		"how many shops are there and remember that Bob owns Kiel": `{"select":[{"as":"count","expr":"count"}],"table":"shops"}` + "\n" + `store_memory {"content":"Bob owns Kiel"}`,
		"what is anna alergic to?":                                 `search_memory {"query":"anna alergic to"}`,
		"who is Sue?":                                              `search_memory {"query":"Sue"}`,
		"when is the demo?":                                        `search_memory {"query":"demo"}`,
		"where is my umbrella?":                                    `search_memory {"query":"umbrella"}`,
		"do I have notes on milk?":                                 `search_memory {"query":"milk"}`,
		"anything about Sue?":                                      `search_memory {"query":"Sue"}`,
		"do you know anything about Hooli?":                        `search_memory {"query":"Hooli"}`,
		"show memories tagged ops":                                 `{"filter":[{"column":"tags","op":"contains","value":"ops"}],"select":["content","tags","created_at"],"table":"memories"}`,
		"list memories from today":                                 `{"filter":[{"column":"created_at","op":"eq","value":"2026-11-21"}],"select":["memory_id","created_at","content","tags"],"table":"memories"}`,
	} {
		req := plan.Request{Message: message, Now: testNow, Clock: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), Tables: append([]plan.TableInfo{shops, ledger}, liveTables...), Values: testValues, Tools: storeTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, stepsOf(resp.Plan)); diff != "" {
			t.Errorf("%q: %s", message, diff)
		}
		if found := plan.Validate(resp.Plan, storeTools, req.Tables, plan.Limits{}); len(resp.Plan.Steps) > 0 && len(found) > 0 {
			t.Errorf("%q: not valid: %v", message, found)
		}
	}
}

// What is known of a thing is in the tables and in memory: both are shown, the tables first.
func TestOfflineRecallBesideTables(t *testing.T) {
	p := deedFor(t, "what do we know about Kiel?", true).Plan
	if len(p.Steps) != 2 || p.Steps[0].Args["table"] != "shops" || p.Steps[1].Tool != "search_memory" || len(p.Answer) != 2 {
		t.Errorf("%s, answer %v", stepsOf(p), p.Answer)
	}
}

// Nothing is deleted by guess, and never all of it.
func TestOfflineForgetsNothingByGuess(t *testing.T) {
	for _, message := range []string{"delete all my memories", "forget everything you know about me", "clear my memories", "wipe my memory", "forget all", "delete the memories", "forget it", "delete that", "forget that filter", "list my memories and delete all memories"} {
		for _, step := range deedFor(t, message, true).Plan.Steps {
			if step.Tool == "delete_memory" {
				t.Errorf("%q plans %s", message, stepsOf(deedFor(t, message, true).Plan))
			}
		}
	}
}

// “It” is the one memory that the last answer showed, or that the last message told to keep.
func TestOfflineOneMemory(t *testing.T) {
	p := deedFor(t, "what do I know about Globex?", true).Plan
	shown := func(rows int) plan.Turn {
		return plan.Turn{Message: "what do I know about Globex?", Plan: &p, Outcome: "answer", Tables: []plan.TableInfo{{Name: "memories_found", Handle: "tbl_1", Source: "result", Rows: rows,
			Columns: []plan.ColumnInfo{column("memory_id", "text", "identifier"), column("content", "text", "dimension"), column("tags", "text", "dimension")}}}}
	}
	k := deedFor(t, "remember that Ann left", true).Plan
	kept := plan.Turn{Message: "remember that Ann left", Plan: &k, Outcome: "answer"}
	const read = `{"select":["memory_id","content","tags"],"table":"tbl_1"}` + "\n"
	for _, c := range []struct {
		before  plan.Turn
		message string
		want    string
	}{
		{shown(1), "forget that", read + `delete_memory {"memory_id":{"$ref":"s1.rows[0].memory_id"}}`},
		{shown(1), "delete it", read + `delete_memory {"memory_id":{"$ref":"s1.rows[0].memory_id"}}`},
		{shown(2), "forget that", "clarify: " + meanings["forget"].asks},
		{shown(1), "change it to Tuesday", read + `update_memory {"content":{"$concat":[{"$ref":"s1.rows[0].content"}," (changed to: Tuesday)"]},"memory_id":{"$ref":"s1.rows[0].memory_id"}}`},
		{shown(1), "change it to: the demo is on Tuesday", read + `update_memory {"content":"the demo is on Tuesday","memory_id":{"$ref":"s1.rows[0].memory_id"}}`},
		{shown(2), "change it to Tuesday", "clarify: " + meanings["amend"].asks},
		{shown(1), "tag it crm and contacts", read + `update_memory {"memory_id":{"$ref":"s1.rows[0].memory_id"},"tags":["crm","contacts"]}`},
		{kept, "forget that", `{"filter":[{"column":"content","op":"eq","value":"Ann left"}],"select":["memory_id","content","tags"],"table":"memories"}` + "\n" + `delete_memory {"memory_id":{"$ref":"s1.rows[0].memory_id"}}`},
	} {
		if diff := cmp.Diff(c.want, stepsOf(deedFor(t, c.message, true, c.before).Plan)); diff != "" {
			t.Errorf("%q: %s", c.message, diff)
		}
	}
}
