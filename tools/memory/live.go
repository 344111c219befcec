package memory

import (
	"context"
	"fmt"

	"catena/internal/access"
	"catena/table"
	"catena/tools"
)

// maxLive bounds the rows of the live table; it holds the newest.
const maxLive = 10_000

// Live returns the table of the caller's memories, which questions can be asked about like about any other.
func (k *Toolkit) Live() []tools.Live {
	return []tools.Live{{Toolset: Toolset, Name: "memories", Title: "Memories", Columns: memoryColumns, Version: k.version, Open: k.open}}
}

// version is the number of the caller's changes; "" while there are no memories.
func (k *Toolkit) version(ctx context.Context, c access.Caller) (string, error) {
	memories, changes, err := k.opt.Store.MemoryCount(ctx, c.ID)
	if err != nil || memories == 0 {
		return "", err
	}
	return fmt.Sprint(changes), nil
}

func (k *Toolkit) open(ctx context.Context, c access.Caller) (tools.Result, error) {
	list, total, err := k.opt.Store.ListMemories(ctx, c.ID, "", 0, maxLive)
	if err != nil {
		return tools.Result{}, err
	}
	b := table.NewBuilder(memoryColumns...)
	for _, m := range list {
		if err := b.Append(memoryRow(m)...); err != nil {
			return tools.Result{}, fmt.Errorf("memory: %w", err)
		}
	}
	res := tools.Result{Table: b.Table(), Name: "memories", Title: "Memories", Hide: []string{"memory_id"}, Untrusted: true}
	if int64(len(list)) < total {
		res.Total = int(total)
		res.Notes = append(res.Notes, fmt.Sprintf("The table holds the newest %d of %d memories.", len(list), total))
	}
	return res, nil
}
