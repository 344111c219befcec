package crm

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/table"
	"catena/table/gota"
	"catena/tools"
)

// Toolset is the name that these tools are registered under.
const Toolset = "crm"

// Tools returns the tools, ready to be registered. The data are read when the first of them is called.
func Tools() []tools.Tool {
	return tools.Closed([]tools.Tool{topClientsTool(), clientRevenueTool(), revenueByRegionTool(), findClientsTool(), openTicketsTool()})
}

type object = map[string]any

// define makes a read-only tool. work gets the data and gives a frame with what is to be said about it.
func define(name, title, description string, in object, cols []table.Column, work func(*demo, tools.Call) (answer, error)) tools.Tool {
	yes, no := true, false
	in["type"], in["additionalProperties"] = "object", false
	raw, err := json.Marshal(in)
	if err != nil {
		panic(fmt.Sprintf("the schema of %s: %v", name, err)) // maps of plain values always encode
	}
	return tools.Tool{Toolset: Toolset, Handler: handler(work), Def: mcp.Tool{Name: name, Title: title, Description: description,
		RawInputSchema: raw, RawOutputSchema: tools.TableSchema(cols...),
		Annotations: mcp.ToolAnnotation{Title: title, ReadOnlyHint: &yes, DestructiveHint: &no, IdempotentHint: &yes, OpenWorldHint: &no}}}
}

// answer is a frame on its way to a result.
type answer struct {
	frame  dataframe.DataFrame
	types  []table.Column // of the frame's columns, as far as gota does not know them
	name   string
	title  string
	total  int
	notes  []string
	hide   []string
	signed []string
}

// handler wraps a tool's work: reading the data, errors that the asker can mend, and the frame's way back to a table.
func handler(work func(*demo, tools.Call) (answer, error)) tools.Handler {
	return func(ctx context.Context, call tools.Call) (tools.Result, error) {
		d, err := load()
		if err != nil {
			return tools.Result{}, err
		}
		if err := ctx.Err(); err != nil {
			return tools.Result{}, err
		}
		a, err := work(d, call)
		if err != nil {
			return tools.FailedBy(err)
		}
		if a.frame.Err != nil {
			return tools.Result{}, fmt.Errorf("crm: %s: %w", call.Tool, a.frame.Err)
		}
		t, err := gota.ToTable(a.frame, a.types...)
		if err != nil {
			return tools.Result{}, fmt.Errorf("crm: %s: %w", call.Tool, err)
		}
		res := tools.Result{Table: t, Name: a.name, Title: a.title, Hide: a.hide, Signed: a.signed, AsOf: d.asOf,
			Notes: append(a.notes, "Demo data as of "+d.asOf.Format("2006-01-02")+".")}
		if a.total > t.NumRows() {
			res.Total = a.total
		}
		return res, nil
	}
}

func quoteAll(list []string, most int) string {
	var b strings.Builder
	for i, s := range list {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(list)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", s[:min(len(s), 60)])
	}
	return b.String()
}
