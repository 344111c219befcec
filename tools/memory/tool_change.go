package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"catena/tools"
)

func (k *Toolkit) updateTool() tools.Tool {
	t := define("update_memory", "Update a memory",
		"Gives a memory a new text or new tags; what it said before is kept as a former version, and only the new text is found. Use it to correct, change or replace something that is remembered.",
		writes, object{
			"properties": object{
				"memory_id": idSchema(),
				"content":   contentSchema("The new text; left out, it stays."),
				"tags":      tagsSchema("The new tags, in place of the old ones; left out, they stay."),
			},
			"required": []string{"memory_id"},
		}, object{
			"properties": object{
				"memory_id": object{"type": "string"}, "updated": object{"type": "boolean"}, "version": object{"type": "integer"},
				"content": object{"type": "string"}, "tags": object{"type": "array", "items": object{"type": "string"}},
				"namespace": object{"type": "string"}, "created_at": object{"type": "string"}, "updated_at": object{"type": "string"},
				"message": object{"type": "string"},
			},
			"required": []string{"memory_id", "updated", "version"},
		}, k.update)
	t.Effect = k.updateEffect
	return t
}

func (k *Toolkit) update(ctx context.Context, call tools.Call) (tools.Result, error) {
	id := textArg(call.Args, "memory_id")
	given, hasContent := call.Args["content"].(string)
	list, hasTags := call.Args["tags"].([]any)
	if !hasContent && !hasTags {
		return *invalid("There is nothing to change.", "Give content, tags or both."), nil
	}
	var content string
	var bad *tools.Result
	if hasContent {
		if content, bad = checkedContent(given); bad != nil {
			return *bad, nil
		}
	}
	tags, bad := checkedTags(list)
	if bad != nil {
		return *bad, nil
	}
	now, err := k.opt.Store.ChangeMemory(ctx, call.Caller.ID, id, true, k.opt.Now().UTC().Truncate(time.Microsecond),
		func(oldContent string, oldTags []string) (string, []string) {
			if !hasContent {
				content = oldContent
			}
			if !hasTags {
				tags = append([]string{}, oldTags...) // none is a list as well
			}
			return content, tags
		}, indexOf)
	if errors.Is(err, fs.ErrExist) {
		return failed(codeDuplicate, fmt.Sprintf("The memory %s says this already; nothing was changed.", now.ID), "Delete one of the two with delete_memory."), nil
	} else if err != nil {
		return broken(id, err)
	}
	res := updatedResult(now)
	if err := k.vectors.add(ctx, call.Caller.ID, now); err != nil {
		k.opt.Log.WarnContext(ctx, "a memory was changed without a new vector", "memory", now.ID, "error", err.Error())
		res.Notes = append(res.Notes, "The embedder did not answer, so the memory is found by its words only until it does.")
	}
	return res, nil
}

func updatedResult(m Memory) tools.Result {
	s := object{"memory_id": m.ID, "updated": true, "version": m.Version, "content": m.Content, "tags": m.Tags, "namespace": m.Namespace,
		"created_at": stamp(m.Created), "updated_at": stamp(m.Updated)}
	res := tools.Result{Structured: s, Untrusted: true,
		Text: fmt.Sprintf("The memory %s is at version %d; former versions are in export_memories.", m.ID, m.Version)}
	s["message"] = res.Text
	return res
}

func (k *Toolkit) deleteTool() tools.Tool {
	t := define("delete_memory", "Delete a memory",
		"Deletes one memory for good, with its former versions; it cannot be brought back. Use it to forget, delete or remove something that is remembered.",
		deletes, object{
			"properties": object{"memory_id": idSchema()},
			"required":   []string{"memory_id"},
		}, object{
			"properties": object{"memory_id": object{"type": "string"}, "deleted": object{"type": "boolean"}, "message": object{"type": "string"}},
			"required":   []string{"memory_id", "deleted"},
		}, k.delete)
	t.Effect = k.deleteEffect
	return t
}

// deleteLimit bounds a deletion, which goes on when nobody waits for it any more.
const deleteLimit = 30 * time.Second

// delete drops the copies before and after the memory itself. When they cannot be dropped before, nothing is deleted and the
// call can be made again; after it they are dropped once more because a search may have made new ones meanwhile. When that
// fails, or the program ends in between, a repeated call finds no memory, but drops them.
func (k *Toolkit) delete(ctx context.Context, call tools.Call) (tools.Result, error) {
	if err := ctx.Err(); err != nil {
		return tools.Result{}, err
	}
	// Once begun it is not left half done, whether or not somebody still waits.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), deleteLimit)
	defer cancel()
	owner, id := call.Caller.ID, textArg(call.Args, "memory_id")
	if !isID(id) {
		return notFound(id), nil
	}
	if err := k.forget(ctx, owner); err != nil {
		return tools.Result{}, fmt.Errorf("the memory was not deleted, because tables that show it could not be; try again: %w", err)
	}
	if err := k.opt.Store.DeleteMemory(ctx, owner, id); err != nil {
		return broken(id, err)
	}
	if err := k.forget(ctx, owner); err != nil {
		return tools.Result{}, fmt.Errorf("the memory %s is deleted, but new tables that show it could not be; delete it once more to drop them: %w", id, err)
	}
	message := fmt.Sprintf("The memory %s is deleted.", id)
	return tools.Result{Text: message, Structured: object{"memory_id": id, "deleted": true, "message": message},
		Notes: []string{"It is gone; conversations in which it was said keep their own text until their session is deleted."}}, nil
}

// forget drops what was made of an owner's memories.
func (k *Toolkit) forget(ctx context.Context, owner string) error {
	if k.opt.Forget == nil {
		return nil
	}
	return k.opt.Forget(ctx, owner)
}
