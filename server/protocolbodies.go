package server

import (
	"maps"
	"slices"

	"catena/chat"
)

// record is the schema of an object.
func record(required []string, properties map[string]any) map[string]any {
	out := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

// Lenient is the schema of an object whose members may be null where they are not required: that is as good as leaving them out.
func Lenient(required []string, properties map[string]any) map[string]any {
	for name, schema := range properties {
		if member, ok := schema.(map[string]any); ok && !slices.Contains(required, name) {
			properties[name] = orNull(member)
		}
	}
	return record(required, properties)
}

// Schemas that several protocols have.
func TextSchema() map[string]any         { return OfKind("string") }
func OfKind(kind string) map[string]any  { return map[string]any{"type": kind} }
func OneOf(values ...any) map[string]any { return map[string]any{"enum": values} }

// words are what a person says: a text, or parts of one.
func words() map[string]any {
	said := FieldSchema(chat.MessageField, "string")
	part := record([]string{"type", "text"}, map[string]any{"type": OneOf("text", "input_text"), "text": said})
	return AnyOf(said, map[string]any{"type": "array", "minItems": 1, "items": part})
}

// MessagesSchema are a conversation, in which the person says something; more are members that each message may have.
func MessagesSchema(more map[string]any) map[string]any {
	user := map[string]any{"role": map[string]any{"const": "user"}, "content": words()}
	part := Lenient([]string{"type"}, map[string]any{"type": TextSchema(), "text": TextSchema()})
	other := map[string]any{"role": OneOf("system", "developer", "assistant", "tool"), "content": AnyOf(TextSchema(), map[string]any{"type": "array", "items": part})}
	maps.Copy(user, more)
	maps.Copy(other, more)
	return map[string]any{"type": "array", "minItems": 1,
		"items":    AnyOf(Lenient([]string{"role", "content"}, user), Lenient([]string{"role"}, other)),
		"contains": record([]string{"role"}, map[string]any{"role": map[string]any{"const": "user"}})}
}

// mcpBody is a message of JSON-RPC, or a chat message that was posted to MCP's address.
func mcpBody() Body {
	return Body{Name: "MCP", Schema: AnyOf(rpcRequest(map[string]any{"const": "initialize"}), chatMessage())}
}

// messageBody is a message of JSON-RPC over the legacy transport.
func messageBody() Body {
	return Body{Name: "Message", Schema: AnyOf(rpcRequest(TextSchema()), rpcAnswer("result"), rpcAnswer("error"))}
}

// chatMessage is a chat message at MCP's address, as POST /stream takes it.
func chatMessage() map[string]any {
	asked := record([]string{"message"}, map[string]any{"message": TextSchema(), "jsonrpc": false})
	return map[string]any{"allOf": []any{refTo("LooseChatRequest"), asked}}
}

// rpcID is the id of a message of JSON-RPC.
func rpcID() map[string]any {
	return map[string]any{"type": []string{"string", "number"}, "maxLength": maxRPCID}
}

// rpcRequest is a request of JSON-RPC, without an id a notification. What it has beside does nothing.
func rpcRequest(method map[string]any) map[string]any {
	return record([]string{"jsonrpc", "method"}, map[string]any{"jsonrpc": map[string]any{"const": "2.0"}, "id": rpcID(), "method": method, "params": map[string]any{},
		"result": false, "error": false})
}

// rpcAnswer is an answer of JSON-RPC, by the member that it has: result or error.
func rpcAnswer(member string) map[string]any {
	members := map[string]any{"jsonrpc": map[string]any{"const": "2.0"}, "id": rpcID(), "method": false, "result": false, "error": false}
	members[member] = map[string]any{}
	return record([]string{"jsonrpc", "id", member}, members)
}

// uploadFields are what may be said of a table that is sent.
func uploadFields() map[string]any {
	return map[string]any{"session_id": FieldSchema(chat.SessionField, "string"), "locale": FieldSchema(chat.LocaleField, "string"),
		"on_conflict": FieldSchema(chat.ConflictField, "string")}
}

// uploadSchema is a table as text with its name, or the table itself, whose members are none of the former's. Which texts and values hold a table is
// nothing that a schema could say.
func uploadSchema() map[string]any {
	said := uploadFields()
	said["name"], said["text"] = TextSchema(), map[string]any{"type": "string", "minLength": 1, "description": "CSV, JSON, a Markdown table"}
	pasted := Lenient([]string{"text"}, said)
	pasted["additionalProperties"] = false
	noText, members := map[string]any{"not": TextSchema()}, map[string]any{}
	for _, name := range uploadMembers {
		members[name] = noText
	}
	object := record(nil, members)
	object["description"] = "the table itself: an object of columns, a record, or an object that holds a list of records"
	misspelt := record([]string{"name"}, map[string]any{})
	misspelt["additionalProperties"] = TextSchema()
	object["not"] = misspelt
	return AnyOf(pasted, map[string]any{"type": "array", "description": "the table itself: a list of records or of lists"}, object)
}

// uploadForms are the other ways to send tables, by their media types.
func uploadForms() map[string]any {
	fields := uploadFields()
	fields["file"] = map[string]any{"type": "string", "format": "binary", "description": "a file with its name; 20 at most, in fields of any names"}
	form := record([]string{"file"}, fields)
	form["additionalProperties"] = false
	return map[string]any{
		"multipart/form-data":      map[string]any{"schema": form},
		"application/octet-stream": map[string]any{"schema": map[string]any{"description": "a file of any kind that is read, under the name that the address gives it; its own media type will do, too"}},
	}
}
