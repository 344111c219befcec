package tools

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// literal is what every URI of a template begins with, in whatever form: its beginning up to the first variable, or the first character
// that can be written with a percent sign too.
func literal(template string) string {
	for i := range len(template) {
		if c := template[i]; c != ':' && !plain(c) {
			return template[:i]
		}
	}
	return template
}

// plain reports whether a character of a URI stands for itself: it is unreserved, or a slash.
func plain(c byte) bool {
	letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
	return letter || strings.IndexByte("-._~/", c) >= 0
}

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
		if encoded || plain(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
