package openai

import (
	"catena/chat"
	"catena/server"
)

// formatSchema is the form of an answer that a client demands.
func formatSchema() map[string]any {
	format := server.Lenient(nil, map[string]any{"type": server.OneOf("", "text", "json_object")})
	format["description"] = "json_schema, too, with a schema whose fields are columns of an answer"
	return format
}

// completionBody and responseBody are what is taken of OpenAI's requests; what is not named does nothing.
func completionBody() server.Body {
	return server.Body{Name: "Completion", Schema: server.Lenient([]string{"messages"}, map[string]any{
		"messages": server.MessagesSchema(nil), "stream": server.OfKind("boolean"), "metadata": server.OfKind("object"),
		"tool_choice":     server.OneOf("auto", "none"),
		"stream_options":  server.Lenient(nil, map[string]any{"include_usage": server.OfKind("boolean")}),
		"response_format": formatSchema(),
	})}
}

func responseBody() server.Body {
	return server.Body{Name: "Response", Schema: server.Lenient([]string{"input"}, map[string]any{
		"input": server.AnyOf(server.FieldSchema(chat.MessageField, "string"),
			server.MessagesSchema(map[string]any{"type": map[string]any{"const": "message"}})),
		"instructions": server.TextSchema(), "previous_response_id": server.TextSchema(),
		"store": server.OfKind("boolean"), "stream": server.OfKind("boolean"),
		"background": server.OneOf(false), "metadata": server.OfKind("object"),
		"tool_choice": server.OneOf("auto", "none"),
		"text":        server.Lenient(nil, map[string]any{"format": formatSchema()}),
	})}
}
