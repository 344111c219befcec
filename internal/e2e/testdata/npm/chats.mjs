// Real clients of OpenAI's protocols and of AG-UI, for the integration tests: each chats, streams, aborts and runs into errors, and says what it
// saw. The last line is one JSON object.
//
//   node chats.mjs URL KEY SLOW
//
// SLOW is a server whose turns do not end by themselves.
import { HttpAgent } from "@ag-ui/client";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, streamText } from "ai";
import OpenAI from "openai";

const [url, key, slow] = process.argv.slice(2);
const question = "top 3 USA clients";
const rows = (text) => text.split("\n").filter((line) => /^\| ?\d/.test(line)).length;
const until = async (done) => {
  const begun = Date.now();
  while (!(await done())) {
    if (Date.now() - begun > 60000) return false;
    await new Promise((r) => setTimeout(r, 20));
  }
  return true;
};
const running = async () => Number(/^catena_runs_running (\d+)/m.exec(await (await fetch(slow + "/metrics")).text())[1]);
// stopped reports that a run on the slow server, which does not end by itself, ends by its abort.
const stopped = async (begin) => {
  const control = new AbortController();
  const call = begin(control.signal).then(() => "answered", (error) => error.name);
  await until(async () => (await running()) === 1);
  control.abort();
  const how = await call;
  const ended = await until(async () => (await running()) === 0);
  return ended && how !== "answered" ? "stopped" : `${how}; the run ${ended ? "ended" : "goes on"}`;
};
// drain reads a stream to its end, which SDKs do not tell from one that was aborted; whole it can never be on the slow server.
const drain = async (stream) => { for await (const part of stream) void part; throw new Error("cut"); };

async function openai() {
  const client = new OpenAI({ baseURL: url + "/v1", apiKey: key });
  const late = new OpenAI({ baseURL: slow + "/v1", apiKey: "any", maxRetries: 0 });
  const out = {};
  out.models = (await client.models.list()).data.map((m) => m.id);
  out.model = (await client.models.retrieve("catena")).object;
  const messages = [{ role: "developer", content: "be kind" }, { role: "user", content: question }];
  const whole = await client.chat.completions.create({ model: "catena", messages, tools: [{ type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } }] });
  const choice = whole.choices[0];
  out.whole = [choice.finish_reason, rows(choice.message.content), choice.message.tool_calls ?? null, whole.usage.total_tokens];
  out.reasoning = choice.message.reasoning_content.includes("get_top_clients");
  let text = "";
  const ends = [];
  for await (const chunk of await client.chat.completions.create({ model: "catena", messages, stream: true, stream_options: { include_usage: true } })) {
    text += chunk.choices[0]?.delta.content ?? "";
    if (chunk.choices[0]?.finish_reason) ends.push(chunk.choices[0].finish_reason);
    if (chunk.usage) ends.push("usage");
  }
  out.stream = [text === choice.message.content, ...ends];
  const built = client.chat.completions.stream({ model: "catena", messages });
  out.built = (await built.finalContent()) === text;
  const file = { filename: "sales.csv", file_data: "data:text/csv;base64," + Buffer.from("region,amount\nNorth,10\nSouth,4\nNorth,8\n").toString("base64") };
  const asked = [{ role: "user", content: [{ type: "file", file }, { type: "text", text: "total amount by region" }] }];
  const first = (await client.chat.completions.create({ model: "catena", messages: asked })).choices[0].message;
  const next = await client.chat.completions.create({ model: "catena", messages: [...asked, first, { role: "user", content: "only North" }] });
  out.file = first.content.includes("18");
  out.followed = next.choices[0].message.content.includes("18") && !next.choices[0].message.content.includes("South");
  const errors = {};
  const fails = async (name, call) => { errors[name] = await call().then(() => "no error", (e) => `${e.constructor.name} ${e.status} ${e.code}`); };
  await fails("messages", () => client.chat.completions.create({ model: "catena", messages: [] }));
  await fails("model", () => client.models.retrieve("gpt-nothing"));
  await fails("key", () => new OpenAI({ baseURL: url + "/v1", apiKey: "cat_wrong", maxRetries: 0 }).models.list());
  await fails("response", () => client.responses.create({ model: "catena", input: "x", previous_response_id: "resp_none" }));
  out.errors = errors;
  out.abort = await stopped((signal) => late.chat.completions.create({ model: "catena", messages }, { signal }));
  out.abortStream = await stopped(async (signal) => drain(await late.chat.completions.create({ model: "catena", messages, stream: true }, { signal })));

  const response = await client.responses.create({ model: "catena", input: question });
  out.response = [response.status, rows(response.output_text), response.output.map((item) => item.type)];
  const after = await client.responses.create({ model: "catena", input: [{ role: "user", content: "only the first 2" }], previous_response_id: response.id });
  out.previous = [after.previous_response_id === response.id, rows(after.output_text)];
  const streamed = client.responses.stream({ model: "catena", input: question });
  const kinds = new Set();
  for await (const event of streamed) kinds.add(event.type);
  out.responseStream = [(await streamed.finalResponse()).output_text === response.output_text, kinds.has("response.reasoning_summary_text.delta"), kinds.has("response.completed")];
  out.again = (await client.responses.retrieve(response.id)).output_text === response.output_text;
  out.inputs = (await client.responses.inputItems.list(response.id)).data[0].content[0].text;
  const unkept = await client.responses.create({ model: "catena", input: question, store: false });
  out.unkept = await client.responses.retrieve(unkept.id).then(() => "kept", (e) => e.status);
  const part = await client.responses.delete(response.id).then(() => "deleted", (e) => e.status);
  const alone = await client.responses.create({ model: "catena", input: question });
  await client.responses.delete(alone.id);
  out.deleted = [part, await client.responses.retrieve(alone.id).then(() => "kept", (e) => e.status)];
  out.abortResponse = await stopped(async (signal) => drain(await late.responses.create({ model: "catena", input: question, stream: true }, { signal })));
  return out;
}

async function langchain() {
  const to = (base, apiKey) => new ChatOpenAI({ model: "catena", apiKey, maxRetries: 0, configuration: { baseURL: base + "/v1" }, streamUsage: true });
  const model = to(url, key);
  const out = {};
  const answer = await model.invoke([new SystemMessage("be kind"), new HumanMessage(question)]);
  out.whole = [rows(answer.content), answer.response_metadata.finish_reason, answer.tool_calls.length];
  const next = await model.invoke([new HumanMessage(question), new AIMessage(answer.content), new HumanMessage("only the first 2")]);
  out.followed = rows(next.content);
  let text = "";
  let usage = false;
  for await (const chunk of await model.stream(question)) { text += chunk.content; usage ||= chunk.usage_metadata !== undefined; }
  out.stream = [text === answer.content, usage];
  const bound = model.bindTools([tool(() => "x", { name: "f", description: "f", schema: { type: "object", properties: {} } })]);
  out.tools = (await bound.invoke(question)).tool_calls.length;
  out.error = await to(url, "cat_wrong").invoke(question).then(() => "no error", (e) => e.status ?? e.lc_error_code);
  out.abort = await stopped((signal) => to(slow, "any").invoke(question, { signal }));
  out.abortStream = await stopped(async (signal) => drain(await to(slow, "any").stream(question, { signal })));
  return out;
}

async function vercel() {
  const to = (base, apiKey) => createOpenAICompatible({ name: "catena", baseURL: base + "/v1", apiKey, includeUsage: true }).chatModel("catena");
  const out = {};
  const whole = await generateText({ model: to(url, key), prompt: question });
  out.whole = [rows(whole.text), whole.finishReason, whole.toolCalls.length, whole.reasoningText.includes("get_top_clients")];
  const streamed = streamText({ model: to(url, key), prompt: question });
  let text = "";
  for await (const part of streamed.textStream) text += part;
  out.stream = [text === whole.text, await streamed.finishReason, (await streamed.reasoningText).includes("get_top_clients")];
  out.error = await generateText({ model: to(url, "cat_wrong"), prompt: question, maxRetries: 0 }).then(() => "no error", (e) => e.statusCode);
  out.abort = await stopped((abortSignal) => generateText({ model: to(slow, "any"), prompt: question, maxRetries: 0, abortSignal }));
  out.abortStream = await stopped(async (abortSignal) => {
    let aborted = false;
    await streamText({ model: to(slow, "any"), prompt: question, maxRetries: 0, abortSignal, onAbort: () => { aborted = true; } }).consumeStream();
    if (aborted) throw new Error("aborted");
  });
  return out;
}

async function agui() {
  let run = "";
  const to = (base, bearer, threadId) => new HttpAgent({
    url: base + "/agui", threadId, headers: { Authorization: "Bearer " + bearer },
    fetch: async (where, init) => { const res = await fetch(where, init); run = res.headers.get("X-Run-Id"); return res; },
  });
  const say = (agent, text) => agent.addMessage({ id: crypto.randomUUID(), role: "user", content: text });
  const out = {};
  const agent = to(url, key, "thread-1");
  const types = [];
  const seen = { onEvent: ({ event }) => { if (types.at(-1) !== event.type) types.push(event.type); } };
  say(agent, question);
  const first = await agent.runAgent({ runId: "run-of-mine" }, seen);
  out.events = [types[0], types.includes("TOOL_CALL_RESULT"), types.includes("ACTIVITY_SNAPSHOT"), types.at(-1)];
  out.answer = [rows(agent.messages.findLast((m) => m.role === "assistant").content), first.result.outcome];
  say(agent, "only the first 2");
  await agent.runAgent();
  out.followed = rows(agent.messages.findLast((m) => m.role === "assistant" && m.content).content);

  // Who opens the thread elsewhere is shown what was said, and goes on from there.
  const elsewhere = to(url, key, "thread-1");
  await elsewhere.runAgent();
  const roles = elsewhere.messages.map((m) => m.role);
  say(elsewhere, "only the first 2");
  await elsewhere.runAgent();
  out.opened = [...roles, rows(elsewhere.messages.findLast((m) => m.role === "assistant" && m.content).content)];

  const deciding = to(url, key, "thread-2");
  say(deciding, "remember that Globex prefers tea");
  await deciding.runAgent();
  say(deciding, "forget what I said about Globex");
  await deciding.runAgent();
  out.waits = deciding.pendingInterrupts.map((i) => i.reason);
  await deciding.runAgent({ resume: deciding.pendingInterrupts.map((i) => ({ interruptId: i.id, status: "resolved", payload: { approved: true } })) });
  out.decided = [deciding.pendingInterrupts.length, deciding.messages.some((m) => m.role === "tool" && m.content.includes("is deleted"))];

  const wrong = to(url, "cat_wrong", "thread-3");
  say(wrong, question);
  out.error = await wrong.runAgent().then(() => "no error", (e) => e.status);

  // What was started as a stream goes on without its reader; its run can be cancelled.
  const late = to(slow, "any", "thread-4");
  say(late, question);
  const ended = late.runAgent().then(() => "ended", (e) => e.name);
  run = "";
  await until(async () => run && (await running()) === 1);
  late.abortRun();
  await ended;
  out.goesOn = await running();
  await fetch(`${slow}/api/v1/runs/${run}/cancel`, { method: "POST" });
  out.cancelled = await until(async () => (await running()) === 0);
  return out;
}

const out = {};
for (const [name, client] of Object.entries({ openai, langchain, vercel, agui })) {
  const begun = Date.now();
  out[name] = await client();
  console.error(`${name}: ${Date.now() - begun} ms`);
}
console.log(JSON.stringify(out));
process.exit(0); // some of them keep connections open
