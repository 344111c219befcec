package reach_test

import (
	"errors"
	"net/netip"
	"testing"

	"catena/internal/reach"
)

func TestOf(t *testing.T) {
	for want, list := range map[reach.Reach][]string{
		reach.Public: {"8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "172.32.0.1", "100.128.0.1", "192.0.1.1"},
		reach.Private: {"127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "fd00::1",
			"100.64.0.1", "100.127.255.254"},
		reach.Special: {"0.1.2.3", "192.0.0.192", "198.18.0.1", "203.0.113.9", "240.0.0.1",
			"255.255.255.255", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2001:db8::1", "::7f00:1", "fec0::1"},
		reach.LinkLocal: {"169.254.169.254", "::ffff:169.254.169.254", "fe80::1", "fe80::1%eth0", "0.0.0.0", "::",
			"224.0.0.1", "ff02::1"},
	} {
		for _, text := range list {
			if got := reach.Of(netip.MustParseAddr(text)); got != want {
				t.Errorf("%s: %d, want %d", text, got, want)
			}
		}
	}
	if got := reach.Of(netip.Addr{}); got != reach.LinkLocal {
		t.Errorf("no address: %d", got)
	}
}

func TestControl(t *testing.T) {
	control := reach.Control(
		func(ip netip.Addr) bool { return reach.Of(ip) == reach.Public },
		func(ip string) error { return errors.New(ip) },
	)
	for address, want := range map[string]string{
		"8.8.8.8:443": "", "[2606:4700::1111]:443": "", "127.0.0.1:80": "127.0.0.1", "[::ffff:10.0.0.1]:80": "10.0.0.1",
		"[fe80::1%eth0]:80": "fe80::1", "somewhere:80": "somewhere:80",
	} {
		got := ""
		if err := control("tcp", address, nil); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
