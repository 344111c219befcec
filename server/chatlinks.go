package server

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/chat"
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

// linked is the content of an answer with charts or tables: its text, the pictures, and where all of each table can be read. Nil without: the
// text is all.
func linked(text string, resp chat.Response) []mcp.Content {
	links := pictures(ChartsOf(resp.Charts))
	for _, t := range resp.Tables {
		if t.Handle == "" {
			continue
		}
		link := mcp.NewResourceLink(tableURI(t.Handle), cmp.Or(t.Title, t.Handle), fmt.Sprintf("%d rows; the answer has %d.", t.TotalRows, t.RowCount), mediaJSON)
		links = append(links, link)
	}
	if links == nil {
		return nil
	}
	return append([]mcp.Content{mcp.NewTextContent(text)}, links...)
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
