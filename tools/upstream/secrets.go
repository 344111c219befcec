package upstream

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// leastSecret is how long a value must be to be hidden, in bytes: shorter ones, as "1" or "info", are no secrets and
// stand in any text.
const leastSecret = 8

// hiding makes what hides the values that a server is given in its environment or in headers: some repeat them in their
// errors and logs.
func (c Config) hiding() *strings.Replacer {
	var values []string
	for _, given := range []map[string]string{c.Env, c.Headers} {
		for _, name := range slices.Sorted(maps.Keys(given)) {
			value := given[name]
			values = append(values, value)
			if token, ok := credentials(value); ok {
				values = append(values, token)
			}
		}
	}
	var pairs []string
	for _, value := range values {
		if len(value) >= leastSecret {
			pairs = append(pairs, value, "***")
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	return strings.NewReplacer(pairs...)
}

// hush takes what the server was told in secret out of what it says of an error.
func (c *conn) hush(text string) string {
	if c.secrets == nil {
		return text
	}
	return c.secrets.Replace(text)
}

// Limits of an error of the protocol: what is told of it is kept, and stands in lists of servers.
const (
	maxErrorText = 4 << 10  // bytes of its message; the rest is cut
	maxErrorData = 64 << 10 // bytes of its data; more is left out
)

// fault is the protocol's error that a message has.
func (c *conn) fault(m incoming) error {
	data := m.Error.Data
	if len(data) > maxErrorData {
		data = nil
	}
	if c.secrets != nil && len(data) > 0 {
		if hushed := json.RawMessage(c.hush(string(data))); json.Valid(hushed) {
			data = hushed
		} else {
			data = nil
		}
	}
	return &protocolError{m.Error.Code, cut(c.hush(m.Error.Message), maxErrorText), data}
}
