package tools

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// percentEncoded writes all of a URI after its scheme but unreserved characters (RFC 3986), slashes and what is encoded already
// with percent signs.
func percentEncoded(uri string) string {
	scheme, rest, ok := strings.Cut(uri, "://")
	if !ok {
		return uri
	}
	var b strings.Builder
	b.WriteString(scheme + "://")
	for i := range len(rest) {
		c := rest[i]
		encoded := false
		if c == '%' && i+2 < len(rest) {
			_, err := hex.DecodeString(rest[i+1 : i+3])
			encoded = err == nil
		}
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
		if letter || encoded || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
