// Package server is Catena's face to the network: the HTTP API, the event streams, OpenAI's chat protocol, and Catena as an
// MCP server over Streamable HTTP, legacy SSE and stdio. It decides nothing about a turn; it decodes, checks, hands over to
// package chat and to the tool registry, and writes down what they give.
//
// All routes stand in one table (routes.go), which also makes /openapi.json. Every request passes the same guards: the Host
// and Origin headers, a body limit, and the question who the caller is. Errors are problem documents (RFC 9457) with a
// stable code, and OpenAI's error shape below /v1.
package server
