package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"catena/internal/text"
	"catena/tools"
)

func (k *Toolkit) storeTool() tools.Tool {
	t := define("store_memory", "Store a memory",
		"Keeps a short text for later, with tags, for the caller alone; what is known already is not kept twice. Use it to remember, note, save or keep in mind a fact, a preference or a decision.",
		writes, object{
			"properties": object{
				"content":   contentSchema("What to remember, in full sentences: at most 16 KiB."),
				"tags":      tagsSchema("At most 10 words to sort it by, of at most 50 characters each."),
				"namespace": namespaceSchema("Which collection to keep it in; default is \"default\"."),
			},
			"required": []string{"content"},
		}, object{
			"properties": object{
				"memory_id": object{"type": "string"}, "stored": object{"type": "boolean"}, "duplicate": object{"type": "boolean"},
				"tags": object{"type": "array", "items": object{"type": "string"}}, "namespace": object{"type": "string"},
				"created_at": object{"type": "string", "format": "date-time"}, "message": object{"type": "string"},
				"similar": object{"type": "array", "items": object{"type": "object"}, "description": "Memories that say nearly the same: memory_id, content, similarity 0..1."},
			},
			"required": []string{"memory_id", "stored", "duplicate"},
		}, k.store)
	return t
}

func (k *Toolkit) store(ctx context.Context, call tools.Call) (tools.Result, error) {
	content, bad := checkedContent(textArg(call.Args, "content"))
	if bad != nil {
		return *bad, nil
	}
	list, _ := call.Args["tags"].([]any)
	tags, bad := checkedTags(list)
	if bad != nil {
		return *bad, nil
	}
	m := Memory{Namespace: namespaceOf(call), Content: content, Tags: tags, Created: k.opt.Now().UTC().Truncate(time.Microsecond)}
	index := indexOf(content, tags)
	near, err := similar(ctx, k.opt.Store, call.Caller.ID, m, index)
	if err != nil {
		return tools.Result{}, err
	}
	kept, outcome, err := k.add(ctx, call.Caller.ID, m, index)
	switch {
	case err != nil:
		return tools.Result{}, err
	case outcome == outcomeFull:
		return failed(codeFull, fmt.Sprintf("You have %d memories, which is as many as are kept for one owner.", k.opt.Most), "Delete some with delete_memory; nothing was stored."), nil
	case outcome == outcomeDuplicate:
		return duplicateResult(kept, tags), nil
	}
	res := storedResult(kept, near)
	if err := k.vectors.add(ctx, call.Caller.ID, kept); err != nil {
		k.opt.Log.WarnContext(ctx, "a memory was stored without a vector", "memory", kept.ID, "error", err.Error())
		res.Notes = append(res.Notes, "The embedder did not answer, so the memory is found by its words only until it does.")
	}
	return res, nil
}

func namespaceOf(call tools.Call) string {
	if n := textArg(call.Args, "namespace"); n != "" {
		return n
	}
	return defaultNamespace
}

// add keeps a memory under a new id. A duplicate gets the tags that it has not.
func (k *Toolkit) add(ctx context.Context, owner string, m Memory, index Index) (kept Memory, outcome string, err error) {
	const attempts = 3
	for range attempts {
		if m.ID, err = k.ids.next(m.Created); err != nil {
			return Memory{}, "", fmt.Errorf("memory: no id could be made: %w", err)
		}
		kept, outcome, err = k.opt.Store.AddMemory(ctx, owner, m, index, k.opt.Most)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil || outcome != outcomeDuplicate {
			return kept, outcome, err
		}
		kept, err = k.opt.Store.ChangeMemory(ctx, owner, kept.ID, false, m.Created, func(content string, tags []string) (string, []string) {
			tags = joinTags(tags, m.Tags)
			return content, tags[:min(len(tags), maxTags)]
		}, indexOf)
		if !errors.Is(err, fs.ErrNotExist) { // else it was deleted meanwhile, and is new
			return kept, outcome, err
		}
	}
	return Memory{}, "", fmt.Errorf("memory: nothing was stored, because the memory changed under every attempt: %w", errors.Join(err, tools.ErrTransient))
}

func storedResult(m Memory, near []object) tools.Result {
	s := object{"memory_id": m.ID, "stored": true, "duplicate": false, "tags": m.Tags, "namespace": m.Namespace,
		"created_at": stamp(m.Created), "message": "Memory stored."}
	res := tools.Result{Structured: s, Text: fmt.Sprintf("Remembered as %s.", m.ID)}
	if len(near) > 0 {
		s["similar"] = near
		res.Untrusted = true
		res.Text += fmt.Sprintf(" %s nearly the same: %s.", text.CountOf(len(near), "memory says", "memories say"), idsOf(near))
		res.Notes = append(res.Notes, "What says nearly the same was kept beside it; update_memory or delete_memory can tidy up.")
	}
	return res
}

func duplicateResult(m Memory, given []string) tools.Result {
	s := object{"memory_id": m.ID, "stored": false, "duplicate": true, "tags": m.Tags, "namespace": m.Namespace, "created_at": stamp(m.Created)}
	res := tools.Result{Structured: s, Text: fmt.Sprintf("This is known already, as %s; its tags and the new ones are joined.", m.ID)}
	if len(joinTags(append([]string(nil), m.Tags...), given)) > len(m.Tags) {
		res.Notes = append(res.Notes, fmt.Sprintf("It has %d tags, which is the most; the others were left out.", len(m.Tags)))
	}
	s["message"] = res.Text
	return res
}

// near texts are those that share nine tenths of their stems. Own choice: a word of ten may differ.
const nearDuplicate = 0.9

// maxSimilar bounds the near texts that are looked at and told.
const (
	maxLookedAt = 40
	maxSimilar  = 3
)

// similar finds memories that say nearly the same, by the bands of their signatures.
func similar(ctx context.Context, store Store, owner string, m Memory, index Index) ([]object, error) {
	numbers, err := store.MemoriesAlike(ctx, owner, m.Namespace, index.Bands, maxLookedAt)
	if err != nil || len(numbers) == 0 {
		return nil, err
	}
	others, err := store.MemoriesByNumber(ctx, owner, m.Namespace, numbers)
	if err != nil {
		return nil, err
	}
	var out []object
	said, same := stems(tokens(m.Content)), normal(m.Content)
	for _, o := range others {
		share := alike(said, stems(tokens(o.Content)))
		if share >= nearDuplicate && normal(o.Content) != same && len(out) < maxSimilar {
			out = append(out, object{"memory_id": o.ID, "content": o.Content, "similarity": share})
		}
	}
	return out, nil
}

func idsOf(list []object) string {
	ids := make([]string, len(list))
	for i, o := range list {
		ids[i], _ = o["memory_id"].(string)
	}
	return strings.Join(ids, ", ")
}
