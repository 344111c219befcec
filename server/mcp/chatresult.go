package mcp

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/chat"
	"catena/internal/text"
	"catena/server"
	"catena/tools"
)

// linkedResult is chatResult with links that the client of a call can read.
func linkedResult(call tools.Call, resp chat.Response) tools.Result {
	if call.Caller.Via == "stdio" {
		resp.Tables = withoutPaths(resp.Tables)
		resp.Charts = slices.Clone(resp.Charts)
		for i := range resp.Charts {
			resp.Charts[i].Links = nil
		}
	}
	res := chatResult(resp)
	res.Content = linked(res.Text, resp)
	return res
}

// linked is the content of an answer with charts or tables: its text, the pictures, and where all of each table can be
// read. Nil without: the body is all.
func linked(body string, resp chat.Response) []mcp.Content {
	links := pictures(server.ChartsOf(resp.Charts))
	for _, t := range resp.Tables {
		if t.Handle == "" {
			continue
		}
		rows := fmt.Sprintf("%s; the answer has %d.", text.Count(t.TotalRows, "row"), t.RowCount)
		link := mcp.NewResourceLink(tableURI(t.Handle), cmp.Or(t.Title, t.Handle), rows, "application/json")
		links = append(links, link)
	}
	if links == nil {
		return nil
	}
	return append([]mcp.Content{mcp.NewTextContent(body)}, links...)
}

// withoutPaths are tables for a client of a process that serves no paths: what it can read instead is linked.
func withoutPaths(tables []chat.AnswerTable) []chat.AnswerTable {
	out := slices.Clone(tables)
	for i := range out {
		out[i].Links = map[string]string{}
		if out[i].Handle != "" {
			out[i].Links["resource"] = tableURI(out[i].Handle)
		}
	}
	return out
}

// chatOutput is the output schema of the tool chat: chat.Response as JSON, true for every outcome. It is open: fields
// may be added.
const chatOutput = `{"type":"object","description":"The answer, and how it was made. outcome says which kind of answer it is.","properties":{
"response":{"type":"string","description":"The whole answer as Markdown, tables included."},
"outcome":{"type":"string","enum":["answer","clarify","refuse","approval","error"],"description":"clarify: question is to be answered; approval: steps in pending wait for a person; error: error says why."},
"question":{"type":"string"},
"pending":{"type":"array","items":{"type":"object","required":["step","tool","args","args_hash"],"properties":{
 "step":{"type":"string"},"tool":{"type":"string"},"args":{"type":["object","null"]},"args_hash":{"type":"string"},"reason":{"type":"string"},"attempt":{"type":"integer"},
 "effect":{"type":"object","description":"What the step would change or delete, in words.","properties":{"what":{"type":"string"},"lines":{"type":["array","null"],"items":{"type":"object",
  "required":["name","value"],"properties":{"name":{"type":"string"},"before":{"type":"string"},"value":{"type":"string"}}}}}}}}},
"tools_executed":{"type":"array","items":{"type":"string"}},
"intent":{"type":"string"},
"title":{"type":"string"},
"prompt_type":{"type":"string","description":"general, table, tool or clarify."},
"confidence":{"type":"number"},
"planned_by":{"type":"string","description":"llm, offline, cache, or given: the plan came with the message."},
"session_id":{"type":"string","description":"Send it with the next message to go on."},
"run_id":{"type":"string"},
"steps":{"type":"array","items":{"type":"object","required":["id","tool","status","attempt"],"properties":{
 "id":{"type":"string"},"tool":{"type":"string"},"status":{"type":"string"},"attempt":{"type":"integer"},"started_at":{"type":"string"},"duration_ms":{"type":"number"},
 "rows":{"type":"integer"},"reused":{"type":"boolean"},"error":{"type":"string"},"args":{"type":"object"}}}},
"tables":{"type":"array","items":{"type":"object","required":["handle","title","columns","rows","row_count","total_rows","truncated"],"properties":{
 "handle":{"type":"string","description":"Names the table for the data arguments of other tools; table://{handle} has all of it."},"title":{"type":"string"},
 "columns":{"type":["array","null"],"items":{"type":"object"}},"rows":{"type":["array","null"],"items":{"type":"array"}},
 "row_count":{"type":"integer"},"total_rows":{"type":"integer"},"truncated":{"type":"boolean"},"links":{"type":["object","null"]},"markdown":{"type":"string"}}}},
"charts":{"type":"array","items":{"type":"object","required":["title","alt"],"properties":{
 "title":{"type":"string"},"svg":{"type":"string"},"png":{"type":"string"},"media_type":{"type":"string"},"table":{"type":"string"},"alt":{"type":"string"},"links":{"type":["object","null"]}}}},
"completeness":{"type":"object","required":["state","detail"],"description":"Whether anything is missing: nothing that is missing is left unsaid.","properties":{
 "state":{"type":"string","description":"complete, partial, truncated, stale, not_indexed or unknown."},"detail":{"type":"string"},
 "down":{"type":"array","items":{"type":"string"},"description":"Configured servers that could not be asked."}}},
"notes":{"type":"array","items":{"type":"string"}},
"plan":{"type":"object"},
"error":{"type":"object","required":["code","detail"],"properties":{"code":{"type":"string"},"detail":{"type":"string"},"hint":{"type":"string"}}},
"usage":{"type":"object","properties":{"llm_calls":{"type":"integer"},"prompt_tokens":{"type":"integer"},"completion_tokens":{"type":"integer"}}},
"processing_time_ms":{"type":"number"}},
"required":["response","outcome","pending","tools_executed","session_id","run_id","steps","tables","charts","completeness"]}`
