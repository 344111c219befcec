// Package reach says how far into private networks an address lies, and keeps connections from going there. What an
// answer, a redirect or a name leads to must not be this machine's, or its network's, where nobody said so.
package reach

import (
	"net/netip"
	"syscall"
)

// Reach is how far into private networks an address lies. A greater one lies deeper.
type Reach int

// The reaches.
const (
	// Public is the internet.
	Public Reach = iota
	// Special are the other networks of IANA's registries of special-purpose addresses. Those of IPv6 that hold an
	// address of IPv4 are among them: what they hold may be any.
	Special
	// Private is this machine, RFC 1918, RFC 4193, RFC 6598.
	Private
	// LinkLocal is where clouds tell machines their secrets (RFC 3927), and what is no address of one machine.
	LinkLocal
)

var shared = netip.MustParsePrefix("100.64.0.0/10") // RFC 6598

var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("::/96"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2001::/23"),
	netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("fec0::/10"),
}

// Of classifies an address, one of IPv4 within IPv6 as what it is, and whatever its zone. The zero Addr is LinkLocal.
func Of(ip netip.Addr) Reach {
	ip = Plain(ip)
	nowhere := !ip.IsValid() || ip.IsUnspecified()
	switch {
	case nowhere || ip.IsMulticast() || ip.IsLinkLocalUnicast():
		return LinkLocal
	case ip.IsLoopback() || ip.IsPrivate() || shared.Contains(ip):
		return Private
	}
	for _, p := range special {
		if p.Contains(ip) {
			return Special
		}
	}
	return Public
}

// Plain is an address without a zone, and one of IPv4 where it is one within IPv6: as networks contain it.
func Plain(ip netip.Addr) netip.Addr { return ip.Unmap().WithZone("") }

// Control is for a net.Dialer of that name: a connection is made where may, which is given Plain addresses, allows it;
// else refused makes the error. The address is looked at when the connection is made, whatever a name stood for before.
func Control(
	may func(ip netip.Addr) bool, refused func(ip string) error,
) func(network, address string, _ syscall.RawConn) error {
	return func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return refused(address)
		}
		if ip := Plain(to.Addr()); !may(ip) {
			return refused(ip.String())
		}
		return nil
	}
}
