// Package server is Catena's face to the network: the HTTP API, the event streams, OpenAI's chat protocol, and Catena as an
// MCP server over Streamable HTTP, legacy SSE and stdio. It decides nothing about a turn; it decodes, checks, hands over to
// package chat and to the tool registry, and writes down what they give.
//
// All routes stand in one table (routes.go), which also makes /openapi.json. Every request passes the same guards: the Host
// and Origin headers, a body limit, and the question who the caller is. Errors are problem documents (RFC 9457) with a
// stable code, and OpenAI's error shape below /v1.
//
// Over MCP, tools, prompts and resources come from the registry at each request, for who sends it; what a caller may not use is
// answered like what is not there. What a call reports (its progress, and the resources that it changes) is written to the client's
// stream before the result. Subscriptions end with their session, a client that hangs up or sends notifications/cancelled stops
// its request.
package server
