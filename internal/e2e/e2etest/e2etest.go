// Package e2etest holds what tests of the program share, in whichever package they stand.
package e2etest

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
)

// root is the folder of the module. It is found before a test can change the working directory.
var root = moduleRoot()

// moduleRoot is the nearest folder with a go.mod, from the working directory up; "" where there is none, so that what is read there fails.
func moduleRoot() string {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// Path is the absolute path of a file of the module, which is named from its root with slashes.
func Path(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }

// Testdata is the absolute path of what the tests of the program read, named from that folder with slashes.
func Testdata(name string) string { return Path("internal/e2e/testdata/" + name) }

// Settings are the settings that are built into the program. It panics where the module's config.yaml cannot be read.
func Settings() []byte {
	text, err := os.ReadFile(Path("config.yaml"))
	if err != nil {
		panic(err)
	}
	return text
}

// Modern is the metadata of an MCP request of the protocol of 2026-07-28, a member of its params.
const Modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}`

// LogBuffer takes what a program writes while a test reads it. Its zero value is empty and ready; it is safe for concurrent use.
type LogBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer and does not fail.
func (l *LogBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String is all that was written so far.
func (l *LogBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
