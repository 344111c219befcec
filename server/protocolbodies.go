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

// lenient is the schema of an object whose members may be null where they are not required: that is as good as leaving them out.
func lenient(required []string, properties map[string]any) map[string]any {
	for name, schema := range properties {
		if member, ok := schema.(map[string]any); ok && !slices.Contains(required, name) {
			properties[name] = orNull(member)
		}
	}
	return record(required, properties)
}

// Schemas that several protocols have.
func textSchema() map[string]any               { return ofKind("string") }
func ofKind(kind string) map[string]any        { return map[string]any{"type": kind} }
func oneOfValues(values ...any) map[string]any { return map[string]any{"enum": values} }

// words are what a person says: a text, or parts of one.
func words() map[string]any {
	said := fieldSchema(chat.MessageField, "string")
	part := record([]string{"type", "text"}, map[string]any{"type": oneOfValues("text", "input_text"), "text": said})
	return anyOf(said, map[string]any{"type": "array", "minItems": 1, "items": part})
}

// messages are a conversation, in which the person says something; more are members that each message may have.
func messages(more map[string]any) map[string]any {
	user := map[string]any{"role": map[string]any{"const": "user"}, "content": words()}
	part := lenient([]string{"type"}, map[string]any{"type": textSchema(), "text": textSchema()})
	other := map[string]any{"role": oneOfValues("system", "developer", "assistant", "tool"), "content": anyOf(textSchema(), map[string]any{"type": "array", "items": part})}
	maps.Copy(user, more)
	maps.Copy(other, more)
	return map[string]any{"type": "array", "minItems": 1,
		"items":    anyOf(lenient([]string{"role", "content"}, user), lenient([]string{"role"}, other)),
		"contains": record([]string{"role"}, map[string]any{"role": map[string]any{"const": "user"}})}
}

// protocolBodies are what is taken of the requests of protocols that others have made; what is not named does nothing.
func protocolBodies() map[string]body {
	format := lenient(nil, map[string]any{"type": oneOfValues("", "text", "json_object")})
	format["description"] = "json_schema, too, with a schema whose fields are columns of an answer"
	completion := lenient([]string{"messages"}, map[string]any{
		"messages": messages(nil), "stream": ofKind("boolean"), "metadata": ofKind("object"), "tool_choice": oneOfValues("auto", "none"),
		"stream_options": lenient(nil, map[string]any{"include_usage": ofKind("boolean")}), "response_format": format,
	})
	response := lenient([]string{"input"}, map[string]any{
		"input":        anyOf(fieldSchema(chat.MessageField, "string"), messages(map[string]any{"type": map[string]any{"const": "message"}})),
		"instructions": textSchema(), "previous_response_id": textSchema(), "store": ofKind("boolean"), "stream": ofKind("boolean"),
		"background": oneOfValues(false), "metadata": ofKind("object"), "tool_choice": oneOfValues("auto", "none"), "text": lenient(nil, map[string]any{"format": format}),
	})
	interrupt := lenient([]string{"interruptId"}, map[string]any{"interruptId": textSchema(), "status": textSchema()})
	run := lenient([]string{"threadId", "runId"}, map[string]any{
		"threadId": fieldSchema(threadField, "string"), "runId": fieldSchema(runField, "string"),
		"messages": anyOf(map[string]any{"type": "array", "maxItems": 0}, messages(map[string]any{"id": textSchema()})),
		"resume":   map[string]any{"type": "array", "items": interrupt},
	})
	return map[string]body{
		"Completion": {schema: completion}, "Response": {schema: response}, "RunAgentInput": {schema: run},
		"MCP":     {schema: anyOf(rpcRequest(map[string]any{"const": "initialize"}), chatMessage())},
		"Message": {schema: anyOf(rpcRequest(textSchema()), rpcAnswer("result"), rpcAnswer("error"))},
	}
}

// chatMessage is a chat message at MCP's address, as POST /stream takes it.
func chatMessage() map[string]any {
	asked := record([]string{"message"}, map[string]any{"message": textSchema(), "jsonrpc": false})
	return map[string]any{"allOf": []any{refTo("LooseChatRequest"), asked}}
}

// threadField and runField are AG-UI's names of a conversation and of a run in it.
var (
	threadField = chat.Field{Name: "threadId", Required: true, Least: 1, Most: chat.MaxSession, Pattern: chat.SessionField.Pattern}
	runField    = chat.Field{Name: "runId", Required: true, Least: 1, Most: chat.MaxSession}
)

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
	return map[string]any{"session_id": fieldSchema(chat.SessionField, "string"), "locale": fieldSchema(chat.LocaleField, "string"),
		"on_conflict": fieldSchema(chat.ConflictField, "string")}
}

// uploadSchema is a table as text with its name, or the table itself, whose members are none of the former's. Which texts and values hold a table is
// nothing that a schema could say.
func uploadSchema() map[string]any {
	said := uploadFields()
	said["name"], said["text"] = textSchema(), map[string]any{"type": "string", "minLength": 1, "description": "CSV, JSON, a Markdown table"}
	pasted := lenient([]string{"text"}, said)
	pasted["additionalProperties"] = false
	noText, members := map[string]any{"not": textSchema()}, map[string]any{}
	for _, name := range uploadMembers {
		members[name] = noText
	}
	object := record(nil, members)
	object["description"] = "the table itself: an object of columns, a record, or an object that holds a list of records"
	misspelt := record([]string{"name"}, map[string]any{})
	misspelt["additionalProperties"] = textSchema()
	object["not"] = misspelt
	return anyOf(pasted, map[string]any{"type": "array", "description": "the table itself: a list of records or of lists"}, object)
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
