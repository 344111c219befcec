package chat

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"catena/formatter"
	"catena/profiler"
	"catena/table"
	"catena/table/load"
)

// onlyText is the text of an object that has nothing else, in objects that have nothing else: {"result": "All is well."}. A word alone is a value.
func onlyText(v any) (string, bool) {
	for depth := 0; depth < fieldDepth; depth++ {
		object, ok := v.(map[string]any)
		if !ok || len(object) != 1 {
			return "", false
		}
		for _, v = range object {
			if text, ok := v.(string); ok {
				return text, strings.ContainsAny(strings.TrimSpace(text), " \n")
			}
		}
	}
	return "", false
}

// countField matches what counts the rows beside an empty list.
var countField = regexp.MustCompile(`(?i)^(total|n|(total|row|num)?_?(count|rows|results|items))$`)

// factsText writes what is one value, or no rows, as that; "" for all else. what names a list that has no name of its own.
func (t *turn) factsText(ctx context.Context, v any, what string) string {
	if list, ok := v.([]any); ok && len(list) == 0 {
		return noRows(what)
	}
	lines := fieldLines(nil, "", v, 0)
	empty := false
	for _, l := range lines {
		empty = empty || l.isEmptyList()
	}
	var facts []string
	for _, l := range lines {
		switch {
		case l.isEmptyList():
			facts = append(facts, noRows(l.label()))
		case !empty || l.text != "0" || !countField.MatchString(l.last()):
			facts = append(facts, t.fact(ctx, l))
		}
	}
	const fewFacts = 2
	if len(facts) == 1 || empty && len(facts) <= fewFacts {
		return strings.Join(facts, "\n\n")
	}
	return ""
}

func noRows(what string) string {
	if what == "" {
		what = "The result"
	}
	return "**" + escape(capital(what)) + "**: 0 rows"
}

// fact writes one field as a sentence would name it, its number as in tables.
func (t *turn) fact(ctx context.Context, l fieldLine) string {
	text := scalarText(l.value)
	switch l.value.(type) {
	case []any, map[string]any:
		text = escape(shorten(l.text, maxCell))
	}
	one, err := load.Any([]any{map[string]any{l.last(): l.value}}, table.Limits{})
	if _, number := l.value.(json.Number); number && err == nil {
		view, err := formatter.Format(one, profiler.Profile(ctx, one), formatter.Options{Locale: t.req.Locale})
		if err == nil && view.NumRows() == 1 && len(view.Columns) == 1 {
			text = view.Quantity(0, 0)
		}
	}
	return "**" + escape(l.label()) + "**: " + text
}

// last is the name of the field itself.
func (l fieldLine) last() string { return l.name[strings.LastIndexByte(l.name, '.')+1:] }

// label is the field's name as people read it.
func (l fieldLine) label() string {
	if label, _ := profiler.CleanName(l.last()); label != "" {
		return label
	}
	return l.last()
}

func (l fieldLine) isEmptyList() bool {
	list, ok := l.value.([]any)
	return ok && len(list) == 0
}

// remoteName is the name of another server's tool in a title.
var remoteName = regexp.MustCompile("`?([A-Za-z0-9][A-Za-z0-9_-]*?)__([A-Za-z0-9_.-]*[A-Za-z0-9])`?")

// ownWords is a title with the tools of other servers by their own words: "Use old__json_list" is "Use json list".
func (t *turn) ownWords(title string) string {
	return remoteName.ReplaceAllStringFunc(title, func(name string) string {
		name = strings.Trim(name, "`")
		for _, tool := range t.ask.Tools {
			if own, ok := strings.CutPrefix(tool.Name, tool.Toolset+"__"); ok && tool.Name == name {
				return strings.NewReplacer("_", " ", "-", " ").Replace(withoutPrefix(own, tool.Toolset))
			}
		}
		return name
	})
}

// withoutPrefix is the name of a tool without the name of its server.
func withoutPrefix(own, server string) string {
	if n := len(server); len(own) > n+1 && strings.EqualFold(own[:n], server) && strings.IndexByte("_-.", own[n]) >= 0 {
		return own[n+1:]
	}
	return own
}
