// Command catena answers questions about tables by planning, checking and running chains of MCP tool calls.
//
// Without a command it serves HTTP on 127.0.0.1:8765. See catena --help.
package main

import (
	_ "embed"
	"os"

	"catena/internal/cli"
)

// defaults are the settings where nothing else is said, as YAML.
//
//go:embed config.yaml
var defaults []byte

func main() { os.Exit(cli.Main(defaults, os.Args[1:])) }
