package server

import (
	"maps"
	"slices"

	"catena/chat"
)

// Record is the schema of an object.
func Record(required []string, properties map[string]any) map[string]any {
	out := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// Lenient is the schema of an object whose members may be null where they are not required: that is as good as leaving
// them out.
func Lenient(required []string, properties map[string]any) map[string]any {
	for name, schema := range properties {
		if member, ok := schema.(map[string]any); ok && !slices.Contains(required, name) {
			properties[name] = orNull(member)
		}
	}
	return Record(required, properties)
}

// TextSchema is the JSON Schema of a string.
func TextSchema() map[string]any { return OfKind("string") }

// OfKind is the JSON Schema of a type by its name in JSON Schema.
func OfKind(kind string) map[string]any { return map[string]any{"type": kind} }

// OneOf is the JSON Schema of the values that it is given, and no others.
func OneOf(values ...any) map[string]any { return map[string]any{"enum": values} }

// words are what a person says: a text, or parts of one.
func words() map[string]any {
	said := FieldSchema(chat.MessageField, "string")
	part := Record([]string{"type", "text"}, map[string]any{"type": OneOf("text", "input_text"), "text": said})
	return AnyOf(said, map[string]any{"type": "array", "minItems": 1, "items": part})
}

// MessagesSchema are a conversation, in which the person says something; more are members that each message may have.
func MessagesSchema(more map[string]any) map[string]any {
	user := map[string]any{"role": map[string]any{"const": "user"}, "content": words()}
	part := Lenient([]string{"type"}, map[string]any{"type": TextSchema(), "text": TextSchema()})
	other := map[string]any{"role": OneOf("system", "developer", "assistant", "tool"),
		"content": AnyOf(TextSchema(), map[string]any{"type": "array", "items": part})}
	maps.Copy(user, more)
	maps.Copy(other, more)
	return map[string]any{"type": "array", "minItems": 1,
		"items":    AnyOf(Lenient([]string{"role", "content"}, user), Lenient([]string{"role"}, other)),
		"contains": Record([]string{"role"}, map[string]any{"role": map[string]any{"const": "user"}})}
}

// uploadFields are what may be said of a table that is sent.
func uploadFields() map[string]any {
	return map[string]any{"session_id": FieldSchema(chat.SessionField, "string"),
		"locale":      FieldSchema(chat.LocaleField, "string"),
		"on_conflict": FieldSchema(chat.ConflictField, "string")}
}

// uploadSchema is a table as text with its name, or the table itself, whose members are none of the former's. Which
// texts and values hold a table is nothing that a schema could say.
func uploadSchema() map[string]any {
	said := uploadFields()
	said["name"], said["text"] = TextSchema(),
		map[string]any{"type": "string", "minLength": 1, "description": "CSV, JSON, a Markdown table"}
	pasted := Lenient([]string{"text"}, said)
	pasted["additionalProperties"] = false
	noText, members := map[string]any{"not": TextSchema()}, map[string]any{}
	for _, name := range uploadMembers {
		members[name] = noText
	}
	object := Record(nil, members)
	object["description"] = "the table itself: an object of columns, a record, or an object that holds a list of " +
		"records"
	misspelt := Record([]string{"name"}, map[string]any{})
	misspelt["additionalProperties"] = TextSchema()
	object["not"] = misspelt
	return AnyOf(pasted, map[string]any{"type": "array",
		"description": "the table itself: a list of records or of lists"}, object)
}

// uploadForms are the other ways to send tables, by their media types.
func uploadForms() map[string]any {
	fields := uploadFields()
	fields["file"] = map[string]any{"type": "string", "format": "binary",
		"description": "a file with its name; 20 at most, in fields of any names"}
	form := Record([]string{"file"}, fields)
	form["additionalProperties"] = false
	return map[string]any{
		"multipart/form-data": map[string]any{"schema": form},
		"application/octet-stream": map[string]any{"schema": map[string]any{"description": "a file of any kind that " +
			"is read, under the name that the address gives it; its own media type will do, too"}},
	}
}
