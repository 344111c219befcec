// Package code holds the tools over repositories: indexing a folder or a revision, searching it, asking it, and what
// depends on what and how complex it is. Its rooms: workspace keeps the indexes, scan lists and reads files, parse
// takes them apart, index searches them, redact takes secrets out of what is shown.
package code
