package mcp

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync/atomic"
)

// standIn begins the texts that stand for ids which mcp-go, who reads numbers as float64, would answer as others:
// 9007199254740993 as ...992, 1.0 as 1. The id itself follows, as the client wrote it.
const standIn = "catena-id:"

// exact is what mcp-go gets to see of an id, and whether that is another: a number that it would change, and a text
// that looks like a stand-in, go as one.
func exact(id json.RawMessage) (json.RawMessage, bool) {
	switch {
	case len(id) == 0:
		return id, false
	case id[0] == '"':
		if !bytes.HasPrefix(id, []byte(`"`+standIn)) {
			return id, false
		}
	case id[0] != '-' && (id[0] < '0' || id[0] > '9'):
		return id, false
	default:
		var n float64
		if json.Unmarshal(id, &n) == nil {
			if same, err := json.Marshal(n); err == nil && bytes.Equal(same, id) {
				return id, false
			}
		}
	}
	out, err := json.Marshal(standIn + string(id))
	return out, err == nil
}

// original is the id that a stand-in stands for, and whether it is one.
func original(id json.RawMessage) (json.RawMessage, bool) {
	var text string
	if !bytes.HasPrefix(id, []byte(`"`+standIn)) || json.Unmarshal(id, &text) != nil {
		return id, false
	}
	raw := strings.TrimPrefix(text, standIn)
	return json.RawMessage(raw), json.Valid([]byte(raw))
}

// exactIDs keep the ids of a line's requests as its client wrote them. The zero value is ready.
type exactIDs struct {
	odd atomic.Bool // a message had a stand-in
}

// exact gives a client's message as mcp-go gets it, with stand-ins for its id and the id that it cancels where they
// need one.
func (i *exactIDs) exact(message []byte, id, cancels json.RawMessage) []byte {
	_, own := exact(id)
	_, other := exact(cancels)
	if !own && !other {
		return message
	}
	i.odd.Store(true)
	out, _ := mapIDs(message, exact)
	return out
}

// original gives what a client gets of a message to it, which may have its framing.
func (i *exactIDs) original(b []byte) []byte {
	if !i.odd.Load() {
		return b
	}
	return originalIDs(b)
}

// originalIDs gives a message to a client, with its framing, with the ids that stand-ins stand for.
func originalIDs(b []byte) []byte {
	from, to := bytes.IndexByte(b, '{'), bytes.LastIndexByte(b, '}')
	if from < 0 || to < from || !bytes.Contains(b, []byte(standIn)) {
		return b
	}
	message, changed := mapIDs(b[from:to+1], original)
	if !changed {
		return b
	}
	return bytes.Join([][]byte{b[:from], message, b[to+1:]}, nil)
}

// mapIDs changes the ids of a message by f, where they stand: its own, the one that it cancels, and that of the
// subscription it belongs to. What is not as the protocol has it stays as it is.
func mapIDs(message []byte, f func(json.RawMessage) (json.RawMessage, bool)) (out []byte, changed bool) {
	for _, path := range [][]string{
		{"id"}, {"params", "requestId"},
		{"params", "_meta", "io.modelcontextprotocol/subscriptionId"},
		{"result", "_meta", "io.modelcontextprotocol/subscriptionId"},
	} {
		if next, ok := mapAt(message, path, f); ok {
			message, changed = next, true
		}
	}
	return message, changed
}

// mapAt changes one value within objects. All else stays, to the byte of each value.
func mapAt(object []byte, path []string, f func(json.RawMessage) (json.RawMessage, bool)) ([]byte, bool) {
	if len(path) == 0 {
		return f(object)
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(object, &fields) != nil {
		return object, false
	}
	value, ok := fields[path[0]]
	if !ok {
		return object, false
	}
	if fields[path[0]], ok = mapAt(value, path[1:], f); !ok {
		return object, false
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(fields) != nil {
		return object, false
	}
	return bytes.TrimSpace(out.Bytes()), true
}
