// Package server is the HTTP core of Catena's face to the network: who calls, the limits of what is sent, problems,
// event streams, and the one table of routes that routing, /openapi.json and docs/http.md are made from. It decides
// nothing about a turn; rooms decode, check, hand over to package chat and to the tool registry, and write down what
// they give.
//
// Each protocol is a room: server/openai, server/agui, server/mcp. A room exports its routes, and imports this package,
// which imports none of them; internal/app joins them into a Table. Every request passes the same guards: the Host and
// Origin headers, a body limit, and the question who the caller is. Errors are problem documents (RFC 9457) with a
// stable code, or what a protocol's ErrorShape makes of them.
package server
