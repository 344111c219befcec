package upstream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/tools"
)

// The newer era has no requests of a server in the middle of a call. Servers whose tools make such all the same say so
// in the result, and speak the older era too: it is spoken with them from then on. FastMCP 4 does, and what is built on
// Python's mcp 2.

// errOlderEra is why a life ends whose server is to be spoken to in the older era.
var errOlderEra = errors.New("its questions need an older version of the protocol")

// drainTime is how long other calls may go on before the connection is made anew.
const drainTime = 30 * time.Second

// lacksQuestions reports whether a call failed because the newer era lacks a question, whether or not somebody is there
// to answer it: a tool that hears that nobody is has its own way on. No error code says so: what shows it is that the
// failure names what the protocol calls by these names, the request that was not possible, or it and the version that
// is spoken.
func (s *server) lacksQuestions(res tools.Result) bool {
	const most = 4096 // a reason is short
	if !res.IsError || s.Protocol != "" || len(res.Text) > most {
		return false
	}
	kind, _, _ := strings.Cut(methodElicit, "/")
	return strings.Contains(res.Text, methodElicit) || strings.Contains(res.Text, kind) &&
		slices.ContainsFunc(modernVersions, func(version string) bool { return strings.Contains(res.Text, version) })
}

// inOlderEra has the server spoken to in the older era, and makes a call there that failed in the newer one, where it
// may be made again.
func (s *server) inOlderEra(
	ctx context.Context, t remoteTool, call tools.Call, meta map[string]any, failed tools.Result,
) (tools.Result, error) {
	if !s.turnOlder() {
		return failed, nil
	}
	if isSet(t.Annotations.ReadOnlyHint) || isSet(t.Annotations.IdempotentHint) {
		return s.call(ctx, t, call, meta)
	}
	return tools.Failed(tools.CodeUnavailable,
		fmt.Sprintf("The server %s has a question to a person, which it cannot ask in the version of the protocol "+
			"that was spoken with it. "+
			"From now on %s is spoken with it, so call the tool again; look first whether it has done anything.",
			s.Name, legacyVersions[0])), nil
}

// turnOlder takes back the connection of the newer era; the next call waits for one of the older. It reports false
// where that was tried before.
func (s *server) turnOlder() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.noOlder:
		return false
	case s.olderEra:
		return s.conn == nil || !s.conn.proto.modern
	}
	s.olderEra, s.conn = true, nil
	s.status.Phase, s.status.Detail = tools.PhaseStarting, errOlderEra.Error()
	signal(s.era)
	return true
}

// spoken is the configuration with the version of the protocol that is spoken.
func (s *server) spoken() Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.Config
	if s.olderEra {
		c.Protocol = legacyVersions[0]
	}
	return c
}

// knowsOlder notes whether the server could be spoken to in the older era: one that does not know it keeps the newer.
func (s *server) knowsOlder(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.olderEra && err != nil && otherEra(err) {
		s.olderEra, s.noOlder = false, true
	}
}

// drained waits until no call is under way on a connection that is to end, for a bounded time.
func (s *server) drained(ctx context.Context, c *conn) error {
	ctx, cancel := context.WithTimeout(ctx, drainTime)
	defer cancel()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		s.mu.Lock()
		busy := s.calls > 0
		s.mu.Unlock()
		if !busy {
			return errOlderEra
		}
		select {
		case <-look.C:
		case <-c.gone:
			return errOlderEra
		case <-ctx.Done():
			return errOlderEra
		}
	}
}
