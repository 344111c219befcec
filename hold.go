//go:build hold

package main

import (
	_ "github.com/fsnotify/fsnotify"
	_ "github.com/fzipp/gocyclo"
	_ "github.com/go-git/go-git/v5"
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	_ "github.com/oklog/ulid/v2"
	_ "github.com/tree-sitter/go-tree-sitter"
	_ "github.com/tree-sitter/tree-sitter-java/bindings/go"
	_ "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	_ "github.com/tree-sitter/tree-sitter-python/bindings/go"
	_ "github.com/tree-sitter/tree-sitter-rust/bindings/go"
	_ "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
	_ "github.com/uudashr/gocognit"
)
