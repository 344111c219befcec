package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/server"
	"catena/tools"
	"catena/tools/handle"
)

// Resources are the resources of the front: ui://catena/table (see TableView), and the templates table://{handle}, a
// table in its wire form, to its owner only; the same with ?offset and ?limit for the rows that a first look leaves
// out; and run://{id}, what is known of a run, with its response once it has ended.
func Resources(tables *handle.Tables, runs Runs) []tools.Resource {
	whole := mcp.NewResourceTemplate("table://{handle}", "table", mcp.WithTemplateMIMEType("application/json"),
		mcp.WithTemplateDescription("A table that a tool gave, by its handle (tbl_...): columns, the first 1000 rows "+
			"and the counts; next is the URI of the rows that follow"))
	part := mcp.NewResourceTemplate("table://{handle}{?offset,limit}", "table_rows",
		mcp.WithTemplateMIMEType("application/json"),
		mcp.WithTemplateDescription("Some rows of a table: limit (1 to 1000) of them, offset rows after the first"))
	run := mcp.NewResourceTemplate("run://{id}", "run", mcp.WithTemplateMIMEType("application/json"),
		mcp.WithTemplateDescription("A run by its id (the run_id of an answer): whether it is still running, its "+
			"request, and its response once it has ended"))
	handles := func(_ context.Context, call tools.CompleteCall) ([]string, error) {
		var out []string
		if call.Argument == "handle" {
			for _, meta := range tables.List(call.Caller, "") {
				out = append(out, meta.Handle)
			}
		}
		return out, nil
	}
	read := func(ctx context.Context, call tools.ResourceCall) ([]mcp.ResourceContents, error) {
		return readRows(ctx, tables, call)
	}
	return []tools.Resource{
		TableView(),
		{Toolset: "data", Template: &whole, Read: read, Complete: handles},
		{Toolset: "data", Template: &part, Read: read, Complete: handles},
		{Toolset: "core", Template: &run, Read: func(ctx context.Context,
			call tools.ResourceCall) ([]mcp.ResourceContents, error) {
			info, err := runs.Get(ctx, call.Caller, call.Vars["id"])
			if err != nil {
				return nil, err
			}
			return jsonContents(call.URI, info)
		}},
	}
}

// readRows reads a part of a table.
func readRows(ctx context.Context, tables *handle.Tables, call tools.ResourceCall) ([]mcp.ResourceContents, error) {
	handle := call.Vars["handle"]
	t, meta, err := tables.Get(ctx, call.Caller, handle)
	if err != nil {
		return nil, err
	}
	offset, err := rowNumber(call, "offset", 0, 0, t.NumRows())
	if err != nil {
		return nil, err
	}
	limit, err := rowNumber(call, "limit", server.MaxWireRows, 1, server.MaxWireRows)
	if err != nil {
		return nil, err
	}
	end := min(offset+limit, t.NumRows())
	w, err := server.WireOf(t.Slice(offset, end-offset))
	if err != nil {
		return nil, err
	}
	w.Handle, w.TotalRows = handle, max(t.NumRows(), meta.Total)
	w.Truncated = w.RowCount < w.TotalRows
	if end < t.NumRows() {
		w.Next = fmt.Sprintf("%s?offset=%d&limit=%d", tableURI(handle), end, limit)
	}
	return jsonContents(call.URI, w)
}

// rowNumber reads a variable of a template: def where it is missing, an error outside of least to most.
func rowNumber(call tools.ResourceCall, name string, def, least, most int) (int, error) {
	text := call.Vars[name]
	if text == "" {
		return def, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, &tools.ArgumentError{Argument: name, Code: tools.CodeBadValue,
			Reason: fmt.Sprintf("it is a whole number from %d to %d", least, most)}
	}
	return n, nil
}

func tableURI(handle string) string { return "table://" + handle }

func jsonContents(uri string, v any) ([]mcp.ResourceContents, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, MIMEType: "application/json",
		Text: string(b)}}, nil
}
