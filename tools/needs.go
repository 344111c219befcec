package tools

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// CodeInputRequired is the code of a call whose tool has a question that nobody is there to answer: a step of a plan, or a call
// over a protocol without questions.
const CodeInputRequired = "input_required"

// Needs is what a tool, or a prompt, has to be told before it can do its work: questions to a person (elicitation), to the model of
// the client (sampling), or for the client's folders (roots), by ids of the tool's own.
//
// A handler that returns Needs has done nothing yet: it is called again from its start, with the answers in Call.Answers and State
// in Call.State. The client keeps State between the two, signed, so that it comes back as it was given, or not at all.
type Needs struct {
	Requests mcp.InputRequests
	State    string
}

// NeedsError is what a resource gives that asks before it is read. Use errors.As.
type NeedsError struct {
	Name  string
	Needs *Needs
}

// Error is for who has nobody to ask.
func (e *NeedsError) Error() string {
	return e.Name + " asks a question before it can be read, and nobody can be asked here. Read it from an MCP client that answers questions."
}

// UnansweredError says that a prompt or a resource asks first what nobody answers here, in words for who wanted it. Use errors.As.
type UnansweredError struct{ Reason string }

// Error is the reason.
func (e *UnansweredError) Error() string { return e.Reason }

// CapabilityError says that a tool has a question of a kind that its client did not declare to answer. Use errors.As.
type CapabilityError struct {
	Tool    string
	Missing mcp.ClientCapabilities
}

// Error names what is missing.
func (e *CapabilityError) Error() string {
	var names []string
	if e.Missing.Elicitation != nil {
		names = append(names, "elicitation")
	}
	if e.Missing.Sampling != nil {
		names = append(names, "sampling")
	}
	if e.Missing.Roots != nil {
		names = append(names, "roots")
	}
	return fmt.Sprintf("%s asks the client a question, so it needs a client that declares: %s", e.Tool, strings.Join(names, ", "))
}

// Answerable reports whether a client can answer what is needed: nil, or a *CapabilityError. have is nil where nobody can be asked.
func (n *Needs) Answerable(tool string, have *mcp.ClientCapabilities) error {
	if have == nil {
		have = &mcp.ClientCapabilities{}
	}
	missing, short := mcp.ClientCapabilities{}, false
	for _, id := range slices.Sorted(maps.Keys(n.Requests)) {
		switch method := n.Requests[id].Method; {
		case method == mcp.MethodElicitationCreate && have.Elicitation == nil:
			missing.Elicitation, short = &mcp.ElicitationCapability{}, true
		case method == mcp.MethodSamplingCreateMessage && have.Sampling == nil:
			missing.Sampling, short = &mcp.SamplingCapability{}, true
		case method == mcp.MethodListRoots && have.Roots == nil:
			missing.Roots, short = &struct {
				ListChanged bool `json:"listChanged,omitempty"`
			}{}, true
		}
	}
	if short {
		return &CapabilityError{Tool: tool, Missing: missing}
	}
	return nil
}

// asking is what becomes of a result with questions: they go to the client, or the call fails.
func (res Result) asking(e *entry, call *Call) (Result, error) {
	if call.Client == nil {
		return Result{IsError: true, NotCalled: true, Code: CodeInputRequired,
			Text: e.Def.Name + " asks a question before it does anything, and nobody can be asked here. Call it from an MCP client that answers questions."}, nil
	}
	if err := res.Needs.Answerable(e.Def.Name, call.Client); err != nil {
		return Result{NotCalled: true}, err
	}
	return Result{Needs: res.Needs, NotCalled: true}, nil
}

// LogEntry is what a running tool tells its client beside its progress. The client sets from which level on it wants to hear.
type LogEntry struct {
	Level  mcp.LoggingLevel
	Logger string
	Data   any // a JSON value
}

// Elicited is what a person answered to the elicitation of an id, nil where there is no answer to it, or none that can be read.
func Elicited(answers mcp.InputResponses, id string) *mcp.ElicitationResult {
	answer, ok := answers[id]
	if !ok || answer.DecodeFor(mcp.MethodElicitationCreate) != nil {
		return nil
	}
	return answer.Elicitation
}
