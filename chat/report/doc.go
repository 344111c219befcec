// Package report writes a chat as one HTML document that needs nothing else: no script, no request, no file beside it.
// Every text is escaped; what a table or a model says is shown and never acts.
package report
