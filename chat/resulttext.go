package chat

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"catena/formatter"
	"catena/internal/text"
	"catena/profiler"
	"catena/table"
	"catena/table/load"
	"catena/tools"
)

// onlyText is the text of an object that has nothing else, in objects that have nothing else: {"result": "All is
// well."}. A word alone is a value.
func onlyText(v any) (string, bool) {
	for depth := 0; depth < fieldDepth; depth++ {
		object, ok := v.(map[string]any)
		if !ok || len(object) != 1 {
			return "", false
		}
		for _, v = range object {
			if said, ok := v.(string); ok {
				return said, strings.ContainsAny(strings.TrimSpace(said), " \n")
			}
		}
	}
	return "", false
}

// unwrapped is the JSON object or list in the only text of an object, as SDKs of MCP wrap the text that a tool gives:
// {"result": "{\"id\": 7}"}. Any other value is itself, as it was written.
func unwrapped(v, written any) (value, asWritten any) {
	said, _ := onlyText(v)
	if inner := parseJSON(said); inner != nil {
		return inner, json.RawMessage(strings.TrimSpace(said))
	}
	return v, written
}

// repeats reports whether a text says no more than a structured result, which has one value; "" says nothing.
func repeats(structured any, said string) bool {
	if said == "" {
		return true
	}
	raw, err := json.Marshal(structured)
	if err != nil {
		return false
	}
	lines := fieldLines(nil, "", raw, 0)
	return len(lines) == 1 && (lines[0].text == said || fmt.Sprint(lines[0].value) == said)
}

// leavesOut reports whether what is shown of a text that was written for people lacks a value of a structured result
// which is fields alone. Truths may be said in any words.
func leavesOut(structured any, said string) bool {
	raw, err := json.Marshal(structured)
	if structured == nil || err != nil {
		return false
	}
	shown, lacks := text.Fold(shorten(strings.TrimSpace(said), maxText)), false
	lines := fieldLines(nil, "", raw, 0)
	for _, l := range lines[:min(len(lines), maxFields)] {
		words := []string{l.text}
		switch x := l.value.(type) {
		case bool:
			continue
		case map[string]any:
			return false
		case []any:
			var single bool
			if words, single = singleTexts(x); !single {
				return false
			}
		}
		missing := func(word string) bool {
			return !saidAlone(shown, text.Fold(strings.Join(strings.Fields(word), " ")))
		}
		lacks = lacks || slices.ContainsFunc(words, missing)
	}
	return lacks
}

// saidAlone reports whether a text holds a value that is no part of a longer word or number.
func saidAlone(in, value string) bool {
	const around = 2 * utf8.UTFMax // bytes
	for at := 0; value != ""; {
		i := strings.Index(in[at:], value)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(value)
		joined := goesBack.MatchString(in[max(0, from-around):from]) ||
			goesOn.MatchString(in[to:min(len(in), to+around)])
		if !joined {
			return true
		}
		at = to
	}
	return true
}

// goesBack and goesOn match what stands before and behind a part of a word or number.
var (
	goesBack = regexp.MustCompile(`[\pL\pN]$|\pN[.,]$`)
	goesOn   = regexp.MustCompile(`^[\pL\pN]|^[.,]\pN`)
)

// withoutValue is what an answer says of a call that gave neither a text nor a value: its notes, or that there was
// none.
func (t *turn) withoutValue(step string, notes []string) string {
	name := "**" + escape(text.Capital(t.ownWords(t.toolOf(step)))) + "**"
	if len(notes) == 0 {
		return name + " ran and gave nothing back."
	}
	return name + ": " + escape(strings.Join(notes, " "))
}

// ResultText is the text of a result as people read it, for who calls a tool and gets no answer of a turn: a value that
// was written for programs is written as in answers, and a result without a text has its notes.
func ResultText(ctx context.Context, r tools.Result, locale string) string {
	said := strings.TrimSpace(r.Text)
	switch {
	case r.IsError, r.Table != nil, len(r.Charts) > 0:
		return r.Text
	case said == "" && r.Structured == nil:
		return strings.Join(r.Notes, " ")
	case r.Structured == nil, parseJSON(said) == nil && said != "":
		return r.Text
	}
	v, err := jsonValue(r.Structured)
	if err != nil {
		return r.Text
	}
	v, written := unwrapped(v, r.AsWritten())
	if told, ok := onlyText(v); ok {
		return told
	}
	if facts := factsText(ctx, v, cmp.Or(r.Title, strings.ReplaceAll(r.Name, "_", " ")), locale); facts != "" {
		return facts
	}
	return fieldsText(written)
}

// countField matches what counts the rows beside an empty list.
var countField = regexp.MustCompile(`(?i)^(total|n|(total|row|num)?_?(count|rows|results|items))$`)

// factsText writes what is one value, or no rows, as that; "" for all else. what names a list that has no name of its
// own.
func factsText(ctx context.Context, v any, what, locale string) string {
	if list, ok := v.([]any); ok && len(list) == 0 {
		return noRows(what)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	lines := fieldLines(nil, "", raw, 0)
	empty := false
	for _, l := range lines {
		empty = empty || l.isEmptyList()
	}
	var facts []string
	for _, l := range lines {
		switch {
		case l.isEmptyList():
			facts = append(facts, noRows(l.named(what)))
		case !empty || l.text != "0" || !countField.MatchString(l.last()):
			facts = append(facts, fact(ctx, l, what, locale))
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
	return "**" + escape(text.Capital(what)) + "**: 0 rows"
}

// fact writes one field as a sentence would name it, its number as in tables. what names a value whose field's name
// says nothing.
func fact(ctx context.Context, l fieldLine, what, locale string) string {
	said := scalarText(l.value)
	switch l.value.(type) {
	case []any, map[string]any:
		said = l.said()
	}
	one, err := load.Any([]any{map[string]any{l.last(): l.value}}, table.Limits{})
	if _, number := l.value.(json.Number); number && err == nil {
		view, err := formatter.Format(one, profiler.Profile(ctx, one), formatter.Options{Locale: locale})
		if err == nil && view.NumRows() == 1 && len(view.Columns) == 1 {
			said = view.Quantity(0, 0)
		}
	}
	return "**" + escape(l.named(what)) + "**: " + cmp.Or(said, "(empty)")
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

// toolName is what may be the name of a tool in a title.
var toolName = regexp.MustCompile("`?[A-Za-z0-9_][A-Za-z0-9_.-]*`?")

// ownWords is a title with the tools of other servers by their own words: "Use old__json_list" is "Use json list".
func (t *turn) ownWords(title string) string {
	return toolName.ReplaceAllStringFunc(title, func(word string) string {
		name := strings.Trim(word, "`")
		for _, tool := range t.ask.Tools {
			behind, found := strings.CutPrefix(name, tool.Name)
			if own, remote := strings.CutPrefix(
				tool.Name,
				tool.Toolset+"__",
			); remote && found &&
				strings.Trim(behind, ".-") == "" {
				return text.OwnWords(own, tool.Toolset) + behind
			}
		}
		return word
	})
}

// wrapped is the field into which SDKs of MCP put a value that is no object; its name says nothing.
const wrapped = "result"

// named is the line's label, or what where its name says nothing.
func (l fieldLine) named(what string) string {
	if what != "" && l.name == wrapped {
		return text.Capital(what)
	}
	return l.label()
}
