// Package access says who asks and what they may do. Identity is a parameter below the transport: every tool call, handle, session
// and run takes a Caller, so that it cannot be forgotten, and a Policy decides at the chokepoint what a caller may see and call.
// Callers come from API keys (Keys) and from signed tokens (Tokens); their Rights from scopes and roles.
package access

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Caller is who asks. The zero Caller is nobody, owns nothing and may do nothing; transports make one from what they have checked.
type Caller struct {
	ID     string    // the owner of what the caller makes: sessions, runs, tables. "local" on a loopback listener without keys
	Tenant string    // the group whose data are apart from others'; part of ID already; "" is none
	Roles  []string  // for policies and the audit; may be empty
	Via    string    // http, mcp, stdio, cli: for the audit
	Until  time.Time // when the token that was shown ends; zero is never, or a key, whose end Keys know
	Key    string    // the id of the API key that was shown; "" is none. Never the key itself
	Rights *Rights   // what Granted goes by; nil is nothing
}

// Local is the caller of a process that serves one person: the command line, stdio, a loopback listener without keys. It may do
// everything.
func Local(via string) Caller { return Caller{ID: "local", Via: via, Rights: everything} }

// May reports whether the caller has a right that belongs to no tool: Chat, Edit, Tables, Upload, ByTarget, Metrics, Admin or Manage. Nobody has
// one of another name.
func (c Caller) May(right string) bool {
	return c.ID != "" && (right == ByTarget || c.Rights.has(right))
}

// ErrForbidden is wrapped by every refusal of a Policy.
var ErrForbidden = errors.New("not permitted")

// Target is what a caller wants to see, call or read: a tool, a prompt, a resource or a live table.
type Target struct {
	Toolset string
	Name    string
	// ReadOnly says that it changes nothing. What does not say so is taken to change things.
	ReadOnly bool
}

// Scope names the least right that covers the target, for who asks for a key with it; it is fit for a WWW-Authenticate field. Where the name
// cannot stand in a scope it is that of the whole toolset, or of all.
func (t Target) Scope() string {
	verb := "write:"
	if t.ReadOnly {
		verb = "read:"
	}
	switch {
	case t.Toolset == chatTool.Toolset && t.Name == chatTool.Name:
		return Chat
	case plainScope(t.Toolset) && plainScope(t.Name):
		return verb + t.Toolset + ":" + t.Name
	case plainScope(t.Toolset) && areas[t.Toolset].toolset == "": // which would mean the area
		return verb + t.Toolset
	}
	return verb + "*"
}

// plainScope reports whether a name means only itself in a scope, and may stand in a token (RFC 6749, 3.3).
func plainScope(name string) bool {
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c > '~' || strings.IndexByte("\"\\*?[,:", c) >= 0 {
			return false
		}
	}
	return name != ""
}

// Policy decides which tools, prompts, resources and live tables a caller may see and call. It is asked at the chokepoint, and for
// lists, so that what may not be called is not seen. Implementations are safe for concurrent use and quick: a list asks for each entry.
type Policy interface {
	// Allow returns nil, or an error that wraps ErrForbidden and says why.
	Allow(c Caller, what Target) error
}

// AllowAll permits everything to every caller with an ID.
type AllowAll struct{}

// Allow implements Policy.
func (AllowAll) Allow(c Caller, _ Target) error {
	if c.ID == "" {
		return ErrForbidden
	}
	return nil
}

// Granted permits what the caller's Rights have. It is the program's policy.
type Granted struct{}

// Allow implements Policy.
func (Granted) Allow(c Caller, what Target) error {
	if c.ID != "" && c.Rights.allows(what) {
		return nil
	}
	if what.ReadOnly {
		return errMayNotRead
	}
	return errMayNotWrite
}

// Refusals are made once: lists ask about every tool.
var (
	errMayNotRead  = fmt.Errorf("no scope and no role of the caller covers it: %w", ErrForbidden)
	errMayNotWrite = fmt.Errorf("no scope and no role of the caller covers it, or they only allow reading: %w", ErrForbidden)
)
