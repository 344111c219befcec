package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"catena/internal/text"
	"catena/table"
	"catena/tools"
)

// resultColumns are those of the table that search_memory gives.
var resultColumns = []table.Column{
	{Name: "memory_id", Type: table.Text}, {Name: "content", Type: table.Text}, {Name: "tags", Type: table.Text},
	{Name: "relevance_score", Type: table.Decimal, Scale: 1}, {Name: "created_at", Type: table.DateTime},
}

func (k *Toolkit) searchTool() tools.Tool {
	t := define("search_memory", "Search the memories",
		"Finds the caller's memories that fit a question, best first, with a relevance score of 0 to 100; inflections, slips and parts of words are found too. Use it to recall, look up or find what is known or remembered about something or somebody.",
		reads, object{
			"properties": object{
				"query":     object{"type": "string", "minLength": 1, "maxLength": maxQuery, "description": "What to look for, in plain words; there is no syntax."},
				"limit":     object{"type": "integer", "minimum": 1, "maximum": 20, "default": 5, "description": "How many results at most."},
				"namespace": namespaceSchema("Which collection to search; default is \"default\"."),
			},
			"required": []string{"query"},
		}, object{
			"properties": object{
				"results": object{"type": "array", "items": object{"type": "object", "properties": object{
					"memory_id": object{"type": "string"}, "content": object{"type": "string"},
					"tags":            object{"type": "array", "items": object{"type": "string"}},
					"relevance_score": object{"type": "number", "minimum": 0, "maximum": 100},
					"created_at":      object{"type": "string", "format": "date-time"}}}},
				"count": object{"type": "integer"}, "query": object{"type": "string"}, "namespace": object{"type": "string"},
				"completeness": object{"type": "object", "description": "state: complete, or partial with a detail."},
				"corrected":    object{"type": "object", "description": "Words of the query and the words of memories that were taken for them."},
			},
			"required": []string{"results", "count", "query"},
		}, k.search)
	t.Columns = resultColumns
	return t
}

func (k *Toolkit) search(ctx context.Context, call tools.Call) (tools.Result, error) {
	query := strings.TrimSpace(textArg(call.Args, "query"))
	switch {
	case !utf8.ValidString(query) || strings.ContainsRune(query, 0):
		return *invalid("The query is not valid text.", "Send UTF-8 without NUL characters."), nil
	case query == "":
		return *invalid("The query is empty.", "Say what to look for, or use list_memories."), nil
	}
	s := &searcher{store: k.opt.Store, owner: call.Caller.ID, namespace: namespaceOf(call)}
	limit := min(max(whole(call.Args, "limit", 5), 1), 20)
	got, err := k.find(ctx, s, query, limit)
	if err != nil {
		return tools.Result{}, err
	}
	return k.searchResult(query, s.namespace, got)
}

// find searches by words, and by vectors where there are some.
func (k *Toolkit) find(ctx context.Context, s *searcher, query string, limit int) (found, error) {
	if k.vectors == nil {
		return s.lexical(ctx, query, limit)
	}
	words, err := s.lexical(ctx, query, maxCandidates)
	if err != nil {
		return found{}, err
	}
	meant, note, err := k.vectors.search(ctx, s, query)
	if err != nil {
		return found{}, err
	}
	if note != "" {
		words.notes = append(words.notes, note)
	}
	words.hits, err = fuse(ctx, s, words.hits, meant, limit)
	return words, err
}

func (k *Toolkit) searchResult(query, namespace string, got found) (tools.Result, error) {
	list := make([]object, len(got.hits))
	b := table.NewBuilder(resultColumns...)
	for i, h := range got.hits {
		list[i] = object{"memory_id": h.ID, "content": h.Content, "tags": h.Tags, "relevance_score": h.score, "created_at": stamp(h.Created)}
		if err := b.Append(table.TextValue(h.ID), table.TextValue(h.Content), table.TextValue(strings.Join(h.Tags, ", ")),
			scoreValue(h.score), table.DateTimeValue(h.Created)); err != nil {
			return tools.Result{}, fmt.Errorf("memory: %w", err)
		}
	}
	notes := searchNotes(got)
	state := object{"state": "complete"}
	if len(got.notes) > 0 || got.dropped > 0 {
		state = object{"state": "partial", "detail": strings.Join(notes, " ")}
	}
	s := object{"results": list, "count": len(list), "query": query, "namespace": namespace, "completeness": state}
	if len(got.corrected) > 0 {
		s["corrected"] = got.corrected
	}
	res := tools.Result{Structured: s, Table: b.Table(), Name: "memories_found", Title: "Memories that fit the question",
		Text: searchText(query, got.hits), Notes: notes, Hide: []string{"memory_id"}, Untrusted: true}
	return res, nil
}

// scoreValue is a score with its one digit after the point.
func scoreValue(score float64) table.Value {
	tenths := int64(score*10 + 0.5)
	return table.DecimalValue(0, uint64(max(tenths, 0)), 1)
}

func searchNotes(got found) []string {
	notes := slices.Clone(got.notes)
	if got.dropped > 0 {
		notes = append(notes, fmt.Sprintf("The query has %d words more than the %d that are looked for.", got.dropped, maxQueryWords))
	}
	for _, word := range slices.Sorted(maps.Keys(got.corrected)) {
		notes = append(notes, fmt.Sprintf("%s was taken to mean %s too.", quoted(word), strings.Join(got.corrected[word], " or ")))
	}
	return notes
}

func searchText(query string, hits []hit) string {
	if len(hits) == 0 {
		return fmt.Sprintf("Nothing that is remembered fits %s.", quoted(query))
	}
	return fmt.Sprintf("%s %s; the best has a relevance of %.0f of 100.", text.CountOf(len(hits), "memory fits", "memories fit"), quoted(query), hits[0].score)
}
