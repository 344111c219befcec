// Package declared makes tools of what the operator's settings declare: a SELECT over a database, or a request over
// HTTP, with typed parameters. What is wrong with a declaration is found before the tool is offered; values are bound
// to statements and escaped in addresses, never put into a text that somebody reads as code.
package declared
