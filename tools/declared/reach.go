package declared

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// notPublic are networks that no name of the internet may lead to, beside loopback, private, link-local and multicast
// ones: IANA's registries of special-purpose addresses. Those of IPv6 that hold an address of IPv4 are among them:
// what they hold may be any.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("::/96"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2001::/23"),
	netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("fec0::/10"),
}

// public reports whether an address is one of the internet.
func public(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if !ip.IsValid() || !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return false
	}
	for _, p := range notPublic {
		if p.Contains(ip) {
			return false
		}
	}
	return true
}

// readNetworks reads addresses and networks, as 127.0.0.1 and 10.0.0.0/8.
func readNetworks(list []string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, text := range list {
		p, err := netip.ParsePrefix(text)
		if !strings.Contains(text, "/") {
			var ip netip.Addr
			if ip, err = netip.ParseAddr(text); err == nil {
				p = netip.PrefixFrom(ip, ip.BitLen())
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%q is no address or network; write 127.0.0.1 or 10.1.0.0/16", text)
		}
		out = append(out, p.Masked())
	}
	return out, nil
}

// forbiddenError says that an address is none that a request may go to. Nothing was sent there.
type forbiddenError struct{ address string }

func (e *forbiddenError) Error() string {
	return fmt.Sprintf("its host has the address %s, which is this machine's or a private network's; "+
		"if that is right, add it to http.allow_addresses", e.address)
}

// dialer connects to addresses of the internet and those that are allowed. The address is looked at when the
// connection is made, whatever a name stood for before.
func dialer(allowed []netip.Prefix) *net.Dialer {
	const patience, keepAlive = 10 * time.Second, 30 * time.Second
	return &net.Dialer{Timeout: patience, KeepAlive: keepAlive,
		Control: func(_, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil {
				return &forbiddenError{address}
			}
			ip := to.Addr().Unmap().WithZone("")
			for _, p := range allowed {
				if p.Contains(ip) {
					return nil
				}
			}
			if !public(ip) {
				return &forbiddenError{ip.String()}
			}
			return nil
		}}
}
