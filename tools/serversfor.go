package tools

import "catena/internal/access"

// DownFor is Down as one caller may know it: who may use nothing of a server gets its phase in place of the reason, which may name
// programs, paths and addresses.
func (r *Registry) DownFor(c access.Caller) map[string]string {
	down := map[string]string{}
	for _, s := range r.ServersFor(c) {
		if !s.Usable() {
			down[s.Name] = s.Detail
		}
	}
	return down
}

// ServersFor is Servers as one caller may know it: of a server of which the caller may use nothing it gives the name and where that stands.
func (r *Registry) ServersFor(c access.Caller) []ServerStatus {
	all := r.Servers()
	for i, s := range all {
		if r.uses(c, s.Name) {
			continue
		}
		all[i] = ServerStatus{Name: s.Name, Phase: s.Phase, Transport: s.Transport, Since: s.Since}
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
