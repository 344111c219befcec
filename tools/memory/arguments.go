package memory

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"catena/tools"
)

// Limits of arguments.
const (
	maxContent   = 16 << 10 // bytes of a memory's text
	maxTags      = 10
	maxTag       = 50 // characters
	maxQuery     = 64 << 10
	maxNamespace = 64
)

// defaultNamespace is where memories go that name none.
const defaultNamespace = "default"

func contentSchema(description string) object {
	return object{"type": "string", "minLength": 1, "maxLength": maxContent, "description": description}
}

func tagsSchema(description string) object {
	return object{"type": "array", "maxItems": maxTags, "description": description,
		"items": object{"type": "string", "minLength": 1, "maxLength": maxTag}}
}

func namespaceSchema(description string) object {
	return object{"type": "string", "pattern": `^[A-Za-z0-9_.:-]{1,64}$`, "description": description}
}

func idSchema() object {
	return object{"type": "string", "minLength": 1, "maxLength": 200, "description": "Which memory: its memory_id, as store_memory, search_memory or list_memories gave it."}
}

func textArg(args map[string]any, name string) string {
	s, _ := args[name].(string)
	return s
}

// whole reads an integer argument that has passed the schema; an absent one is none.
func whole(args map[string]any, name string, none int) int {
	switch v := args[name].(type) {
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return int(f)
		}
	case float64:
		return int(v)
	case int:
		return v
	}
	return none
}

// checkedContent is a memory's text without space around it, or what is wrong with it.
func checkedContent(s string) (string, *tools.Result) {
	switch {
	case !utf8.ValidString(s) || strings.ContainsRune(s, 0):
		return "", invalid("The content is not valid text.", "Send UTF-8 without NUL characters.")
	case len(s) > maxContent:
		return "", invalid(fmt.Sprintf("The content has %d bytes; %d are allowed.", len(s), maxContent), "Store it in several memories, or store a summary.")
	case strings.TrimSpace(s) == "":
		return "", invalid("The content is empty.", "Say what is to be remembered.")
	}
	return strings.TrimSpace(s), nil
}

// checkedTags are the distinct tags without space around them, or what is wrong with them. A tag may hold any text, commas too.
func checkedTags(list []any) ([]string, *tools.Result) {
	tags := []string{}
	for _, v := range list {
		s, _ := v.(string)
		s = strings.TrimSpace(s)
		switch {
		case s == "" || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }):
			return nil, invalid("A tag is empty or holds control characters.", "Send tags of 1 to 50 characters.")
		case utf8.RuneCountInString(s) > maxTag:
			return nil, invalid(fmt.Sprintf("The tag %s has more than %d characters.", quoted(s), maxTag), "Shorten it.")
		}
		tags = joinTags(tags, []string{s})
	}
	if len(tags) > maxTags {
		return nil, invalid(fmt.Sprintf("There are %d tags; %d are allowed.", len(tags), maxTags), "Leave some out.")
	}
	return tags, nil
}

// joinTags adds to tags those that are not there in any case.
func joinTags(tags, more []string) []string {
	for _, m := range more {
		known := false
		for _, t := range tags {
			known = known || strings.EqualFold(t, m)
		}
		if !known {
			tags = append(tags, m)
		}
	}
	return tags
}

func invalid(what, hint string) *tools.Result {
	res := failed(codeInvalid, what, hint)
	return &res
}

// quoted shows what somebody sent, cut and with its odd characters escaped.
func quoted(s string) string {
	const most = 60
	if len(s) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return strconv.Quote(s)
}
