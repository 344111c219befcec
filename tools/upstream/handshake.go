package upstream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"time"
)

// The versions of the protocol that are spoken, each era newest first. The newer has no handshake and no sessions: each
// request says what it needs.
var (
	modernVersions = []string{"2026-07-28"}
	legacyVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
)

// JSON-RPC's codes, and those that MCP adds from 2026-07-28 on.
const (
	codeMethodNotFound     = -32601
	codeInternal           = -32603
	codeUnsupportedVersion = -32022
)

// metaCapabilities is the key in _meta under which each request of the newer era says what its client can do.
const metaCapabilities = "io.modelcontextprotocol/clientCapabilities"

// noticeTime is how long a notice may take that nobody waits for.
const noticeTime = 5 * time.Second

// protocol is what was agreed with a server.
type protocol struct {
	version string // "" before the handshake
	modern  bool   // requests carry _meta; there is no session
	can     map[string]any
}

var clientInfo = map[string]any{"name": "catena", "version": "1"}

// meta is the _meta of a request, beside what it has already.
func (p protocol) meta(own any) map[string]any {
	meta := map[string]any{}
	if had, ok := own.(map[string]any); ok {
		maps.Copy(meta, had)
	}
	meta["io.modelcontextprotocol/protocolVersion"] = p.version
	meta["io.modelcontextprotocol/clientInfo"] = clientInfo
	if _, own := meta[metaCapabilities]; !own { // a call whose asker answers questions says more
		meta[metaCapabilities] = p.can
	}
	return meta
}

// shakeHands agrees on a protocol. Over HTTP the newer era is tried first, as it wants; over stdio the older one, which
// every server of both eras knows too, because there are programs that say nothing to what they do not know.
func (c *conn) shakeHands(ctx context.Context, only string, newerFirst bool) error {
	can := map[string]any{}
	if c.asked != nil {
		can = c.asked.capabilities()
	}
	older := func() error { return c.initialize(ctx, can, only) }
	newer := func() error {
		can := maps.Clone(can)
		delete(can, "elicitation") // there each call says whether somebody can be asked
		return c.discover(ctx, can)
	}
	switch {
	case slices.Contains(legacyVersions, only):
		return older()
	case only != "":
		return newer()
	}
	first, second := older, newer
	if newerFirst {
		first, second = newer, older
	}
	err := first()
	if err == nil || ctx.Err() != nil || !otherEra(err) {
		return err
	}
	if again := second(); again != nil {
		if otherEra(again) {
			return err // neither is known: the first says more
		}
		return again
	}
	return nil
}

// notOfEra are refusals that have to do with who asks and how often, not with the protocol's version.
var notOfEra = []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}

// otherEra reports whether a refusal may mean that the server knows the other era only.
func otherEra(err error) bool {
	var refused *protocolError
	var status *httpError
	switch {
	case errors.As(err, &refused):
		return true
	case errors.As(err, &status):
		return status.Status/100 == 4 && !slices.Contains(notOfEra, status.Status)
	}
	return errors.Is(err, errNoAnswer) || errors.Is(err, errNotDiscovered)
}

// discover is the beginning of the newer era: the server says which versions it has.
func (c *conn) discover(ctx context.Context, can map[string]any) error {
	c.proto = protocol{version: modernVersions[0], modern: true, can: can}
	raw, err := c.exchange(ctx, outgoing{id: c.ids.Add(1), method: "server/discover"})
	var refused *protocolError
	if errors.As(err, &refused) && refused.code == codeUnsupportedVersion {
		var data struct{ Supported []string }
		_ = json.Unmarshal(refused.data, &data) // without it there is nothing in common
		i := slices.IndexFunc(modernVersions, func(v string) bool { return slices.Contains(data.Supported, v) })
		if i >= 0 {
			c.proto.version = modernVersions[i]
			raw, err = c.exchange(ctx, outgoing{id: c.ids.Add(1), method: "server/discover"})
		}
	}
	if err == nil {
		err = c.discovered(raw)
	}
	if err != nil {
		c.proto = protocol{}
		return fmt.Errorf("server/discover: %w", err)
	}
	c.wire.shaken()
	c.heard.begin(c, listens(raw))
	return nil
}

// discovered takes in the answer to server/discover. Servers of the older era that answer whatever they are asked do
// not name versions.
func (c *conn) discovered(raw json.RawMessage) error {
	var res struct {
		Versions []string `json:"supportedVersions"`
	}
	if err := json.Unmarshal(raw, &res); err != nil || !slices.Contains(res.Versions, c.proto.version) {
		return errNotDiscovered
	}
	return c.known(raw)
}

var errNotDiscovered = errors.New("the answer does not name a version of the protocol that is known here")

// listens are the changes that a server of the newer era says it tells, as subscriptions/listen names them.
func listens(raw json.RawMessage) map[string]any {
	type lists struct {
		ListChanged bool `json:"listChanged"`
	}
	var res struct {
		Capabilities struct{ Tools, Prompts, Resources lists }
	}
	_ = json.Unmarshal(raw, &res) // it was read before
	out := map[string]any{}
	for key, on := range map[string]lists{"toolsListChanged": res.Capabilities.Tools, "promptsListChanged": res.Capabilities.Prompts, "resourcesListChanged": res.Capabilities.Resources} {
		if on.ListChanged {
			out[key] = true
		}
	}
	return out
}

// known takes in what the server says of itself.
func (c *conn) known(raw json.RawMessage) error {
	type info struct {
		Name string `json:"name"`
	}
	var res struct {
		Capabilities capabilities `json:"capabilities"`
		ServerInfo   info         `json:"serverInfo"`
		Meta         struct {     // has it in the newer era
			ServerInfo info `json:"io.modelcontextprotocol/serverInfo"`
		} `json:"_meta"`
	}
	if err := json.Unmarshal(raw, &res); err != nil {
		return fmt.Errorf("the answer is not MCP's: %w", err)
	}
	c.serverName, c.offers = cut(cmp.Or(res.ServerInfo.Name, res.Meta.ServerInfo.Name), nameSize), res.Capabilities
	return nil
}

// initialize is the handshake of the older era.
func (c *conn) initialize(ctx context.Context, can map[string]any, version string) error {
	if version == "" {
		version = legacyVersions[0]
	}
	c.proto = protocol{can: can}
	raw, err := c.exchange(ctx, outgoing{id: c.ids.Add(1), method: "initialize", params: map[string]any{
		"protocolVersion": version, "capabilities": can, "clientInfo": clientInfo,
	}})
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	var res struct {
		Version string `json:"protocolVersion"`
	}
	if err = json.Unmarshal(raw, &res); err == nil {
		err = c.known(raw)
	}
	switch {
	case err != nil:
		return fmt.Errorf("initialize: the answer is not MCP's: %w", err)
	case !slices.Contains(legacyVersions, res.Version):
		return fmt.Errorf("initialize: it speaks the protocol of %q, which is not known here", cut(res.Version, 40))
	}
	c.proto.version = res.Version
	if err := c.notify(ctx, "notifications/initialized", nil); err != nil {
		return fmt.Errorf("notifications/initialized: %w", err)
	}
	c.wire.shaken()
	return nil
}

// party is our side of a connection.
type party struct {
	auth    Authorizer       // gives tokens; nil sends none
	asked   asker            // answers the server's questions; nil refuses them
	updated func(uri string) // hears that a resource has changed
}

// ofOlderServers is how servers of before Streamable HTTP answer its first request.
var ofOlderServers = []int{http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed}

// dial connects to a server and shakes hands.
func dial(ctx context.Context, cfg Config, log *slog.Logger, own party) (*conn, error) {
	c, err := dialBy(ctx, cfg, cfg.transport(), log, own)
	var status *httpError
	untold := cfg.Type == "" && cfg.URL != ""
	if untold && errors.As(err, &status) && slices.Contains(ofOlderServers, status.Status) {
		// A server of before Streamable HTTP, perhaps.
		old, oerr := dialBy(ctx, cfg, SSE, log, own)
		if oerr == nil {
			return old, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err() // it took the connection and said nothing
		}
	}
	return c, err
}

func dialBy(ctx context.Context, cfg Config, by Transport, log *slog.Logger, own party) (*conn, error) {
	c := newConn(log, own.asked, own.updated)
	c.secrets, c.hidden = cfg.hiding(), newHidden(cfg.words())
	switch by {
	case HTTP:
		c.wire, c.streams = newHTTPWire(c, cfg, own.auth), true
	case SSE:
		c.wire = newSSEWire(c, cfg, own.auth)
	default:
		c.wire = &process{c: c, cfg: cfg, grace: writeGrace}
	}
	err := c.wire.start(ctx)
	if err == nil {
		only := cfg.Protocol
		if by == SSE && only == "" {
			only = legacyVersions[0] // nothing newer has this transport
		}
		err = c.shakeHands(ctx, only, by == HTTP)
	}
	if err != nil {
		c.close(err)
		return nil, err
	}
	return c, nil
}
