// Package e2e drives the whole program, as a process of its own, as its users do: by scripts (testdata/script), clients of MCP and of
// OpenAI's protocol, a browser, and real servers beside it. It holds tests alone; what they share with tests elsewhere is package e2etest.
//
//	go test ./internal/e2e -run TestScripts/crash
package e2e
