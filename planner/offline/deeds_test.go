package offline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
)

// tableOf is the output schema of a table with columns: names, with a type behind a colon.
func tableOf(columns string) []byte {
	var props []string
	for _, c := range strings.Fields(columns) {
		name, typ, ok := strings.Cut(c, ":")
		if !ok {
			typ = "string"
		}
		props = append(props, fmt.Sprintf("%q:{\"type\":%q}", name, typ))
	}
	return schemaOf(tableSchema, strings.Join(props, ","))
}

// inputOf is an input schema: names with types behind a colon, ! for required, a description in brackets with _ for spaces.
func inputOf(params string) []byte {
	var props, required []string
	for _, p := range strings.Fields(params) {
		p, desc, _ := strings.Cut(strings.TrimSuffix(p, "]"), "[")
		p, need := strings.CutSuffix(p, "!")
		name, typ, ok := strings.Cut(p, ":")
		if !ok {
			typ = "string"
		}
		if need {
			required = append(required, fmt.Sprintf("%q", name))
		}
		props = append(props, fmt.Sprintf("%q:{\"type\":%q,\"description\":%q}", name, typ, strings.ReplaceAll(desc, "_", " ")))
	}
	return schemaOf(`{"type":"object","properties":{%s},"required":[%s]}`, strings.Join(props, ","), strings.Join(required, ","))
}

// storeTools are tools as memories, personas and code intelligence have them.
var storeTools = func() []plan.Tool {
	memory := tableOf("memory_id content tags relevance_score:integer created_at")
	list := []plan.Tool{
		{Name: "store_memory", Description: "Keeps a memory. Use it to remember what the user says.", InputSchema: inputOf("content! tags:array")},
		{Name: "search_memory", Description: "Finds memories by what they say. Use it to recall.", ReadOnly: true, InputSchema: inputOf("query! limit:integer"), OutputSchema: memory},
		{Name: "export_memories", Description: "Exports all memories.", ReadOnly: true, InputSchema: inputOf("")},
		{Name: "list_memories", Description: "Lists the memories, newest first.", ReadOnly: true, InputSchema: inputOf("limit:integer"), OutputSchema: memory},
		{Name: "update_memory", Description: "Changes a memory.", InputSchema: inputOf("memory_id! content tags:array")},
		{Name: "delete_memory", Description: "Deletes a memory for good.", Destructive: true, InputSchema: inputOf("memory_id!")},
		{Name: "update_relationship_metrics", Description: "Changes trust, intimacy and strength of a relationship.", InputSchema: inputOf("persona1_id! persona2_id! trust_delta:number intimacy_delta:number strength_delta:number")},
		{Name: "record_interaction", Description: "Records an interaction of two personas.", InputSchema: inputOf("recipient_id! sender_id! content! emotional_valence:number relationship_impact:number")},
		{Name: "analyze_persona_compatibility", Description: "Says how compatible two personas are.", ReadOnly: true, InputSchema: inputOf("persona1_id! persona2_id! relationship_type")},
		{Name: "assess_goal_progress", Description: "Says how far a persona has come.", ReadOnly: true, InputSchema: inputOf("persona_id! goals recent_interactions")},
		{Name: "autonomous_strategy_selection", Description: "Chooses how a persona should act.", ReadOnly: true, InputSchema: inputOf("persona_id! conversation_context attachment_style")},
		{Name: "generate_contextual_response", Description: "Writes what a persona could answer.", ReadOnly: true, InputSchema: inputOf("persona_id! context! goals")},
		{Name: "commit_relationship_state", Description: "Confirms a relationship.", Idempotent: true, InputSchema: inputOf("persona1_id! persona2_id!")},
		{Name: "finalize_demo_session", Description: "Ends the demo.", InputSchema: inputOf("")},
		{Name: "ensure_repo_index", Description: "Indexes a repository.", Idempotent: true, InputSchema: inputOf("path! rev language index_opts:object"), OutputSchema: schemaOf(`{"type":"object","properties":{"index_id":{"type":"string"},"path":{"type":"string"},"status":{"type":"string"}}}`)},
		{Name: "search_repo", Description: "Searches an index.", ReadOnly: true, InputSchema: inputOf("index_id! query! k:integer context_lines:integer"), OutputSchema: tableOf("path start_line:integer text")},
		{Name: "ask_index", Description: "Answers a question about an index with citations.", ReadOnly: true, InputSchema: inputOf("index_id! question! context_lines:integer")},
		{Name: "get_repo_bundle", Description: "Gives the bundle of an index.", ReadOnly: true, InputSchema: inputOf("index_id!")},
		{Name: "cancel", Description: "Stops indexing.", InputSchema: inputOf("operation_id!")},
		{Name: "semantic_search", Description: "Finds code by what it does. Use it to find where something is handled.", ReadOnly: true, InputSchema: inputOf("query! limit:integer workspace[An_index_id_or_a_path]"), OutputSchema: tableOf("path line:integer text score:number")},
		{Name: "search_code", Description: "Finds code by what it does.", ReadOnly: true, InputSchema: inputOf("query! limit:integer workspace[An_index_id_or_a_path]"), OutputSchema: tableOf("path line:integer text score:number")},
		{Name: "find_similar", Description: "Finds code like a piece of code.", ReadOnly: true, InputSchema: inputOf("code! limit:integer workspace[An_index_id_or_a_path]"), OutputSchema: tableOf("path line:integer text score:number")},
		{Name: "get_files_context", Description: "Gives what files hold and are related to.", ReadOnly: true, InputSchema: inputOf("filepath filepaths:array includeRelated:boolean workspace[An_index_id_or_a_path]"), OutputSchema: tableOf("path line:integer text")},
		{Name: "list_functions", Description: "Lists functions whose names match.", ReadOnly: true, OutputSchema: tableOf("function path line:integer cyclomatic:integer"),
			InputSchema: schemaOf(`{"type":"object","properties":{"pattern":{"type":"string"},"path":{"type":"string"},"symbolType":{"type":"string","enum":["function","method","class"]},"limit":{"type":"integer","maximum":10000},"workspace":{"type":"string","description":"its folder or its index id"}}}`)},
		{Name: "get_dependents", Description: "Lists the files that depend on a file.", ReadOnly: true, InputSchema: inputOf("filepath! workspace[An_index_id_or_a_path]"), OutputSchema: tableOf("path imports")},
		{Name: "get_complexity", Description: "Gives the complexity of functions.", ReadOnly: true, InputSchema: inputOf("files:array workspace[An_index_id_or_a_path]"), OutputSchema: tableOf("path function line:integer cyclomatic:integer cognitive:integer halstead_volume:number")},
	}
	for _, tool := range testTools {
		if tool.Name == queryTool {
			tool.InputSchema = schemaOf(`{"type":"object","additionalProperties":true}`)
		}
		list = append(list, tool)
	}
	return list
}()

func column(name, typ, role string) plan.ColumnInfo {
	return plan.ColumnInfo{Name: name, Type: typ, Role: role}
}

// liveTables are what toolkits say of tables that they make when they are asked for.
var liveTables = []plan.TableInfo{
	{Name: "memories", Live: true, Source: "live", Columns: []plan.ColumnInfo{column("memory_id", "text", "identifier"), column("content", "text", "dimension"), column("tags", "text", "dimension"), column("created_at", "datetime", "time")}},
	{Name: "personas", Live: true, Source: "live", Columns: []plan.ColumnInfo{column("persona_id", "text", "identifier"), column("name", "text", "dimension"), column("attachment_style", "text", "dimension"), column("openness", "decimal", "measure"), column("neuroticism", "decimal", "measure")}},
	{Name: "relationships", Live: true, Source: "live", Columns: []plan.ColumnInfo{column("relationship", "text", "dimension"), column("persona1", "text", "dimension"), column("persona2", "text", "dimension"), column("trust_level", "decimal", "measure"), column("intimacy_level", "decimal", "measure"), column("relationship_strength", "decimal", "measure"), column("relationship_type", "text", "dimension"), column("interaction_count", "integer", "measure"), column("last_interaction", "datetime", "time")}},
	{Name: "interactions", Live: true, Source: "live", Columns: []plan.ColumnInfo{column("interaction_id", "text", "identifier"), column("relationship", "text", "dimension"), column("sender", "text", "dimension"), column("recipient", "text", "dimension"), column("content", "text", "dimension"), column("emotional_valence", "decimal", "measure"), column("at", "datetime", "time")}},
	{Name: "code_files", Live: true, Source: "live", Columns: []plan.ColumnInfo{column("path", "text", "dimension"), column("language", "text", "dimension"), column("lines", "integer", "measure"), column("rank", "decimal", "measure")}},
	{Name: "functions", Live: true, Source: "live", Columns: []plan.ColumnInfo{column("function", "text", "dimension"), column("path", "text", "dimension"), column("line", "integer", "measure"), column("cyclomatic", "integer", "measure"), column("cognitive", "integer", "measure")}},
	{Name: "dependencies", Live: true, Source: "live", Columns: []plan.ColumnInfo{column("path", "text", "dimension"), column("imports", "text", "dimension")}},
}

// deedFor plans a message over the shops with all tools, with live tables and without.
func deedFor(t testing.TB, message string, live bool, history ...plan.Turn) plan.Response {
	t.Helper()
	req := plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{shops, ledger}, Values: testValues, Tools: storeTools, History: history}
	if live {
		req.Tables = append(slices.Clone(req.Tables), liveTables...)
	}
	resp, err := New().Plan(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func TestOfflineDeeds(t *testing.T) {
	cases := []struct{ message, want string }{
		{"remember that Globex prefers calls on Monday", `store_memory {"content":"Globex prefers calls on Monday"}`},
		{"note: buy milk, then call Ann & show her the plan.", `store_memory {"content":"buy milk, then call Ann \u0026 show her the plan."}`},
		{"please remember my meeting is at 5", `store_memory {"content":"my meeting is at 5"}`},
		{"Keep in mind that the demo_key is A_b-9!", `store_memory {"content":"the demo_key is A_b-9!"}`},
		{"Can you make a note that \"Initech\" pays late?", `store_memory {"content":"\"Initech\" pays late"}`},
		{"remember that sales fell in 2024, what were they in 2023?", `clarify: Should I keep this as it is, or is it a question? Write “note: …” without a question mark, or ask the question alone.`},
		{"note that my boss told me to call Ann", `store_memory {"content":"my boss told me to call Ann"}`},
		{"don't forget that average rating by country is due on Friday", `store_memory {"content":"average rating by country is due on Friday"}`},
		{"what do I know about Globex?", `search_memory {"query":"Globex"}`},
		{"what did I tell you about Globex", `search_memory {"query":"Globex"}`},
		{"do you remember anything about the Kiel office?", `search_memory {"query":"Kiel office"}`},
		{"search my memories for invoices", `search_memory {"query":"invoices"}`},
		{"recall the Kiel office", `search_memory {"query":"Kiel office"}`},
		{"list my memories", `list_memories {}`},
		{"what do you remember?", `list_memories {}`},
		{"export my memories", `export_memories {}`},
		{"forget mem_01H8XYZABC", `{"filter":[{"column":"memory_id","op":"in","value":["mem_01H8XYZABC"]}],"select":["memory_id","content","tags"],"table":"memories"}` + "\n" + `delete_memory {"memory_id":"mem_01H8XYZABC"}`},
		{"delete the memory 01ARZ3NDEKTSV4RRFFQ69G5FAV", `{"filter":[{"column":"memory_id","op":"in","value":["01ARZ3NDEKTSV4RRFFQ69G5FAV"]}],"select":["memory_id","content","tags"],"table":"memories"}` + "\n" + `delete_memory {"memory_id":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}`},
		{"forget what I said about Globex", `search_memory {"query":"Globex"}` + "\n" + `{"data":{"$ref":"s1"},"select":["memory_id","content","tags"]}` + "\n" + `{"data":{"$ref":"s1"},"filter":[{"column":"relevance_score","op":"ge","value":50}],"select":["memory_id"]}` + "\n" + `delete_memory {"memory_id":{"$ref":"s3.rows[0].memory_id"}}`},
		{"forget that Globex prefers calls", `search_memory {"query":"Globex prefers calls"}` + "\n" + `{"data":{"$ref":"s1"},"select":["memory_id","content","tags"]}` + "\n" + `{"data":{"$ref":"s1"},"filter":[{"column":"relevance_score","op":"ge","value":50}],"select":["memory_id"]}` + "\n" + `delete_memory {"memory_id":{"$ref":"s3.rows[0].memory_id"}}`},
		{"forget Globex", `search_memory {"query":"Globex"}` + "\n" + `{"data":{"$ref":"s1"},"select":["memory_id","content","tags"]}`},
		{"forget it", `refuse: `},
		{"do a backflip", `refuse: `},
		{"change memory mem_01H8XYZABC to: Globex prefers mail", `update_memory {"content":"Globex prefers mail","memory_id":"mem_01H8XYZABC"}`},
		{"what do I know about our top 3 suppliers?", `get_top_suppliers {"limit":3}` + "\n" + `search_memory {"query":{"$ref":"each"}} each s1.rows[*].supplier`},
		{"change the memory about Globex to: it pays early", `search_memory {"query":"Globex"}` + "\n" + `{"data":{"$ref":"s1"},"select":["memory_id","content","tags"]}` + "\n" + `{"data":{"$ref":"s1"},"filter":[{"column":"relevance_score","op":"ge","value":50}],"select":["memory_id"]}` + "\n" + `update_memory {"content":"it pays early","memory_id":{"$ref":"s3.rows[0].memory_id"}}`},
		{"don't forget to call Ann", `store_memory {"content":"call Ann"}`},
		{"store in memory that Ann left", `store_memory {"content":"Ann left"}`},
		{"index this repository", `ensure_repo_index {"path":"."}`},
		{"index the repository at /srv/code/catena", `ensure_repo_index {"path":"/srv/code/catena"}`},
		{"index this repository and list its most complex functions",
			`ensure_repo_index {"path":"."}` + "\n" + `get_complexity {"workspace":{"$ref":"s1.index_id"}}` + "\n" +
				`{"data":{"$ref":"s2"},"limit":10,"order_by":[{"column":"cyclomatic","desc":true}],"select":["function","cyclomatic","path"]}`},
		{"which files depend on the payment module, and how complex are they?", `get_dependents {"filepath":"payment"}` + "\n" + `get_complexity {"files":{"$ref":"s1.rows[*].path"}}`},
		{"who has the lowest trust, and what did they last talk about?",
			`{"limit":1,"order_by":[{"column":"trust_level"}],"select":["relationship","persona1","persona2","trust_level"],"table":"relationships","with_ties":true}` + "\n" +
				`{"filter":[{"column":"relationship","op":"eq","value":{"$ref":"s1.rows[0].relationship"}}],"limit":1,"order_by":[{"column":"at","desc":true}],"table":"interactions"}`},
		{"who has the lowest trust, and what did they first say?",
			`{"limit":1,"order_by":[{"column":"trust_level"}],"select":["relationship","persona1","persona2","trust_level"],"table":"relationships","with_ties":true}` + "\n" +
				`{"filter":[{"column":"relationship","op":"eq","value":{"$ref":"s1.rows[0].relationship"}}],"limit":1,"order_by":[{"column":"at"}],"table":"interactions"}`},
		{"how complex are they?", `refuse: `},
		{"how compatible are Lila and Don?", `analyze_persona_compatibility {"persona1_id":"lila","persona2_id":"don"}`},
		{"are lila and don compatible?", `analyze_persona_compatibility {"persona1_id":"lila","persona2_id":"don"}`},
		{"raise trust between lila and don by 2", `update_relationship_metrics {"persona1_id":"lila","persona2_id":"don","trust_delta":2}`},
		{"please lower the intimacy of Lila and Don by 1.5", `update_relationship_metrics {"intimacy_delta":-1.5,"persona1_id":"lila","persona2_id":"don"}`},
		{"set trust of lila and don to 9", "clarify: " + noValue("trust")},
		{"raise the trust between lila and don to 9", "clarify: " + noValue("trust")},
		{"lower the intimacy between lila and don to 2", "clarify: " + noValue("intimacy")},
		{"adjust the trust of lila and don by 2", `update_relationship_metrics {"persona1_id":"lila","persona2_id":"don","trust_delta":2}`},
		{"raise trust between lila and don", `clarify: By how much should it change? Say a number, such as “by 2”.`},
		{"record an interaction between Lila and Don: they had coffee", `record_interaction {"content":"they had coffee","recipient_id":"don","sender_id":"lila"}`},
		{"log the conversation between Lila and Don: Don and Lila made up", `record_interaction {"content":"Don and Lila made up","recipient_id":"don","sender_id":"lila"}`},
		{"record that Lila told Don she is proud of him", `record_interaction {"content":"she is proud of him","recipient_id":"don","sender_id":"lila"}`},
		{"assess the goal progress of lila", `assess_goal_progress {"persona_id":"lila"}`},
		{"how is Lila doing with her goals?", `assess_goal_progress {"persona_id":"lila"}`},
		{"which strategy should Don use?", `autonomous_strategy_selection {"persona_id":"don"}`},
		{"how would Lila respond to: I am late again, sorry.", `generate_contextual_response {"context":"I am late again, sorry.","persona_id":"lila"}`},
		{"commit the relationship between Lila and Don", `commit_relationship_state {"persona1_id":"lila","persona2_id":"don"}`},
		{"finalize the demo session", `finalize_demo_session {}`},
		{"where is the session timeout handled?", `semantic_search {"query":"session timeout"}`},
		{"search the code for retry with backoff", `search_code {"query":"retry with backoff"}`},
		{"what calls Engine.Turn", `ensure_repo_index {"path":"."}` + "\n" + `ask_index {"index_id":{"$ref":"s1.index_id"},"question":"what calls Engine.Turn"}`},
		{"where is parseFile() defined?", `ensure_repo_index {"path":"."}` + "\n" + `ask_index {"index_id":{"$ref":"s1.index_id"},"question":"where is parseFile() defined?"}`},
		{"who uses Settle?", `ensure_repo_index {"path":"."}` + "\n" + `ask_index {"index_id":{"$ref":"s1.index_id"},"question":"who uses Settle?"}`},
		{"which files depend on the table package?", `get_dependents {"filepath":"table"}`},
		{"who uses src/pay_ment.ts?", `get_dependents {"filepath":"src/pay_ment.ts"}`},
		{"find functions similar to this: func add(a, b int) int { return a + b }", `find_similar {"code":"func add(a, b int) int { return a + b }"}`},
		{"how does the indexing pipeline work in this repository", `ensure_repo_index {"path":"."}` + "\n" + `ask_index {"index_id":{"$ref":"s1.index_id"},"question":"how does the indexing pipeline work in this repository"}`},
		{"list all functions named *Handler", `list_functions {"pattern":"*Handler"}`},
		{"which functions are in planner/offline.go?", `list_functions {"path":"planner/offline.go"}`},
		{"list all classes named Turn*", `list_functions {"pattern":"Turn*","symbolType":"class"}`},
		{"how complex is chat/turn.go?", `get_complexity {"files":["chat/turn.go"]}`},
		{"the most complex functions", `{"limit":10,"order_by":[{"column":"cyclomatic","desc":true}],"select":["function","cyclomatic","path"],"table":"functions"}`},
	}
	for _, c := range cases {
		t.Run(c.message, func(t *testing.T) {
			got := map[bool]string{}
			for _, live := range []bool{false, true} {
				p := deedFor(t, c.message, live).Plan
				got[live] = stepsOf(p)
				for i, needs := range plan.GraphOf(p).Needs {
					if refers := strings.Contains(stepsOf(plan.Plan{Steps: p.Steps[i : i+1]}), "$ref"); refers != (len(needs) > 0) && p.Steps[i].When == nil {
						t.Errorf("step %d refers %v and needs %v", i+1, refers, needs)
					}
				}
				if found := plan.Validate(p, storeTools, append([]plan.TableInfo{shops, ledger}, liveTables...), plan.Limits{}); len(found) > 0 {
					t.Errorf("not valid: %v", found)
				}
			}
			if strings.Contains(c.want, `"table":"relationships"`) || strings.Contains(c.want, `"table":"functions"`) || strings.Contains(c.want, `"table":"memories"`) {
				got[false] = got[true]
			}
			if c.want == "refuse: " {
				for live := range got {
					got[live] = got[live][:min(len(got[live]), len(c.want))]
				}
			}
			if diff := cmp.Diff(c.want, got[true]); diff != "" {
				t.Errorf("with live tables: %s", diff)
			}
			if diff := cmp.Diff(c.want, got[false]); diff != "" {
				t.Errorf("without live tables: %s", diff)
			}
		})
	}
}

// Live tables answer what is about them; a question that loaded tables answer stays with these.
func TestOfflineLiveQuestions(t *testing.T) {
	for message, want := range map[string]string{
		"which files are largest":                                      `{"limit":10,"order_by":[{"column":"lines","desc":true}],"select":["path","lines"],"table":"code_files"}`,
		"what are the biggest files in this repo?":                     `{"limit":10,"order_by":[{"column":"lines","desc":true}],"select":["path","lines"],"table":"code_files"}`,
		"who is the most neurotic persona?":                            `{"limit":1,"order_by":[{"column":"neuroticism","desc":true}],"select":["name","neuroticism"],"table":"personas","with_ties":true}`,
		"show the relationships":                                       `{"select":["relationship","persona1","persona2","trust_level","intimacy_level","relationship_strength"],"table":"relationships"}`,
		"how many functions are there?":                                `{"select":[{"as":"count","expr":"count"}],"table":"functions"}`,
		"average openness by attachment style":                         `{"group_by":["attachment_style"],"select":["attachment_style",{"column":"openness","expr":"mean"}],"table":"personas"}`,
		"top 3 functions by cyclomatic":                                `{"limit":3,"order_by":[{"column":"cyclomatic","desc":true}],"select":["function","cyclomatic","path"],"table":"functions"}`,
		"how many shops are in Germany?":                               `{"filter":[{"column":"Country","op":"eq","value":"Germany"}],"select":[{"as":"count","expr":"count"}],"table":"shops"}`,
		"average rating by country":                                    `{"filter":[{"column":"Country","op":"not_null"}],"group_by":["Country"],"select":["Country",{"column":"Rating","expr":"mean"}],"table":"shops"}`,
		"total visitors per month as a line chart":                     `{"group_by":[{"column":"month","period":"month"}],"order_by":[{"column":"month"}],"select":["month",{"column":"visitors","expr":"sum"}],"table":"shops"}` + "\n" + `visualize_data {"chart_type":"line","data":{"$ref":"s1"}}`,
		"please draw me a nice line chart of total visitors per month": `{"group_by":[{"column":"month","period":"month"}],"order_by":[{"column":"month"}],"select":["month",{"column":"visitors","expr":"sum"}],"table":"shops"}` + "\n" + `visualize_data {"chart_type":"line","data":{"$ref":"s1"}}`,
	} {
		if got := stepsOf(deedFor(t, message, true).Plan); got != want {
			t.Errorf("%q: %s", message, cmp.Diff(want, got))
		}
	}
}

// What only sounds like one of the meanings is a question about the tables, or refused; nothing is kept, changed or deleted for it.
func TestOfflineNoDeeds(t *testing.T) {
	for _, message := range []string{
		"I remember when sales were higher, what were they in 2024?", "remember when visitors were higher?", "note the total sales by country",
		"which country has record sales?", "store visitors by month", "index of german shops by sales", "which shops use the most visitors", "how does Kiel compare with Lyon in sales?",
		"which country is called Germany", "what would the average rating be without Germany?", "list the shops with the best rating", "forget the german shops and show total sales by branch",
		"raise the rating of shops in Kiel by 2", "update the shops", "delete all shops", "where are the most visitors?", "export the shops", "cancel", "find shops similar to Kiel",
	} {
		for _, live := range []bool{false, true} {
			resp := deedFor(t, message, live)
			for _, step := range resp.Plan.Steps {
				tool, _ := plan.FindTool(storeTools, step.Tool)
				if !tool.ReadOnly {
					t.Errorf("%q (live %v) plans %s", message, live, stepsOf(resp.Plan))
				}
			}
			if got, want := stepsOf(resp.Plan), stepsOf(planFor(t, message)); got != want && !strings.HasPrefix(want, "refuse") {
				t.Errorf("%q (live %v) gives %s; over tables alone %s", message, live, got, want)
			} else if strings.HasPrefix(want, "refuse") {
				t.Logf("%q (live %v): %s", message, live, got)
			}
		}
	}
}

// A message that changes the one before changes what was looked for, not something else.
func TestOfflineDeedFollowUps(t *testing.T) {
	turn := func(message string, live bool) plan.Turn {
		p := deedFor(t, message, live).Plan
		return plan.Turn{Message: message, Plan: &p, Outcome: "answer", Tables: []plan.TableInfo{{Name: "memories_found", Handle: "tbl_1", Source: "result", Rows: 2,
			Columns: []plan.ColumnInfo{column("memory_id", "text", "identifier"), column("content", "text", "dimension"), column("created_at", "datetime", "time"), column("path", "text", "dimension")}}}}
	}
	cases := []struct{ before, message, want string }{
		{"what do I know about Globex?", "and what about Initech?", `search_memory {"query":"Initech"}`},
		{"what do I know about Globex?", "and the Kiel office?", `search_memory {"query":"Kiel office"}`},
		{"what do I know about Globex?", "remember that Globex pays late", `store_memory {"content":"Globex pays late"}`},
		{"what do I know about Globex?", "average rating by country", `{"filter":[{"column":"Country","op":"not_null"}],"group_by":["Country"],"select":["Country",{"column":"Rating","expr":"mean"}],"table":"shops"}`},
		{"which files depend on the payment module?", "how complex are they?", `{"distinct":true,"select":["path"],"table":"tbl_1"}` + "\n" + `get_complexity {"files":{"$ref":"s1.rows[*].path"}}`},
		{"which files depend on the payment module?", "and on src/tax.ts?", `get_dependents {"filepath":"src/tax.ts"}`},
		{"who has the lowest trust?", "and the highest?", `{"limit":1,"order_by":[{"column":"trust_level","desc":true}],"select":["relationship","persona1","persona2","trust_level"],"table":"relationships","with_ties":true}`},
		{"how compatible are Lila and Don?", "and Lila and Venom?", `analyze_persona_compatibility {"persona1_id":"lila","persona2_id":"venom"}`},
	}
	for _, c := range cases {
		for _, live := range []bool{false, true} {
			if got := stepsOf(deedFor(t, c.message, live, turn(c.before, live)).Plan); got != c.want && (live || !strings.Contains(c.want, "relationships")) {
				t.Errorf("%q behind %q (live %v): %s", c.message, c.before, live, got)
			}
		}
	}
}

// A loaded table that is called what a meaning is about is asked itself.
func TestOfflineDeedsBesideTables(t *testing.T) {
	classes := plan.TableInfo{Name: "classes", Rows: 30, Columns: []plan.ColumnInfo{{Name: "class", Type: "text", Role: "dimension", Distinct: 30}, {Name: "notes", Type: "text", Role: "dimension", Distinct: 30}, {Name: "pupils", Type: "integer", Role: "measure", Distinct: 12}}}
	for _, message := range []string{"list the notes", "how many classes are there?", "show all notes", "which classes are there?", "list the classes"} {
		resp, err := New().Plan(t.Context(), plan.Request{Message: message, Now: testNow, Tables: append([]plan.TableInfo{classes}, liveTables...), Tools: storeTools})
		if err != nil {
			t.Fatal(err)
		}
		if len(resp.Plan.Steps) != 1 || resp.Plan.Steps[0].Args["table"] != "classes" {
			t.Errorf("%q: %s", message, stepsOf(resp.Plan))
		}
	}
}

// The LLM planner's shortlist finds the tools that carry out what is said in other words than theirs.
func TestShortlistOfDeeds(t *testing.T) {
	all := slices.Clone(storeTools)
	for i := range 80 {
		all = append(all, plan.Tool{Name: fmt.Sprintf("acme__tool_%d", i), Toolset: "acme", Description: "Lists what there is to know about things, files and sessions.", ReadOnly: true, InputSchema: inputOf("query")})
	}
	for message, want := range map[string]string{
		"what do I know about Globex?": "search_memory", "please remember my meeting is at 5": "store_memory", "forget mem_01H8XYZABC": "delete_memory",
		"where is the session timeout handled?": "semantic_search", "what calls Engine.Turn": "get_dependents", "how compatible are Lila and Don?": "analyze_persona_compatibility",
		"how does the pipeline work in this repository": "ensure_repo_index", "and how complex is turn.go?": "get_complexity",
	} {
		if got := Shortlist(message, all, 10); !slices.ContainsFunc(got, func(tool plan.Tool) bool { return tool.Name == want }) {
			t.Errorf("%q: %s is not among the ten", message, want)
		}
	}
}

// Whatever is said, the plan is valid, what is kept stands in the message as it is, and nothing is deleted that was not ordered.
func FuzzDeeds(f *testing.F) {
	for _, s := range []string{"remember that “x”", "note:", "forget mem_0000001 and mem_0000002", "raise trust between a and b by -3", "index ~/x and list its most complex functions", "what do I know about our top 3 suppliers?",
		"can you remember that?", "and what about ?", "how complex are they?", "list functions named \"*\"", "find code like this: ```go\nx\n```", "who has the lowest trust, and what did they first say?", "record that A told B",
		"get mem000000_1 \x00\x00\x00\x10mem_0000002"} {
		f.Add(s, "what do I know about Globex?", true)
	}
	f.Fuzz(func(t *testing.T, message, before string, live bool) {
		if len(message) > 2000 || len(before) > 300 {
			return
		}
		earlier := deedFor(t, before, live).Plan
		tables := append([]plan.TableInfo{shops, ledger}, liveTables...)
		shown := []plan.TableInfo{{Name: "shown", Handle: "tbl_aaaaaaaaaaaaaaaaaaaaaaaaaa", Source: "result", Rows: 2, Columns: []plan.ColumnInfo{column("path", "text", "dimension"), column("score", "decimal", "measure")}}}
		p := deedFor(t, message, live, plan.Turn{Message: before, Plan: &earlier, Outcome: "answer", Tables: shown}).Plan
		tables = append(tables, shown...)
		if found := plan.Validate(p, storeTools, tables, plan.Limits{}); len(p.Steps) > 0 && slices.ContainsFunc(found, func(x plan.Finding) bool { return x.Code != plan.PlaceholderValue && x.Code != plan.TooManySteps }) {
			t.Errorf("%q gives %s: %v", message, stepsOf(p), found)
		}
		low := lowsOf(tokenize(message))
		for _, s := range p.Steps {
			if s.Tool == "delete_memory" && !low["forget"] && !low["delete"] && !low["remove"] && !low["erase"] && !low["drop"] {
				t.Errorf("%q deletes: %s", message, stepsOf(p))
			}
			if content, ok := s.Args["content"].(string); ok && s.Tool == "store_memory" && !strings.Contains(sayable(message), content) {
				t.Errorf("%q keeps %q", message, content)
			}
		}
	})
}

// peopleTables are live tables as their toolkits declare them: with closed sets of values, and packages.
var peopleTables = func() []plan.TableInfo {
	out := slices.Clone(liveTables)
	for i := range out {
		out[i].Columns = slices.Clone(out[i].Columns)
		for k := range out[i].Columns {
			if out[i].Columns[k].Name == "attachment_style" {
				out[i].Columns[k].Values = []string{"secure", "anxious", "avoidant"}
			}
			if out[i].Columns[k].Name == "language" {
				out[i].Columns[k].Values = []string{"go", "python"}
			}
		}
		if out[i].Name == "functions" {
			out[i].Columns = append(out[i].Columns, column("package", "text", "dimension"), column("lines", "integer", "measure"))
		}
		if out[i].Name == "personas" {
			out[i].Columns = append(out[i].Columns, column("age", "integer", "measure"))
		}
	}
	return out
}()

// Nobody has read the rows of a live table for the plan: values are those that are declared, names of people, and what stands
// beside the word for a column.
func TestOfflineLiveValues(t *testing.T) {
	both := func(a, b string) string {
		any := func(name string) string {
			return `{"any":[{"column":"persona1","op":"eq","value":"` + name + `"},{"column":"persona2","op":"eq","value":"` + name + `"}]}`
		}
		return `"filter":[` + any(a) + "," + any(b) + `]`
	}
	for _, c := range []struct{ message, want string }{
		{"which personas are secure?", `"filter":[{"column":"attachment_style","op":"eq","value":"secure"}]`},
		{"anxious personas", `"filter":[{"column":"attachment_style","op":"eq","value":"anxious"}]`},
		{"what is Lila's trust in Don?", both("Lila", "Don") + `,"select":["persona1","persona2","trust_level"]`},
		{"how close are don and lila", both("don", "lila") + `,"select":["persona1","persona2","intimacy_level"]`},
		{"how old is Lila?", `"filter":[{"column":"name","op":"eq","value":"Lila"}],"select":["age"]`},
		{"what did Lila say to Don?", `"filter":[{"column":"sender","op":"eq","value":"Lila"},{"column":"recipient","op":"eq","value":"Don"}]`},
		{"when did Don and Lila last talk?", `{"any":[{"column":"sender","op":"eq","value":"Don"},{"column":"recipient","op":"eq","value":"Don"}]}`},
		{"how many go files are there", `"filter":[{"column":"language","op":"eq","value":"go"}]`},
		{"list the most complex functions in the table package", `"filter":[{"column":"package","op":"eq","value":"table"}],"limit":10,"order_by":[{"column":"cyclomatic","desc":true}]`},
		{"longest functions in tools/data", `"filter":[{"column":"path","op":"starts_with","value":"tools/data/"}],"limit":10,"order_by":[{"column":"lines","desc":true}]`},
		{"did trust between Lila and Don increase?", "refuse"},
		{"how close is the Globex office?", "refuse"},
		{"what is Acme?", `search_memory {"query":"Acme"}`},
	} {
		resp, err := New().Plan(t.Context(), plan.Request{Message: c.message, Now: testNow, Tables: append([]plan.TableInfo{shops, ledger}, peopleTables...), Values: testValues, Tools: storeTools})
		if err != nil {
			t.Fatal(err)
		}
		if got := stepsOf(resp.Plan); !strings.Contains(got, c.want) {
			t.Errorf("%q: %s", c.message, got)
		}
	}
}

// How something is done is asked; it is not done for it.
func TestOfflineAskedDeeds(t *testing.T) {
	for _, message := range []string{"how do I delete a memory?", "how can I store a memory?", "should I delete a memory about Globex?", "why was the memory deleted?", "should I increase the trust between Don and Lila?", "what happens if trust between Lila and Don drops by 2?"} {
		for _, step := range deedFor(t, message, true).Plan.Steps {
			if tool, _ := plan.FindTool(storeTools, step.Tool); !tool.ReadOnly {
				t.Errorf("%q plans %s", message, step.Tool)
			}
		}
	}
}

// noValue is the answer to a value for what only changes by an amount.
func noValue(name string) string {
	return "What " + name + " is set to cannot be said, only by how much it changes, such as “by 2”. Nothing was changed."
}
