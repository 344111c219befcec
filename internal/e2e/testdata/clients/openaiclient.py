"""A client of Catena over OpenAI's protocol: asks, goes on, and wants an answer in a form; prints what it got as one JSON object.

    python openaiclient.py langchain|litellm|openwebui URL

KEY is the API key. openwebui sends what Open WebUI's server sends to a connection: it is too large to be installed here.
"""
import json
import os
import sys

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
BASE = sys.argv[2] + "/v1"
KEY = os.environ["KEY"]
QUESTIONS = ["how many rows are in cities?", "which city has the most people in cities?"]
TASK = "### Task:\nSay what could be asked next.\n### Output:\nJSON format: { \"follow_ups\": [\"one\"] }\n### Chat History:\n<chat_history>\nUSER: hi\n</chat_history>"
SCHEMA = {
    "title": "Cities",
    "type": "object",
    "properties": {"rows": {"type": "array", "items": {
        "type": "object", "additionalProperties": False,
        "properties": {"city": {"type": "string"}, "people": {"type": "integer"}}, "required": ["city", "people"]}}},
    "required": ["rows"],
    "additionalProperties": False,
}


def by_langchain():
    from langchain_core.messages import AIMessage, HumanMessage
    from langchain_openai import ChatOpenAI

    model = ChatOpenAI(base_url=BASE, api_key=KEY, model="catena", timeout=60)
    first = model.invoke(QUESTIONS[0]).content
    second = model.invoke([HumanMessage(QUESTIONS[0]), AIMessage(first), HumanMessage(QUESTIONS[1])]).content
    streamed = "".join(chunk.content for chunk in model.stream(QUESTIONS[0]))
    form = model.with_structured_output(SCHEMA, method="json_schema").invoke("show all rows of cities")
    return first, second, streamed, form, model.invoke(TASK).content


def by_litellm():
    import litellm

    def ask(messages, **more):
        return litellm.completion(model="openai/catena", api_base=BASE, api_key=KEY, messages=messages, timeout=60, **more)

    def text(messages, **more):
        return ask(messages, **more).choices[0].message.content

    user = [{"role": "user", "content": QUESTIONS[0]}]
    first = text(user)
    second = text(user + [{"role": "assistant", "content": first}, {"role": "user", "content": QUESTIONS[1]}])
    streamed = "".join(chunk.choices[0].delta.content or "" for chunk in ask(user, stream=True))
    wanted = {"type": "json_schema", "json_schema": {"name": "cities", "strict": True, "schema": SCHEMA}}
    form = json.loads(text([{"role": "user", "content": "show all rows of cities"}], response_format=wanted))
    return first, second, streamed, form, text([{"role": "user", "content": TASK}])


def by_openwebui():
    import urllib.request

    def post(messages, **more):
        body = json.dumps({"model": "catena", "messages": messages, "stream": False, **more}).encode()
        headers = {"Authorization": "Bearer " + KEY, "Content-Type": "application/json", "X-OpenWebUI-Chat-Id": "chat-of-the-test"}
        with urllib.request.urlopen(urllib.request.Request(BASE + "/chat/completions", body, headers), timeout=60) as answer:
            return answer.read().decode()

    def text(messages, **more):
        return json.loads(post(messages, **more))["choices"][0]["message"]["content"]

    user = [{"role": "user", "content": QUESTIONS[0]}]
    first = text(user)
    second = text(user + [{"role": "assistant", "content": first}, {"role": "user", "content": QUESTIONS[1]}])
    lines = post(user, stream=True, stream_options={"include_usage": True}).splitlines()
    chunks = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
    streamed = "".join(c["delta"].get("content") or "" for chunk in chunks for c in chunk["choices"])
    wanted = {"type": "json_schema", "json_schema": {"name": "cities", "schema": SCHEMA}}
    form = json.loads(text([{"role": "user", "content": "show all rows of cities"}], response_format=wanted))
    return first, second, streamed, form, text([{"role": "user", "content": TASK}], max_tokens=1000)


first, second, streamed, form, task = globals()["by_" + sys.argv[1]]()
print(json.dumps({
    "first": "3" in first, "second": "Lima" in second, "streamed": "3" in streamed,
    "form": sorted(row["city"] + " " + str(row["people"]) for row in form["rows"]), "task": json.loads(task),
}))
