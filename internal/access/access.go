// Package access says who asks. Identity is a parameter below the transport: every tool call, handle, session and run takes
// a Caller, so that it cannot be forgotten, and a Policy decides what a caller may call.
package access

import "errors"

// Caller is who asks. The zero Caller is nobody and owns nothing; transports make one from what they have checked.
type Caller struct {
	ID    string   // the owner of what the caller makes: sessions, runs, tables. "local" on a loopback listener without keys
	Roles []string // for policies; may be empty
	Via   string   // http, mcp, stdio, cli: for the audit
}

// Local is the caller of a process that serves one person: the command line, stdio, a loopback listener without keys.
func Local(via string) Caller { return Caller{ID: "local", Via: via} }

// ErrForbidden is wrapped by every refusal of a Policy.
var ErrForbidden = errors.New("not permitted")

// Policy decides which tools a caller may see and call. It is asked at the chokepoint, and for lists, so that what may not
// be called is not seen.
type Policy interface {
	// Allow returns nil, or an error that wraps ErrForbidden and says why.
	Allow(c Caller, toolset, tool string) error
}

// AllowAll permits everything to every caller with an ID.
type AllowAll struct{}

// Allow implements Policy.
func (AllowAll) Allow(c Caller, _, _ string) error {
	if c.ID == "" {
		return ErrForbidden
	}
	return nil
}
