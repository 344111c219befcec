// Package web holds the chat page: hand-written HTML, CSS and ES modules, embedded into the program. There is no build step
// and no third-party script; the page works under a Content-Security-Policy that allows only its own files.
package web

import (
	"embed"
	"io/fs"
)

//go:embed static
var embedded embed.FS

// TableView is a page for hosts of MCP Apps (SEP-1865) that shows the table of a tool's result. It is one file, needs no network, and holds
// no data: the host sends it the result.
//
//go:embed views/table.html
var TableView string

// Policy is the Content-Security-Policy the page is written for: its own scripts, styles and requests, images from itself and
// from data: URLs (charts), nothing inline, no framing.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

// Files returns the page's files: index.html at the root and what it loads beside it. The file system is read-only and safe
// for concurrent use.
func Files() fs.FS {
	files, err := fs.Sub(embedded, "static")
	if err != nil {
		panic(err) // only for a bad path, and the path is the constant above
	}
	return files
}
