package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"catena/table"
	"catena/tools"
)

// offered is what a server has in the registry.
type offered struct {
	prompts, resources string // as they were listed
	known              bool   // its tools were listed, or are kept from an earlier time
	tools              []remoteTool
	notes              []string // of the list of tools
	others             []string // of prompts and resources
	waiting            bool     // tools wait for review
}

// refresh asks for lists and offers what is in them. Prompts and resources that cannot be listed are no reason to go
// without tools.
func (s *server) refresh(ctx context.Context, c *conn, which lists) error {
	ctx, work := table.WithWork(ctx, nil) // of what the lists take while they are read
	defer work.End()
	if which.tools {
		list, skipped, err := c.listTools(ctx)
		if err == nil {
			err = s.offerTools(ctx, list, skipped)
		}
		if err != nil {
			return err
		}
	}
	s.offer.others = nil
	if which.prompts {
		s.leftOut(ctx, "prompts", s.offerPrompts(ctx, c))
	}
	if which.resources {
		s.leftOut(ctx, "resources", s.offerResources(ctx, c))
	}
	notes := slices.Concat(s.offer.notes, s.offer.others)
	s.amend(func(st *tools.ServerStatus) { st.Notes = notes })
	return ctx.Err()
}

// leftOut tells what of a list could not be offered.
func (s *server) leftOut(ctx context.Context, what string, err error) {
	if err == nil || ctx.Err() != nil {
		return
	}
	s.log.WarnContext(ctx, "what an upstream server has was left out", "what", what, "error", err.Error())
	s.offer.others = append(s.offer.others,
		fmt.Sprintf("Some %s were left out, or not whole: %s.", what, cut(oneLine(err), 3000)))
}

// oneLine is an error that may have several lines, as a part of a sentence.
func oneLine(err error) string {
	return strings.ReplaceAll(strings.TrimSuffix(err.Error(), "."), "\n", "; ")
}

// offerTools puts those tools in the registry that the configuration lets through and that are as they were approved.
func (s *server) offerTools(ctx context.Context, list []remoteTool, skipped error) error {
	var notes []string
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if skipped != nil {
		note("Some tools were left out, or not whole: %s.", cut(oneLine(skipped), 3000))
	}
	seen := map[string]bool{}
	var twins changes
	list = slices.DeleteFunc(list, func(t remoteTool) bool {
		if seen[t.Name] {
			twins.add("%q", cut(t.Name, nameSize))
		}
		twice := seen[t.Name]
		seen[t.Name] = true
		return twice || !s.exports(t)
	})
	if err := twins.err(); err != nil {
		note("It lists two tools of one name, and the second is left out: %s.", err)
	}
	admitted, err := s.host.pins.admit(ctx, s.Name, list)
	if err != nil {
		return err
	}
	good, held := admitted.good, admitted.held
	if n := admitted.surplus; n > 0 {
		s.log.WarnContext(ctx, "upstream tools were left out: the server has named too many", "left_out", n,
			"most", maxPins)
		note("%d tools were left out: it has named more than %d in the last 90 days, and new ones cannot be "+
			"approved. See what it does; under another name in mcpServers it begins anew.", n, maxPins)
	}
	if !s.offer.known || !slices.EqualFunc(good, s.offer.tools, func(a, b remoteTool) bool { return string(a.raw) == string(b.raw) }) {
		if err := s.export(good); err != nil {
			s.log.WarnContext(ctx, "upstream tools were left out", "error", err.Error())
			note("Some tools were left out: %s.", cut(oneLine(err), 3000))
		}
	}
	s.offer.known, s.offer.tools, s.offer.waiting = true, good, len(held) > 0
	for i := range held {
		held[i] = exportName(s.Name, held[i])
	}
	if len(held) > 0 {
		s.log.WarnContext(ctx,
			"upstream tools are quarantined: their definition is not the approved one; see catena tools review",
			"tools", held)
	}
	s.offer.notes = append(notes, s.shadows(good)...)
	s.amend(func(st *tools.ServerStatus) { st.Tools, st.Quarantined = len(good), held })
	return nil
}

func (s *server) export(list []remoteTool) error {
	out := make([]tools.Tool, len(list))
	for i, t := range list {
		out[i] = s.tool(t)
	}
	return s.host.registry.Replace(s.Name, out...)
}

// offerKnown offers what is kept from an earlier time, for a server that is not started yet, and reports whether there
// is anything.
func (s *server) offerKnown(ctx context.Context) bool {
	if s.offer.known {
		return true
	}
	kept, err := s.host.pins.of(ctx, s.Name)
	if err != nil {
		s.log.WarnContext(ctx, "an upstream server is started to learn its tools", "error", err.Error())
		return false
	}
	var list []remoteTool
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		var t remoteTool
		x := kept[name]
		if x.Gone || x.Pending != nil || json.Unmarshal(x.Approved, &t) != nil || !s.exports(t) {
			continue
		}
		if _, _, _, err := bounded(t.raw); err == nil { // it may be from before there were bounds
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		return false
	}
	if err := s.export(list); err != nil {
		s.log.WarnContext(ctx, "upstream tools were left out", "error", err.Error())
	}
	s.offer.known, s.offer.tools = true, list
	s.amend(func(st *tools.ServerStatus) { st.Tools = len(list) })
	return true
}

// inherit takes over from a server of the same name that was configured otherwise and has ended. Its tools stay there,
// as far as this one lets them through, and calls of them wait until it has started.
func (s *server) inherit(old *server) {
	s.wanted = old.wanted // who has subscribed to a resource has not heard of any of this
	list := slices.DeleteFunc(slices.Clone(old.offer.tools), func(t remoteTool) bool {
		return s.Problem != "" || !s.exports(t)
	})
	if err := errors.Join(s.export(list), s.host.registry.ReplacePrompts(s.Name), s.host.registry.ReplaceResources(s.Name)); err != nil {
		s.log.Warn("upstream tools were left out", "error", err.Error())
	}
	s.offer.known, s.offer.tools = len(list) > 0, list
	s.status.Tools = len(list)
}

// shadows tells which tools have a name that a tool of ours, or of another server, has too: a model may take one for
// the other.
func (s *server) shadows(list []remoteTool) (notes []string) {
	const most = 20
	tell := func(tool, whose string) {
		if len(notes) < most {
			notes = append(notes, fmt.Sprintf("Its %s has the name of a tool of %s; here it is %s.", tool, whose,
				exportName(s.Name, tool)))
		}
	}
	own := map[string]bool{}
	for _, t := range list {
		own[t.Name] = true
		if other, ok := s.host.registry.Lookup(t.Name); ok && other.Toolset != s.Name {
			tell(t.Name, other.Toolset)
		}
	}
	for other, names := range s.host.taken.swap(s.Name, own) {
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if own[name] {
				tell(name, "the server "+other)
			}
		}
	}
	slices.Sort(notes)
	return notes
}

// taken are the names of each server's tools.
type taken struct {
	mu sync.Mutex
	by map[string]map[string]bool
}

// swap sets the names of a server and gives those of the others, which nobody may change.
func (t *taken) swap(server string, names map[string]bool) map[string]map[string]bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by == nil {
		t.by = map[string]map[string]bool{}
	}
	others := maps.Clone(t.by)
	delete(others, server)
	t.by[server] = names
	return others
}

// uriBase stands before the URIs of servers' resources here: two servers may have resources of one URI.
const uriBase = "mcp://"

// ourURI is what a resource of the server is called here.
func (s *server) ourURI(uri string) string {
	if own, ok := strings.CutPrefix(uri, uiBase); ok { // hosts of MCP Apps take views of this scheme only
		return uiBase + s.Name + "/" + own
	}
	return uriBase + s.Name + "/" + uri
}

// uiBase begins the URIs of views of MCP Apps, here as at their servers.
const uiBase = "ui://"

// theirURI is what the server calls it.
func (s *server) theirURI(uri string) (string, error) {
	if own, ok := strings.CutPrefix(uri, uiBase+s.Name+"/"); ok {
		return uiBase + own, nil
	}
	own, ok := strings.CutPrefix(uri, uriBase+s.Name+"/")
	if !ok {
		return "", errors.New("upstream: this URI is not of the server " + s.Name)
	}
	return own, nil
}
