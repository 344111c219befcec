package declared

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"catena/internal/reach"
)

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
	may := func(ip netip.Addr) bool {
		inside := func(p netip.Prefix) bool { return p.Contains(ip) }
		return reach.Of(ip) == reach.Public || slices.ContainsFunc(allowed, inside)
	}
	refused := func(address string) error { return &forbiddenError{address} }
	return &net.Dialer{Timeout: patience, KeepAlive: keepAlive, Control: reach.Control(may, refused)}
}
