// Package upstream connects Catena to other MCP servers. A configured server runs as a child process that speaks MCP over
// stdio; its tools are registered as <server>__<tool>, with the schemas exactly as the server wrote them, and are called
// through the registry like any other tool.
//
// A server that cannot be started, dies or stops answering never stops Catena: it is noted as down, with the reason, and is
// tried again with growing pauses until it is back. What servers say is marked untrusted: it is data, never instructions.
package upstream
