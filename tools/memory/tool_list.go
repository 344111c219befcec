package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"catena/internal/text"
	"catena/table"
	"catena/tools"
)

// Limits of lists. An export says where it was cut and how to go on.
const (
	maxListed   = 1000
	maxExported = 10_000
)

// memoryColumns are those of the list and of the live table.
var memoryColumns = []table.Column{
	{Name: "memory_id", Type: table.Text}, {Name: "content", Type: table.Text}, {Name: "tags", Type: table.Text},
	{Name: "namespace", Type: table.Text}, {Name: "version", Type: table.Int},
	{Name: "created_at", Type: table.DateTime}, {Name: "updated_at", Type: table.DateTime},
}

// exportColumns add when a version was superseded; null for what holds now.
var exportColumns = append(memoryColumns[:len(memoryColumns):len(memoryColumns)], table.Column{Name: "superseded_at", Type: table.DateTime})

func listSchema() object {
	return object{
		"properties": object{
			"memories": object{"type": "array", "items": object{"type": "object"}}, "count": object{"type": "integer"},
			"total": object{"type": "integer"}, "truncated": object{"type": "boolean"}, "after": object{"type": "string", "description": "Give this as after to get the next ones."},
		},
		"required": []string{"memories", "count", "total"},
	}
}

func (k *Toolkit) listTool() tools.Tool {
	t := define("list_memories", "List the memories",
		"Lists the caller's memories, the newest first. Use it to show, list or review all that is remembered, or the latest of it.",
		reads, object{"properties": object{
			"limit":     object{"type": "integer", "minimum": 1, "maximum": maxListed, "default": 20, "description": "How many at most."},
			"namespace": namespaceSchema("Only those of one collection; left out, all."),
			"after":     object{"type": "string", "maxLength": 200, "description": "The memory_id of the last one that was listed before; lists older ones."},
		}}, listSchema(), func(ctx context.Context, call tools.Call) (tools.Result, error) {
			return k.page(ctx, call, whole(call.Args, "limit", 20), maxListed, false)
		})
	t.Columns = memoryColumns
	return t
}

func (k *Toolkit) exportTool() tools.Tool {
	t := define("export_memories", "Export the memories",
		"Gives all of the caller's memories with their former versions, the newest first. Use it to export, back up or take along everything that is remembered, or to see what a memory said before.",
		reads, object{"properties": object{
			"namespace": namespaceSchema("Only those of one collection; left out, all."),
			"limit":     object{"type": "integer", "minimum": 1, "maximum": maxExported, "default": maxExported, "description": "How many at most."},
			"after":     object{"type": "string", "maxLength": 200, "description": "The memory_id of the last one that was exported before; gives older ones."},
		}}, listSchema(), func(ctx context.Context, call tools.Call) (tools.Result, error) {
			return k.page(ctx, call, whole(call.Args, "limit", maxExported), maxExported, true)
		})
	t.Columns = exportColumns
	return t
}

// page gives a part of the list, with former versions in an export.
func (k *Toolkit) page(ctx context.Context, call tools.Call, limit, most int, export bool) (tools.Result, error) {
	var before int64
	if after := textArg(call.Args, "after"); after != "" {
		m, err := k.opt.Store.GetMemory(ctx, call.Caller.ID, after)
		if errors.Is(err, fs.ErrNotExist) {
			return notFound(after), nil
		} else if err != nil {
			return tools.Result{}, err
		}
		before = m.Number
	}
	list, total, err := k.opt.Store.ListMemories(ctx, call.Caller.ID, textArg(call.Args, "namespace"), before, min(max(limit, 1), most)+1)
	if err != nil {
		return tools.Result{}, err
	}
	more := len(list) > limit
	list = list[:min(len(list), limit)]
	former := map[string][]Former{}
	if export {
		if former, err = k.former(ctx, call.Caller.ID, list); err != nil {
			return tools.Result{}, err
		}
	}
	return pageResult(list, former, total, more, export, k.opt.Now())
}

func (k *Toolkit) former(ctx context.Context, owner string, list []Memory) (map[string][]Former, error) {
	numbers := make([]int64, 0, len(list))
	for _, m := range list {
		if m.Version > 1 {
			numbers = append(numbers, m.Number)
		}
	}
	by := map[string][]Former{}
	if len(numbers) == 0 {
		return by, nil
	}
	versions, err := k.opt.Store.FormerMemories(ctx, owner, numbers)
	for _, v := range versions {
		by[v.ID] = append(by[v.ID], v)
	}
	return by, err
}

func pageResult(list []Memory, former map[string][]Former, total int64, more, export bool, now time.Time) (tools.Result, error) {
	records := make([]object, len(list))
	cols := memoryColumns
	if export {
		cols = exportColumns
	}
	b := table.NewBuilder(cols...)
	for i, m := range list {
		records[i] = record(m)
		rows := [][]table.Value{memoryRow(m)}
		if export {
			rows[0] = append(rows[0], table.Value{})
			records[i]["former_versions"] = formerRecords(former[m.ID])
			for _, f := range former[m.ID] {
				rows = append(rows, formerRow(m, f))
			}
		}
		for _, row := range rows {
			if err := b.Append(row...); err != nil {
				return tools.Result{}, fmt.Errorf("memory: %w", err)
			}
		}
	}
	s := object{"memories": records, "count": len(list), "total": total, "truncated": more}
	res := tools.Result{Structured: s, Table: b.Table(), Name: "memories", Title: "Memories", Hide: []string{"memory_id"}, Untrusted: true,
		Text: listText(len(list), total, export)}
	if export {
		s["exported_at"] = stamp(now)
		res.Name, res.Title = "memories_exported", "Memories with their former versions"
	}
	if more {
		last := list[len(list)-1].ID
		s["after"] = last
		if !export {
			res.Total = int(total)
		}
		res.Notes = append(res.Notes, fmt.Sprintf("These are %d of %d; older ones come with after: %s.", len(list), total, last))
	}
	return res, nil
}

func listText(n int, total int64, export bool) string {
	verb := "Listed"
	if export {
		verb = "Exported"
	}
	if total == 0 {
		return "Nothing is remembered yet."
	}
	return fmt.Sprintf("%s %d of %s.", verb, n, text.CountOf(int(total), "memory", "memories"))
}

func record(m Memory) object {
	return object{"memory_id": m.ID, "content": m.Content, "tags": m.Tags, "namespace": m.Namespace, "version": m.Version,
		"created_at": stamp(m.Created), "updated_at": stamp(m.Updated)}
}

func formerRecords(list []Former) []object {
	out := make([]object, len(list))
	for i, f := range list {
		out[i] = object{"version": f.Version, "content": f.Content, "tags": f.Tags, "created_at": stamp(f.Created), "superseded_at": stamp(f.Superseded)}
	}
	return out
}

func memoryRow(m Memory) []table.Value {
	return []table.Value{table.TextValue(m.ID), table.TextValue(m.Content), table.TextValue(strings.Join(m.Tags, ", ")),
		table.TextValue(m.Namespace), table.IntValue(int64(m.Version)), table.DateTimeValue(m.Created), table.DateTimeValue(m.Updated)}
}

func formerRow(m Memory, f Former) []table.Value {
	return []table.Value{table.TextValue(m.ID), table.TextValue(f.Content), table.TextValue(strings.Join(f.Tags, ", ")),
		table.TextValue(m.Namespace), table.IntValue(int64(f.Version)), table.DateTimeValue(f.Created), table.DateTimeValue(f.Superseded), table.DateTimeValue(f.Superseded)}
}

// stamp is a time as results carry it: RFC 3339 in UTC.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
