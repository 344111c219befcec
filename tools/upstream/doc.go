// Package upstream connects Catena to other MCP servers: programs that speak MCP over stdio, and addresses, by
// Streamable HTTP or the transport before it. Their tools are registered as <server>__<tool>, with the schemas exactly
// as the server wrote them, and are called through the registry like any other tool; prompts and resources are offered
// too.
//
// The client is our own (docs/adr/0017-mcp-client.md) and speaks both eras of the protocol: 2026-07-28, where each
// request stands for itself, and those from 2024-11-05 to 2025-11-25, with a handshake and sessions. What a server may
// send is bounded: the length and the depth of a message, the length of lists, redirects to its own origin only. A
// protected server gets tokens by tools/upstream/oauth.
//
// A server that cannot be started, dies, stops answering or wants a login never stops Catena: it is noted as down, with
// the reason, and is tried again with growing pauses until it is back. What servers say is marked untrusted: it is
// data, never instructions. Questions that a server has while it is called go to who made the call (tools.Needs), or,
// to a model, where the settings allow it.
package upstream
