"""A client of Catena over MCP: calls five tools and prints what it got of them, typed as the client types it, as one JSON object.

    python mcpclient.py mcp|fastmcp|pydantic_ai|langchain_mcp|openai_agents URL

KEY is the API key. The file of the cities has three rows.
"""
import asyncio
import json
import os
import sys

os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"
URL = sys.argv[2] + "/mcp"
HEADERS = {"Authorization": "Bearer " + os.environ["KEY"]}
CALLS = {
    "list_tables": {},
    "describe_table": {"table": "cities"},
    "query_table": {"table": "cities", "order_by": [{"column": "people", "desc": True}], "limit": 1},
    "format_table_for_llm": {"data": "cities", "output_format": "bullets"},
    "chat": {"message": "how many rows are in cities?"},
}


def seen(results):
    """What of the results shows that they are typed: numbers are numbers, rows are rows, texts are texts."""
    tables = results["list_tables"]
    rows = results["query_table"]["rows"]
    return {
        "tables": [row[0] for row in tables["rows"]],
        "described": "cities" in json.dumps(results["describe_table"]),
        "rows": rows,
        "number": type(rows[0][1]).__name__,
        "formatted": "Lima" in results["format_table_for_llm"]["result"],
        "chat": "rows of all cities**: 3" in str(results["chat"]),  # pydantic-ai gives the texts of what links to a table
    }


async def by_mcp():
    import httpx
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    http = httpx.AsyncClient(headers=HEADERS, timeout=60)
    async with http, streamable_http_client(URL, http_client=http) as streams, ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        return {name: (await session.call_tool(name, args)).structured_content for name, args in CALLS.items()}


async def by_fastmcp():
    from fastmcp import Client
    from fastmcp.client.transports import StreamableHttpTransport
    import dataclasses

    async with Client(StreamableHttpTransport(URL, headers=HEADERS)) as client:
        out = {}
        for name, args in CALLS.items():
            result = await client.call_tool(name, args)
            assert result.data is not None, name
            data = result.data
            out[name] = dataclasses.asdict(data) if dataclasses.is_dataclass(data) else data
        return out


async def by_pydantic_ai():
    from pydantic_ai.mcp import MCPToolset

    async with MCPToolset(URL, headers=HEADERS) as server:
        out = {}
        for name, args in CALLS.items():
            out[name] = await server.direct_call_tool(name, args)
        return out


async def by_langchain_mcp():
    from langchain_mcp_adapters.client import MultiServerMCPClient

    client = MultiServerMCPClient({"catena": {"transport": "streamable_http", "url": URL, "headers": HEADERS}})
    tools = {tool.name: tool for tool in await client.get_tools()}
    out = {}
    for name, args in CALLS.items():
        message = await tools[name].ainvoke({"type": "tool_call", "id": "1", "name": name, "args": args})
        out[name] = message.artifact["structured_content"]
    return out


async def by_openai_agents():
    from agents.mcp import MCPServerStreamableHttp

    async with MCPServerStreamableHttp(params={"url": URL, "headers": HEADERS}, client_session_timeout_seconds=60) as server:
        out = {}
        for name, args in CALLS.items():
            out[name] = (await server.call_tool(name, args)).structuredContent
        return out


print(json.dumps(seen(asyncio.run(globals()["by_" + sys.argv[1]]()))))
