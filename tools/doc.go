// Package tools holds the tools that plans and MCP clients call: their types, the registry, the one chokepoint that every
// call passes (Registry.Call), and the executor that runs plans. Package tools/handle carries tables between steps.
//
// Toolkits (tools/data, tools/crm, tools/upstream ...) import this package and register with it; it imports none of them.
package tools
