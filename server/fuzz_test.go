package server

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// No Host but a loopback one passes, however it is written.
func FuzzKnownHost(f *testing.F) {
	for _, s := range []string{"localhost", "127.0.0.1:80", "[::1]:1", "evil.example", "127.0.0.1.evil.example", "localhost.", "[::1", "::1", "0x7f.1", "2130706433", "localhost:80:80"} {
		f.Add(s)
	}
	s := &Server{Core: &Core{}}
	s.Admit(Admission{})
	f.Fuzz(func(t *testing.T, host string) {
		if !s.knownHost(host) {
			return
		}
		u, err := url.Parse("http://" + host + "/")
		if err != nil {
			return // no browser can be led to it
		}
		name := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
		if addr, err := netip.ParseAddr(name); name != "localhost" && (err != nil || !addr.Unmap().IsLoopback()) {
			t.Errorf("%q passed, and is the host %q", host, name)
		}
	})
}

func TestProblemTitles(t *testing.T) {
	if p := NewProblem(http.StatusConflict, "x", "y", ""); p.Title != "Conflict" || p.Error() != "y" {
		t.Errorf("%+v", p)
	}
}
