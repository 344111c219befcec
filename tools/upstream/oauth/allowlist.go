package oauth

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"catena/internal/reach"
)

// AddressError says that an answer named an address that the server's owner has not allowed. Nothing was sent there.
// Use errors.As.
type AddressError struct {
	Address string // the origin of what was named
	Reason  string
}

// Error says what to do.
func (e *AddressError) Error() string {
	return fmt.Sprintf("it names %s, %s", e.Address, e.Reason)
}

const (
	reasonOrigin = "which is another place than the server and is not allowed: nothing is sent there. If it is " +
		"right, add it to oauth.allowed_origins of the server"
	reasonNetwork = "which is an address of this machine or a private network, and the server is not there: nothing " +
		"is sent there"
)

// permit refuses an address that neither is of the server's own origin nor is allowed by its owner. Whatever an answer
// names goes by here: what describes the server, who gives tokens, and where.
func (c *Client) permit(address string) error {
	if err := secure(address); err != nil {
		return err
	}
	at, err := originOf(address)
	if err != nil {
		return err
	}
	if own, err := originOf(c.cfg.Resource); err == nil && at == own {
		return nil
	}
	for _, allowed := range c.cfg.Allowed {
		if allows(allowed, at) {
			return nil
		}
	}
	return &AddressError{Address: at, Reason: reasonOrigin}
}

// anyPort ends an origin that is allowed whatever its port is. Servers on this machine that tests start have a port by
// chance.
const anyPort = ":*"

// allows reports whether an origin that the owner allows is that of an address.
func allows(allowed, at string) bool {
	if host, whole := strings.CutSuffix(allowed, anyPort); whole {
		at = at[:strings.LastIndexByte(at, ':')]
		return strings.EqualFold(host, at)
	}
	origin, err := originOf(allowed)
	return err == nil && at == origin
}

// originOf is scheme, host and port of an address, in lower case, with the usual port.
func originOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return "", fmt.Errorf("%q is no address", address)
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return strings.ToLower(u.Scheme) + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port), nil
}

// lookup finds the addresses of a name. Tests replace it.
type lookup func(ctx context.Context, host string) ([]netip.Addr, error)

func resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip}, nil
	}
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// transport connects to no address of a private network, unless the server itself is in one. The address is looked at
// when the connection is made, whatever a name stood for before. Proxies that the environment names are the operator's
// and connect as always.
func (c *Client) transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // it is one
	plain := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		if !c.foreign(host) {
			return plain.DialContext(ctx, network, address)
		}
		most, err := c.ownReach(ctx)
		if err != nil {
			return nil, err
		}
		guarded := *plain
		guarded.Control = reach.Control(
			func(ip netip.Addr) bool { return reach.Of(ip) <= most },
			func(string) error { return &AddressError{Address: host, Reason: reasonNetwork} },
		)
		return guarded.DialContext(ctx, network, address)
	}
	return t
}

// foreign reports whether a host is one of those that are allowed beside the server's own.
func (c *Client) foreign(host string) bool {
	if own, err := url.Parse(c.cfg.Resource); err == nil && strings.EqualFold(own.Hostname(), host) {
		return false
	}
	for _, allowed := range c.cfg.Allowed {
		if u, err := url.Parse(strings.TrimSuffix(allowed, anyPort)); err == nil &&
			strings.EqualFold(u.Hostname(), host) {
			return true
		}
	}
	return false
}

// ownReach is how far into private networks the server's own address lies.
func (c *Client) ownReach(ctx context.Context) (most reach.Reach, err error) {
	own, err := url.Parse(c.cfg.Resource)
	if err != nil {
		return reach.Public, err
	}
	ips, err := c.lookup(ctx, own.Hostname())
	if err != nil {
		return reach.Public, err
	}
	for _, ip := range ips {
		most = max(most, reach.Of(ip))
	}
	return most, nil
}
