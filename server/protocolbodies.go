package server

import (
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

// Schemas that several protocols have.
func textSchema() map[string]any          { return map[string]any{"type": "string"} }
func optional(kind string) map[string]any { return map[string]any{"type": []string{kind, "null"}} }
func oneOfValues(values ...any) map[string]any {
	return map[string]any{"enum": append(values, nil)}
}

// words are what a person says: a text, or parts of one.
func words() map[string]any {
	said := fieldSchema(chat.MessageField, "string")
	part := record([]string{"type", "text"}, map[string]any{"type": map[string]any{"enum": []any{"text", "input_text"}}, "text": said})
	return anyOf(said, map[string]any{"type": "array", "minItems": 1, "items": part})
}

// messages are a conversation, in which the person says something.
func messages(more map[string]any) map[string]any {
	user := map[string]any{"role": map[string]any{"const": "user"}, "content": words()}
	other := map[string]any{"role": map[string]any{"enum": []any{"system", "developer", "assistant", "tool"}},
		"content": anyOf(optional("string"), map[string]any{"type": "array", "items": record([]string{"type"}, map[string]any{"type": textSchema(), "text": textSchema()})})}
	for name, schema := range more {
		user[name], other[name] = schema, schema
	}
	return map[string]any{"type": "array", "minItems": 1,
		"items":    anyOf(record([]string{"role", "content"}, user), record([]string{"role"}, other)),
		"contains": record([]string{"role"}, map[string]any{"role": map[string]any{"const": "user"}})}
}

// protocolBodies are what is taken of the requests of protocols that others have made; what is not named does nothing.
func protocolBodies() map[string]body {
	format := record(nil, map[string]any{"type": map[string]any{"enum": []any{"", "text", "json_object"}}})
	choice := oneOfValues("auto", "none")
	completion := record([]string{"messages"}, map[string]any{
		"messages": messages(nil), "stream": optional("boolean"), "metadata": optional("object"), "tool_choice": choice,
		"stream_options": record(nil, map[string]any{"include_usage": optional("boolean")}), "response_format": format,
	})
	response := record([]string{"input"}, map[string]any{
		"input":        anyOf(fieldSchema(chat.MessageField, "string"), messages(map[string]any{"type": map[string]any{"const": "message"}})),
		"instructions": optional("string"), "previous_response_id": optional("string"), "store": optional("boolean"), "stream": optional("boolean"),
		"background": oneOfValues(false), "metadata": optional("object"), "tool_choice": choice, "text": record(nil, map[string]any{"format": format}),
	})
	run := record([]string{"threadId", "runId"}, map[string]any{
		"threadId": fieldSchema(threadField, "string"), "runId": fieldSchema(runField, "string"),
		"messages": anyOf(map[string]any{"type": "null"}, map[string]any{"type": "array", "maxItems": 0}, messages(map[string]any{"id": textSchema()})),
		"resume":   map[string]any{"type": []string{"array", "null"}, "items": record([]string{"interruptId"}, map[string]any{"interruptId": textSchema(), "status": textSchema()})},
	})
	return map[string]body{
		"Completion": {schema: completion}, "Response": {schema: response}, "RunAgentInput": {schema: run},
		"MCP":     {schema: anyOf(rpcRequest(map[string]any{"const": "initialize"}, true), record([]string{"message"}, map[string]any{"message": fieldSchema(chat.MessageField, "string"), "jsonrpc": false}))},
		"Message": {schema: anyOf(rpcRequest(textSchema(), false), rpcAnswer("result"), rpcAnswer("error"))},
	}
}

// threadField and runField are AG-UI's names of a conversation and of a run in it.
var (
	threadField = chat.Field{Name: "threadId", Required: true, Least: 1, Most: chat.MaxSession, Pattern: chat.SessionField.Pattern}
	runField    = chat.Field{Name: "runId", Required: true, Least: 1, Most: chat.MaxSession}
)

// rpcID is the id of a message of JSON-RPC.
func rpcID() map[string]any {
	return map[string]any{"type": []string{"string", "number"}, "maxLength": 100}
}

// rpcRequest is a request of JSON-RPC, or a notification where it needs no id.
func rpcRequest(method map[string]any, id bool) map[string]any {
	required := []string{"jsonrpc", "method"}
	if id {
		required = append(required, "id")
	}
	out := record(required, map[string]any{"jsonrpc": map[string]any{"const": "2.0"}, "id": rpcID(), "method": method, "params": map[string]any{}})
	out["additionalProperties"] = false
	return out
}

// rpcAnswer is an answer of JSON-RPC.
func rpcAnswer(member string) map[string]any {
	out := record([]string{"jsonrpc", "id", member}, map[string]any{"jsonrpc": map[string]any{"const": "2.0"}, "id": rpcID(), member: map[string]any{}})
	out["additionalProperties"] = false
	return out
}

// uploadSchema is a table as text with its name, or a list of records.
func uploadSchema() map[string]any {
	pasted := record([]string{"text"}, map[string]any{
		"name": optional("string"), "text": map[string]any{"type": "string", "minLength": 1, "description": "CSV, JSON, a Markdown table"},
		"session_id": orNull(fieldSchema(chat.SessionField, "string")), "locale": orNull(fieldSchema(chat.LocaleField, "string")),
		"on_conflict": orNull(fieldSchema(chat.ConflictField, "string")),
	})
	pasted["additionalProperties"] = false
	records := map[string]any{"type": "array", "minItems": 1, "items": map[string]any{"type": "object", "minProperties": 1}}
	return anyOf(pasted, records)
}
