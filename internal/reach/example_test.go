package reach_test

import (
	"fmt"
	"net/netip"

	"catena/internal/reach"
)

func Example() {
	for _, text := range []string{"8.8.8.8", "192.168.1.1", "169.254.169.254"} {
		fmt.Println(text, reach.Of(netip.MustParseAddr(text)) == reach.Public)
	}
	// Output:
	// 8.8.8.8 true
	// 192.168.1.1 false
	// 169.254.169.254 false
}
