// A real MCP client, of the official TypeScript SDK, for the integration tests. It uses Catena as an MCP client of the memory, persona
// and repository servers would, over one transport, and prints one JSON object of what it saw.
//
//   node client.mjs stdio COMMAND [ARG ...] | node client.mjs sse URL | node client.mjs http URL
//
// REPO names the folder to index.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const [way, where, ...args] = process.argv.slice(2);
const transports = {
  stdio: () => new StdioClientTransport({ command: where, args, env: process.env, stderr: "inherit" }),
  sse: () => new SSEClientTransport(new URL(where)),
  http: () => new StreamableHTTPClientTransport(new URL(where)),
};

const client = new Client({ name: "integration", version: "1" }, { capabilities: {} });
const updated = [];
client.setNotificationHandler(ResourceUpdatedNotificationSchema, (n) => { updated.push(n.params.uri); });
const transport = transports[way]();
await client.connect(transport);

// Progress is counted as it arrives: the SDK puts a notification off to the next microtask but takes a result at once, and with it
// forgets who asked for progress, so the last progress of a call is lost to onprogress when both are read from the socket together.
// It counts by the token that the call was sent with: progress of another call, or of none, is not this one's.
const arrived = new Map();
const tokens = new Map();
const take = transport.onmessage;
transport.onmessage = (message, extra) => {
  if (message.method === "notifications/progress") {
    const { progressToken, progress } = message.params;
    arrived.set(progressToken, [...(arrived.get(progressToken) ?? []), progress]);
  }
  take(message, extra);
};
const send = transport.send.bind(transport);
transport.send = (message, options) => {
  const { name, arguments: given, _meta } = message.params ?? {};
  if (message.method === "tools/call" && name === "ensure_repo_index") tokens.set(given.path, _meta?.progressToken);
  return send(message, options);
};

const text = (result) => JSON.parse(result.content[0].text);
const call = async (name, params, options) => client.callTool({ name, arguments: params }, undefined, options);
const read = async (uri) => JSON.parse((await client.readResource({ uri })).contents[0].text);
const until = async (done) => { for (let i = 0; i < 200 && !done(); i++) await new Promise((r) => setTimeout(r, 50)); };

const out = {};
out.tools = (await client.listTools()).tools.length;
out.prompts = (await client.listPrompts()).prompts.map((p) => p.name);
out.resources = (await client.listResources()).resources.length;
out.templates = (await client.listResourceTemplates()).resourceTemplates.length;

out.identity = (await client.getPrompt({ name: "venom_identity" })).messages[0].content.text.slice(0, 7);
out.refused = await client.getPrompt({ name: "assess_attachment_style", arguments: {} }).then(() => "no", (e) => e.code);

const stored = text(await call("store_memory", { content: `The ${way} client likes tea`, tags: ["drinks"] }));
const found = text(await call("search_memory", { query: `${way} tea` }));
out.memory = found.results[0].memory_id === stored.memory_id && found.results[0].relevance_score;

out.lila = (await read("neo4j://personas/lila")).name ?? (await read("neo4j://personas/lila")).persona.name;
const pair = "neo4j://relationships/don/lila";
await client.subscribeResource({ uri: pair });
await new Promise((r) => setTimeout(r, 200)); // the listening stream of Streamable HTTP opens on its own
out.trust = text(await call("update_relationship_metrics", { persona1_id: "lila", persona2_id: "don", trust_delta: 10 })).updated_relationship.trust_level;
await until(() => updated.includes(pair));
out.told = updated.includes(pair);

const index = text(await call("ensure_repo_index", { path: process.env.REPO }, { onprogress: () => {} }));
out.progress = (arrived.get(tokens.get(process.env.REPO)) ?? []).filter((p) => [16, 33, 50, 66, 83, 100].includes(p));
out.status = (await read(`mimir://status/${index.index_id}`)).status;
out.bundle = (await client.readResource({ uri: `mimir://indexes/${index.index_id}/bundle.tar.zst` })).contents[0].blob.length > 0;
out.hit = text(await call("search_repo", { index_id: index.index_id, query: "settle an invoice" })).results[0].path;
const missing = await call("search_repo", { index_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV", query: "x" });
out.missing = [missing.isError, text(missing).code];

// A call that is aborted is cancelled on the other side, within a second.
const stop = new AbortController();
let id = "";
out.aborted = await call("ensure_repo_index", { path: process.env.BIG }, {
  signal: stop.signal,
  onprogress: (p) => {
    id ||= /index_id (\w+)/.exec(p.message ?? "")?.[1] ?? "";
    stop.abort("enough");
  },
}).then(() => "no", () => "yes");
await new Promise((r) => setTimeout(r, 1000));
out.afterAbort = (await read(`mimir://status/${id}`)).status;

console.log(JSON.stringify(out));
await client.close();
