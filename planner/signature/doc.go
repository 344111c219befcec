// Package signature writes the JSON Schema of a tool's arguments as one line, as programs declare functions:
//
//	(region?: string, limit?: 1..1000 = 10)
//
// That takes a fifth of the schema's tokens, and models read it as well. It is for reading alone: what may be passed is
// for the schema to decide. The package imports nothing of the program.
package signature
