package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
)

// TestAddressesThatNobodyAllowed: a server's answers lead to no address of another origin unless its owner allowed it, whichever
// document names it.
func TestAddressesThatNobodyAllowed(t *testing.T) {
	for name, c := range map[string]struct {
		header string // resource_metadata
		change func(w *world, other string)
	}{
		"resource_metadata":     {header: "/latest/meta-data"},
		"authorization_servers": {change: func(w *world, other string) { w.prm["authorization_servers"] = []string{other} }},
		"token_endpoint":        {change: func(w *world, other string) { w.as["token_endpoint"] = other + "/token" }},
		"registration_endpoint": {change: func(w *world, other string) { w.as["registration_endpoint"] = other + "/register" }},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			other := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
				asked.Add(1)
				http.NotFound(rw, nil)
			}))
			defer other.Close()
			for allowed, want := range map[bool]int64{false: 0, true: 1} {
				w := newWorld(t)
				if c.change != nil {
					c.change(w, other.URL)
				}
				header := http.Header{"Www-Authenticate": {w.challenge()}}
				if c.header != "" {
					header = http.Header{"Www-Authenticate": {`Bearer resource_metadata="` + other.URL + c.header + `"`}}
				}
				cfg := Config{Resource: w.URL + "/mcp"}
				if allowed {
					cfg.Allowed = []string{other.URL}
					if c.header != "" {
						cfg.Allowed = []string{other.URL[:strings.LastIndexByte(other.URL, ':')] + ":*"}
					}
				}
				asked.Store(0)
				err := New(cfg, nil, w).Refused(t.Context(), http.StatusUnauthorized, header, "")
				var refused *AddressError
				if errors.As(err, &refused) == allowed || asked.Load() < want || !allowed && asked.Load() > 0 {
					t.Errorf("allowed %v: %v after %d requests", allowed, err, asked.Load())
				}
				if !allowed && !strings.Contains(err.Error(), "allowed_origins") {
					t.Errorf("it does not say what to do: %v", err)
				}
			}
		})
	}
}

// TestRenewalGoesWhereItWasAllowed: a token endpoint that was kept before is not asked when it is allowed no more.
func TestRenewalGoesWhereItWasAllowed(t *testing.T) {
	w := newWorld(t)
	c := New(Config{Resource: w.URL + "/mcp"}, nil, w)
	c.have = grant{Token: "https://elsewhere.example/token", Refresh: "r", Issuer: "https://elsewhere.example", ClientID: "x"}
	var refused *AddressError
	if err := c.refresh(t.Context()); !errors.As(err, &refused) {
		t.Error(err)
	}
}

// TestPrivateNetworks: an allowed name that stands for an address of a private network is connected to only where the server is in one.
func TestPrivateNetworks(t *testing.T) {
	asked := httptest.NewServer(http.NotFoundHandler())
	defer asked.Close()
	address := strings.Replace(asked.URL, "127.0.0.1", "localhost", 1)
	for at, want := range map[string]bool{"192.0.2.1": true, "10.0.0.1": false, "127.0.0.1": false, "169.254.1.1": false} {
		c := New(Config{Resource: "https://mcp.example.com/mcp", Allowed: []string{address}}, nil, nil)
		c.lookup = func(context.Context, string) ([]netip.Addr, error) { return []netip.Addr{netip.MustParseAddr(at)}, nil }
		var refused *AddressError
		if err := c.get(t.Context(), address+"/x", new(any)); errors.As(err, &refused) != want {
			t.Errorf("a server at %s: %v", at, err)
		}
	}
}

func TestOrigins(t *testing.T) {
	for a, b := range map[string]string{"https://A.example/x": "https://a.example:443", "http://[::1]/": "http://[::1]:80"} {
		x, errX := originOf(a)
		y, errY := originOf(b)
		if x != y || errX != nil || errY != nil {
			t.Errorf("%s and %s: %s, %s", a, b, x, y)
		}
	}
	for _, bad := range []string{"", "a", "https://u:p@a.example", "//"} {
		if got, err := originOf(bad); err == nil {
			t.Errorf("%q: %s", bad, got)
		}
	}
}
