// Package mcp is Catena as an MCP server, of both eras of the protocol, over Streamable HTTP, legacy SSE and stdio.
//
// Tools, prompts and resources come from the registry at each request, for who sends it; what a caller may not use is
// answered like what is not there. What a call reports (its progress, and the resources that it changes) is written to
// the client's stream before the result. Subscriptions end with their session; a client that hangs up or sends
// notifications/cancelled stops its request. Calls that take long are tasks (Tasks), which outlive their request.
package mcp
