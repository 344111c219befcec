package code

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"catena/tools"
	"catena/tools/code/workspace"
)

// Codes of errors as MCP clients of a repository index know them. Result.Code is the same in lower case. Those of a *PathError
// stand beside it.
const (
	CodeIndexNotFound   = "INDEX_NOT_FOUND" // an unknown index id, or a folder that was never indexed
	CodeIndexNotReady   = "INDEX_NOT_READY" // the first index is being made, or its making was stopped or failed
	CodeIndexFailed     = "INDEX_FAILED"
	CodeFileUnknown     = "FILE_NOT_INDEXED"
	CodeAmbiguous       = "PATH_AMBIGUOUS" // several files or folders are called so
	CodeRevisionUnknown = "REVISION_NOT_FOUND"
	CodeBadArgument     = "INVALID_ARGUMENT"
	CodeTooLarge        = "TOO_LARGE"
	CodeCancelled       = "CANCELLED"
	CodeUnavailable     = "UNAVAILABLE" // the program is being stopped
)

// shape is the form of an error that the clients of a family of tools read.
type shape int

const (
	indexErrors shape = iota // {"error", "code", "hint"}
	codeErrors               // {"error", "tool", "code", "hint"}
)

// fault is a failure that the asker can mend.
type fault struct {
	code, text, hint string
	info             object // the state of the index, where that is why
	nearest          []string
}

// Error says what is wrong and what to do.
func (f *fault) Error() string { return sentence(f.text) + " " + sentence(f.hint) }

// sentence begins with a capital and ends with a full stop, unless what it begins with is a name.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	if s[0] >= 'a' && s[0] <= 'z' {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if strings.ContainsAny(s[len(s)-1:], ".!?") {
		return s
	}
	return s + "."
}

// failure makes a result of an error that the asker can mend. Any other error is returned: the tool broke, or the call was
// stopped.
func failure(err error, tool string, form shape) (tools.Result, error) {
	f := faultOf(err)
	if f == nil {
		return tools.Result{}, fmt.Errorf("%s: %w", tool, err)
	}
	res := tools.Failed(strings.ToLower(f.code), forPeople(f.Error()))
	out := object{"error": sentence(f.text), "code": f.code, "hint": sentence(f.hint)}
	if form == codeErrors {
		out["tool"] = tool
	}
	if f.info != nil {
		out["indexInfo"] = f.info
	}
	if len(f.nearest) > 0 {
		out["nearest"] = f.nearest
	}
	res.Structured = out
	return res, nil
}

// faultOf finds what the asker can mend in an error, nil when it is nothing of that kind.
func faultOf(err error) *fault {
	var f *fault
	var path *workspace.PathError
	var arg *tools.ArgumentError
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &path):
		return &fault{code: path.Code, text: path.Error(), hint: path.Hint()}
	case errors.As(err, &arg):
		return &fault{code: CodeBadArgument, text: arg.Argument + ": " + arg.Reason, hint: "Give another " + arg.Argument}
	case errors.Is(err, workspace.ErrNotFound):
		return &fault{code: CodeIndexNotFound, text: "there is no index with this id", hint: indexHint}
	case errors.Is(err, workspace.ErrNoIndex):
		return &fault{code: CodeIndexNotFound, text: "nothing has been indexed yet", hint: indexHint, info: object{"state": workspace.NeverIndexed}}
	case errors.Is(err, workspace.ErrBundleTooLarge):
		return &fault{code: CodeTooLarge, text: err.Error(), hint: "Index a smaller folder, or search this one instead"}
	case errors.Is(err, workspace.ErrElsewhere):
		return &fault{code: CodeUnavailable, text: "another process makes this index, so it cannot be stopped here", hint: "Stop it where it was started, or wait until it is done"}
	case errors.Is(err, workspace.ErrClosed):
		return &fault{code: CodeUnavailable, text: "the indexes are closed because the program is being stopped", hint: "Try again when it has been started anew"}
	case errors.Is(err, workspace.ErrCancelled) && !errors.Is(err, context.Canceled):
		return &fault{code: CodeCancelled, text: "indexing was stopped before it had finished, and nothing was kept of it", hint: "Call ensure_repo_index again to start anew"}
	}
	return nil
}

// indexHint says how to get an index.
const indexHint = `Call ensure_repo_index with {"path": "<folder>"} ("." is the first folder that may be indexed); its answer has the index_id`

// Hints name the tool that mends a failure, for programs. People index by asking or on the command line.
var (
	callsTool = regexp.MustCompile(`(?i)\bcall ensure_repo_index(?: with (?:\{[^}]*\}|the folder's path))?(?: \("\." is [^)]*\))?(?:; its answer has the index_id)?`)
	statusURI = regexp.MustCompile(`; mimir://status/\S+ says how far it is`)
	logURI    = regexp.MustCompile(`mimir://logs/\S+ says`)
)

// forPeople says a hint for those who know no tools and addresses.
func forPeople(hint string) string {
	hint = logURI.ReplaceAllString(statusURI.ReplaceAllString(hint, ""), "the log says")
	return callsTool.ReplaceAllString(hint, "index it first: ask “index this repository”, or run `catena index`")
}
