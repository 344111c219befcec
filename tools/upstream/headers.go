package upstream

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// mirror is an argument that is repeated in a header, as the schema asks with x-mcp-header (from 2026-07-28 on).
type mirror struct {
	path   []string
	header string
}

// mirrorsOf reads the annotations of a schema. The protocol forbids what gives an error; such a tool is not used.
func mirrorsOf(schema json.RawMessage) ([]mirror, error) {
	var out []mirror
	seen := map[string]bool{}
	var walk func(schema json.RawMessage, path []string, depth int) error
	walk = func(schema json.RawMessage, path []string, depth int) error {
		var s struct {
			Type       json.RawMessage            `json:"type"`
			Header     json.RawMessage            `json:"x-mcp-header"`
			Properties map[string]json.RawMessage `json:"properties"`
		}
		if !bytes.HasPrefix(bytes.TrimSpace(schema), []byte("{")) || depth > maxMirrorDepth {
			return nil // true, false
		}
		if err := json.Unmarshal(schema, &s); err != nil {
			return err
		}
		if s.Header != nil {
			var name string
			if err := json.Unmarshal(s.Header, &name); err != nil {
				return errors.New("x-mcp-header is no text")
			}
			key := strings.ToLower(name)
			switch {
			case len(path) == 0 || !slices.Contains([]string{`"string"`, `"integer"`, `"boolean"`}, string(s.Type)):
				return fmt.Errorf("x-mcp-header %q stands at what is neither a string, an integer nor a boolean",
					cut(name, 40))
			case !isToken(name):
				return fmt.Errorf("x-mcp-header %q is no name of a header", cut(name, 40))
			case seen[key]:
				return fmt.Errorf("x-mcp-header %q stands twice", cut(name, 40))
			}
			seen[key] = true
			out = append(out, mirror{path: slices.Clone(path), header: "Mcp-Param-" + name})
		}
		for _, key := range slices.Sorted(maps.Keys(s.Properties)) {
			if err := walk(s.Properties[key], append(path, key), depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	err := walk(schema, nil, 0)
	return out, err
}

// maxMirrorDepth is how deep in a schema annotations are looked for.
const maxMirrorDepth = 16

// isToken reports whether a text may be a part of a header's name (RFC 9110, section 5.6.2).
func isToken(s string) bool {
	return s != "" && len(s) <= 100 && strings.IndexFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') &&
			!strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	}) < 0
}

// learnHeaders notes the annotations of a page of tools, and leaves out those tools that the protocol forbids to use.
// It is for Streamable HTTP in the newer era alone. What former lists had is forgotten with the first page.
func (c *conn) learnHeaders(raw json.RawMessage, first bool) (json.RawMessage, error) {
	if !c.proto.modern || !c.streams {
		return raw, nil
	}
	list, next, err := readPage(raw, "tools")
	if err != nil {
		return raw, nil
	}
	good := make([]json.RawMessage, 0, len(list))
	c.mu.Lock()
	defer c.mu.Unlock()
	if first || c.mirrored == nil {
		c.mirrored = map[string][]mirror{}
	}
	for _, one := range list {
		var t struct {
			Name        string          `json:"name"`
			InputSchema json.RawMessage `json:"inputSchema"`
		}
		if json.Unmarshal(one, &t) != nil || len(t.InputSchema) > maxDefinition || len(t.Name) > maxKey {
			good = append(good, one) // who asked finds the fault
			continue
		}
		headers, err := mirrorsOf(t.InputSchema)
		if err != nil {
			c.log.Warn("an upstream tool is left out", "tool", cut(t.Name, nameSize), "error", err.Error())
			continue
		}
		c.mirrored[t.Name] = headers
		good = append(good, one)
	}
	if len(good) == len(list) {
		return raw, nil
	}
	return json.Marshal(map[string]any{"tools": good, "nextCursor": next})
}

// mirrors sets the headers that repeat arguments of a call.
func (c *conn) mirrors(m outgoing, h http.Header) {
	if m.method != "tools/call" {
		return
	}
	c.mu.Lock()
	list := c.mirrored[m.name]
	c.mu.Unlock()
	for _, one := range list {
		v := m.params["arguments"]
		for _, key := range one.path {
			fields, _ := v.(map[string]any)
			v = fields[key]
		}
		var text string
		switch v := v.(type) {
		case string:
			text = v
		case bool:
			text = strconv.FormatBool(v)
		case json.Number:
			text = v.String()
		case float64:
			text = strconv.FormatFloat(v, 'f', -1, 64)
		case int, int64:
			text = fmt.Sprint(v)
		default:
			continue // nothing, or null
		}
		h.Set(one.header, headerText(text))
	}
}

// headerText is a text as a header carries it: what is not visible ASCII, with blanks inside only, goes as base64.
func headerText(s string) string {
	plain := strings.TrimSpace(s) == s && !(strings.HasPrefix(s, "=?base64?") && strings.HasSuffix(s, "?="))
	for i := 0; plain && i < len(s); i++ {
		plain = s[i] >= ' ' && s[i] <= '~'
	}
	if plain {
		return s
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
}
