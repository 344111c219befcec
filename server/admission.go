package server

import (
	"net"

	"catena/internal/access"
)

// Admission says whose requests are taken: what of a Server's Options may change while it serves. The zero value takes
// those that are addressed to the loopback interface, from the server's own pages, without counting them.
type Admission struct {
	Hosts   []string       // as Options.Hosts
	Origins []string       // as Options.Origins
	Limiter access.Limiter // as Options.Limiter
}

// admission is an Admission as it is looked up. It does not change once it is made.
type admission struct {
	hosts, origins map[string]bool
	limiter        access.Limiter
}

// Admit has the requests that come from now on be admitted by a. It is safe for concurrent use.
func (s *Core) Admit(a Admission) {
	next := &admission{hosts: map[string]bool{}, origins: map[string]bool{}, limiter: a.Limiter}
	for _, h := range a.Hosts {
		next.hosts[hostName(h)] = true
	}
	for _, o := range a.Origins {
		next.origins[o] = true
	}
	s.admission.Store(next)
}

func (s *Core) knownHost(host string) bool {
	name := hostName(host)
	return Loopback(host) || s.opt.Addresses && net.ParseIP(name) != nil || s.admission.Load().hosts[name]
}

// allowedOrigin reports whether the settings name an origin.
func (s *Core) allowedOrigin(origin string) bool { return s.admission.Load().origins[origin] }
