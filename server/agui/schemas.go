package agui

import (
	"catena/chat"
	"catena/server"
)

// threadField and runField are AG-UI's names of a conversation and of a run in it.
var (
	threadField = chat.Field{
		Name:     "threadId",
		Required: true,
		Least:    1,
		Most:     chat.MaxSession,
		Bytes:    true,
		Pattern:  chat.SessionField.Pattern,
	}
	runField = chat.Field{Name: "runId", Required: true, Least: 1, Most: chat.MaxSession, Bytes: true}
)

// runBody is what is taken of AG-UI's RunAgentInput; what is not named does nothing.
func runBody() server.Body {
	interrupt := server.Lenient(
		[]string{"interruptId"},
		map[string]any{"interruptId": server.TextSchema(), "status": server.TextSchema()},
	)
	return server.Body{Name: "RunAgentInput", Schema: server.Lenient([]string{"threadId", "runId"}, map[string]any{
		"threadId": server.FieldSchema(threadField, "string"),
		"runId":    server.FieldSchema(runField, "string"),
		"messages": server.AnyOf(
			map[string]any{"type": "array", "maxItems": 0},
			server.MessagesSchema(map[string]any{"id": server.TextSchema()}),
		),
		"resume": map[string]any{"type": "array", "items": interrupt},
	})}
}
