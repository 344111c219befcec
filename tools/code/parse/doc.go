// Package parse reads source files: their declarations, imports, references, complexity and the chunks that a search finds. Go is read by go/ast,
// Python, JavaScript, TypeScript, Java and Rust by tree-sitter where the program was built with cgo, everything else, and those
// without cgo, by rules over lines and brackets. It knows no index and reads no files.
package parse
