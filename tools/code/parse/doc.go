// Package parse reads source files: their declarations, imports, references, complexity and the chunks that a search finds. Go is read by go/ast,
// everything else by rules over tokens, lines and brackets. It knows no index and reads no files.
//
// # Complexity
//
// Cyclomatic complexity (McCabe, A Complexity Measure, 1976) is 1 and one for each of these:
//
//   - Go, as gocyclo: if, for, each case that is no default, && and ||
//   - Python: if, elif, for, while, except, conditional expressions, and, or, the for and if of comprehensions, each case but _
//   - JavaScript, TypeScript: if, loops, each case, catch, ?:, &&, || and ??
//   - Java: if, loops, each case label, catch, ?:, && and ||
//   - Rust: if, loops, each arm of a match but _, the operator ?, && and ||
//
// Cognitive complexity (Campbell, Cognitive Complexity, 2018) counts one for each if, loop, switch, catch and conditional expression
// and one more for each level that it is nested in; one for each else and else if, each sequence of the same logical operator, each
// jump to a label, and one for a function that calls itself. Bodies of conditions, loops, switches, catches and of functions within
// functions nest. Go is counted as gocognit.Complexity counts a single function: recursion over several functions is not seen.
// A function within another one counts into the outer one, and has its own measures where it has a name.
//
// Halstead's measures (Elements of Software Science, 1977) are of the body: identifiers and literals are operands; keywords,
// operators, commas, dots and opening brackets are operators. Closing brackets, comments and line ends do not count.
//
// Where File.Parser says lexical all of these are approximate: they go by words and operators, and nesting by the braces or the
// indentation that follow a word such as if.
//
// # References
//
// A reference is what is called, what is taken out of something (fields, methods, names of packages), and types; other plain names
// where the file imports them or declares them at its top. Locals, keywords and builtins are left out: by scopes in Go; elsewhere a
// local that shares its name with an import or a declaration of the file counts as that. The lexical rules take capitalised names
// for types.
package parse
