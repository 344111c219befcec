package tools

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"catena/internal/access"
)

// Phase is where a configured server stands.
type Phase string

// The phases. Tools of a server that is ready or idle can be called; the others are told as missing.
const (
	PhaseStarting      Phase = "starting"      // for the first time
	PhaseReady         Phase = "ready"         // it answers
	PhaseIdle          Phase = "idle"          // it is started by the next call
	PhaseRestarting    Phase = "restarting"    // it went, and is tried again soon
	PhaseResting       Phase = "resting"       // it failed again and again, and is left alone for a while
	PhaseNeedsLogin    Phase = "needs_login"   // it wants somebody to sign in; Detail names the command
	PhaseMisconfigured Phase = "misconfigured" // it is not tried: see Detail
)

// ServerStatus is what is known of a configured server.
type ServerStatus struct {
	Name      string    `json:"name"`
	Phase     Phase     `json:"state"`
	Detail    string    `json:"detail,omitempty"` // why its tools cannot be used, a sentence without secrets
	Transport string    `json:"transport"`        // stdio, http, sse
	Since     time.Time `json:"since"`            // of the phase
	Tools     int       `json:"tools"`            // that are offered
	Prompts   int       `json:"prompts,omitempty"`
	Resources int       `json:"resources,omitempty"`
	Restarts  int       `json:"restarts,omitempty"` // since the program started
	// Quarantined are tools, under the names that they would have here, whose definition is not the approved one.
	Quarantined []string `json:"quarantined,omitempty"`
	// Off says that an administrator has switched the server off for everybody.
	Off bool `json:"off,omitempty"`
	// Notes say what a person should know: tools that were left out and why, names that others have too. A sentence each.
	Notes []string `json:"notes,omitempty"`
}

// Usable reports whether the server's tools can be called.
func (s ServerStatus) Usable() bool { return s.Phase == PhaseReady || s.Phase == PhaseIdle }

// SetServer notes where a configured server stands.
func (r *Registry) SetServer(s ServerStatus) {
	r.downMu.Lock()
	defer r.downMu.Unlock()
	name := s.Name
	r.servers[name] = hiddenData(r, s)
}

// DropServer forgets a server that is no longer configured, with all that it offered.
func (r *Registry) DropServer(name string) {
	r.Remove(name)
	r.downMu.Lock()
	defer r.downMu.Unlock()
	delete(r.servers, name)
}

// Servers gives the configured servers, by name.
func (r *Registry) Servers() []ServerStatus {
	r.downMu.RLock()
	defer r.downMu.RUnlock()
	return slices.SortedFunc(maps.Values(r.servers), func(a, b ServerStatus) int { return cmp.Compare(a.Name, b.Name) })
}

// Down names the configured servers whose tools cannot be used now, with the reason.
func (r *Registry) Down() map[string]string {
	r.downMu.RLock()
	defer r.downMu.RUnlock()
	down := map[string]string{}
	for name, s := range r.servers {
		if !s.Usable() {
			down[name] = s.Detail
		}
	}
	return down
}

// Quarantined names the tools of servers that wait for a person's review and are not offered meanwhile, sorted.
func (r *Registry) Quarantined() []string {
	r.downMu.RLock()
	defer r.downMu.RUnlock()
	var held []string
	for _, s := range r.servers {
		held = append(held, s.Quarantined...)
	}
	slices.Sort(held)
	return held
}

// quarantined reports whether a name is that of a tool that waits for review.
func (r *Registry) quarantined(name string) bool { return slices.Contains(r.Quarantined(), name) }

// DownFor is Down as one caller may know it: who may use nothing of a server gets its phase in place of the reason,
// which may name programs, paths and addresses.
func (r *Registry) DownFor(c access.Caller) map[string]string {
	down := map[string]string{}
	for _, s := range r.ServersFor(c) {
		if !s.Usable() {
			down[s.Name] = s.Detail
		}
	}
	return down
}

// ServersFor is Servers as one caller may know it: of a server of which the caller may use nothing it gives the name
// and where that stands.
func (r *Registry) ServersFor(c access.Caller) []ServerStatus {
	all := r.Servers()
	for i, s := range all {
		all[i].Off = slices.Contains(r.off.Load().Toolsets, s.Name)
		if r.uses(c, s.Name) {
			continue
		}
		all[i] = ServerStatus{Name: s.Name, Phase: s.Phase, Transport: s.Transport, Since: s.Since, Off: all[i].Off}
		if !s.Usable() {
			all[i].Detail = string(s.Phase)
		}
	}
	return all
}

// uses reports whether a caller may use something of a server. One that is down may never have said what it has.
func (r *Registry) uses(c access.Caller, server string) bool {
	if r.opt.Policy.Allow(c, reading(server, "")) == nil || r.opt.Policy.Allow(c, access.Target{Toolset: server}) == nil {
		return true
	}
	for _, e := range r.snap.Load().sorted {
		if e.Toolset == server && r.opt.Policy.Allow(c, e.target()) == nil {
			return true
		}
	}
	return false
}
