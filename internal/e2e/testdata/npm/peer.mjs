// The official TypeScript SDK, both of its lines, as a client of Catena for the integration tests: it lists, calls five tools, reads and prompts over one
// transport, and prints one JSON object of what it got.
//
//   node peer.mjs v1|v2|modern stdio COMMAND [ARG ...] | sse URL | http URL
//
// v1 is @modelcontextprotocol/sdk, v2 is @modelcontextprotocol/client as it comes, which speaks the older era, and modern is v2 pinned to
// 2026-07-28. KEY is the API key that is sent over HTTP.
const [line, way, where, ...args] = process.argv.slice(2);
const modern = line === "modern";
const sdk = line === "v1"
  ? Object.assign({}, await import("@modelcontextprotocol/sdk/client/index.js"), await import("@modelcontextprotocol/sdk/client/sse.js"),
    await import("@modelcontextprotocol/sdk/client/stdio.js"), await import("@modelcontextprotocol/sdk/client/streamableHttp.js"))
  : Object.assign({}, await import("@modelcontextprotocol/client"), await import("@modelcontextprotocol/client/stdio"));

const web = () => ({ requestInit: { headers: { Authorization: `Bearer ${process.env.KEY}` } } });
const transports = {
  stdio: () => new sdk.StdioClientTransport({ command: where, args, env: process.env, stderr: "inherit" }),
  sse: () => new sdk.SSEClientTransport(new URL(where), web()),
  http: () => new sdk.StreamableHTTPClientTransport(new URL(where), web()),
};

const client = new sdk.Client({ name: "peer", version: "1" }, { capabilities: {}, ...(modern ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}) });
await client.connect(transports[way]());

const call = (params) => line === "v1" ? client.callTool(params, undefined) : client.callTool(params);
const tools = (await client.listTools()).tools;
const typed = async (name, args) => (await call({ name, arguments: args })).structuredContent;
const tables = await typed("list_tables", {});
const described = await typed("describe_table", { table: "cities" });
const formatted = await typed("format_table_for_llm", { data: "cities", output_format: "bullets" });
const chat = await typed("chat", { message: "how many rows are in cities?" });
const called = await call({ name: "query_table", arguments: { table: "cities", order_by: [{ column: "people", desc: true }], limit: 1 } });
const read = await client.readResource({ uri: `table://${called.structuredContent.handle}` });
const prompts = (await client.listPrompts()).prompts;
const prompt = await client.getPrompt({ name: "venom_identity" });
const failed = await call({ name: "query_table", arguments: { table: "cities", select: ["peple"] } });
console.log(JSON.stringify({
  version: client.getNegotiatedProtocolVersion?.() ?? "",
  server: client.getServerVersion()?.name,
  tools: tools.map((t) => t.name),
  first: tables.rows[0][0],
  described: described.rows.map((row) => row[0]),
  formatted: formatted.result.includes("Lima"),
  chat: [chat.outcome, chat.response.split("\n")[0]],
  rows: called.structuredContent.rows,
  text: called.content[0].text.includes("Lima"),
  read: JSON.parse(read.contents[0].text).rows,
  prompts: prompts.map((p) => p.name),
  prompt: prompt.messages[0].content.text.slice(0, 7),
  failed: [failed.isError, failed.content[0].text],
}));
await client.close();
