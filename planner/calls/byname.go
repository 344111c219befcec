package calls

import (
	"context"
	"slices"
	"strings"

	"catena/planner/plan"
)

// Planner plans messages.
type Planner interface {
	Plan(ctx context.Context, req plan.Request) (plan.Response, error)
}

// ByName returns a planner for messages that say the name of another server's tool in plain words, as "list the boats
// in the harbour" says harbour__list_boats. The tool only reads, its name and what its description begins with, or
// values that fill its arguments, are all that the message says, and no table is called what it is about. Where several
// tools are meant as well the message is asked back. All other messages are next's.
//
// It is safe for concurrent use when next is.
func ByName(next Planner) Planner { return byName{next} }

type byName struct{ next Planner }

// longestByName is how many words a message may have that says nothing but the name of a tool.
const longestByName = 16

// named is a tool with what a message gives it.
type named struct {
	tool   plan.Tool
	call   Call
	server bool // the message names its server
	verb   bool // the message has the very words of its name, the verb too
}

// Plan reads the message, or asks next.
func (p byName) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	words := plan.FoldWords(req.Message)
	if len(words) == 0 || len(words) > longestByName {
		return p.next.Plan(ctx, req)
	}
	found := foundByName(words, req)
	if len(found) == 0 {
		return p.next.Plan(ctx, req)
	}
	if len(found) > 1 {
		var names []string
		for _, n := range found {
			names = append(names, n.tool.Name)
		}
		question := "Several tools do that: which do you mean, " + strings.Join(names, ", ") + "?"
		return plan.Response{By: "offline", Plan: plan.Plan{Clarify: question, Confidence: 0.5}}, nil
	}
	n := found[0]
	own := plan.Plan{
		Title:      strings.Join(strings.Fields(req.Message), " "),
		Steps:      []plan.Step{{ID: "s1", Tool: n.tool.Name, Args: n.call.Args}},
		Answer:     []any{plan.Ref{Step: "s1"}},
		Confidence: 0.9,
	}
	return plan.Response{Plan: own, By: "offline"}, nil
}

// foundByName are the tools that the words of a message name, the most exact ones alone.
func foundByName(words []string, req plan.Request) []named {
	said := map[string]bool{}
	for _, w := range words {
		said[stem(w)] = true
	}
	var found []named
	for _, t := range req.Tools {
		if n, ok := namedBy(t, words, said, req); ok {
			found = append(found, n)
		}
	}
	for _, better := range []func(named) bool{
		func(n named) bool { return n.server },
		func(n named) bool { return n.verb },
	} {
		if slices.ContainsFunc(found, better) {
			found = slices.DeleteFunc(found, func(n named) bool { return !better(n) })
		}
	}
	return found
}

// namedBy reports whether the words of a message name a tool, and what they give it.
func namedBy(t plan.Tool, words []string, said map[string]bool, req plan.Request) (named, bool) {
	server, short, ofServer := strings.Cut(t.Name, plan.ServerSeparator)
	if !ofServer || !t.ReadOnly || server != t.Toolset {
		return named{}, false
	}
	n := named{tool: t, verb: true}
	explained, about := map[string]bool{}, []string{}
	for _, w := range plan.NameWords(strings.NewReplacer(".", " ", "/", " ").Replace(short)) {
		w, asks := stem(w), asking[w]
		explained[w] = true
		if n.verb = n.verb && said[w]; !asks {
			about = append(about, w)
		}
	}
	about = withoutHash(about, short)
	if len(about) == 0 || slices.ContainsFunc(about, func(w string) bool { return !said[w] }) {
		return named{}, false
	}
	for _, w := range plan.NameWords(server) {
		explained[stem(w)] = true
		n.server = n.server || said[stem(w)]
	}
	if called(about, n.verb, req.Tables) {
		return named{}, false
	}
	return n, n.filled(words, explained, req)
}

// withoutHash are the words of a listed name without the hash that it ends in where its server's own name has other
// characters.
func withoutHash(about []string, short string) []string {
	const length = 8
	at := strings.LastIndexByte(short, '_')
	if len(about) < 2 || at < 0 || len(short)-at-1 != length || strings.Trim(short[at+1:], "0123456789abcdef") != "" {
		return about
	}
	return slices.DeleteFunc(about, func(w string) bool { return w == stem(short[at+1:]) })
}

// called reports whether a table is called what a tool is about, or has a column that is, where the message may mean it
// as well.
func called(about []string, exact bool, tables []plan.TableInfo) bool {
	is := func(name string) bool {
		var stems []string
		for _, w := range plan.NameWords(name) {
			stems = append(stems, stem(w))
		}
		return slices.Equal(stems, about)
	}
	return slices.ContainsFunc(tables, func(t plan.TableInfo) bool {
		return is(t.Name) ||
			!exact && slices.ContainsFunc(t.Columns, func(c plan.ColumnInfo) bool { return is(c.Name) || is(c.Label) })
	})
}

// filled reads the arguments of a tool, and reports whether they and what explains the message leave no word of it.
func (n *named) filled(words []string, explained map[string]bool, req plan.Request) bool {
	got := NewSet([]plan.Tool{n.tool}).Read(req.Message, req.Now)
	if got.Missing != "" || len(got.Calls) > 1 || len(got.Unused) > 0 {
		return false
	}
	n.call = Call{Tool: n.tool.Name, Args: map[string]any{}}
	if len(got.Calls) == 1 {
		n.call = got.Calls[0]
	}
	taken := map[string]bool{}
	for _, why := range n.call.Why {
		for _, w := range plan.FoldWords(why.From) {
			taken[w] = true
		}
	}
	rest := content(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return taken[w] }))
	for _, text := range []string{n.tool.Title, n.tool.Description} {
		if begins := content(plan.FoldWords(text)); len(begins) >= len(rest) && slices.Equal(begins[:len(rest)], rest) {
			return true
		}
	}
	return !slices.ContainsFunc(rest, func(w string) bool { return !explained[w] })
}

// content are the stems of the words that say something.
func content(words []string) (out []string) {
	for _, w := range words {
		if !fillers[w] && !asking[w] {
			out = append(out, stem(w))
		}
	}
	return out
}

var (
	// fillers are words that restrict nothing.
	fillers = wordsOf("fillers")
	// asking are the verbs that ask for what there is, in messages and in names.
	asking = wordsOf("asking")
)
