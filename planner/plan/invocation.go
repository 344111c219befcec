package plan

import (
	"regexp"
	"slices"
	"strings"
)

// Invocation is a call of a tool that a message writes out: the tool's listed name (or toolset:tool, toolset__tool), and behind
// it the arguments as a program would write them: {"limit": 3}, (limit=3), --limit 3, limit=3.
type Invocation struct {
	Tool     string         // as it is listed; "" where no tool has the name
	Args     map[string]any // by the names that the tool declares; values as JSON has them, references as Ref
	Question string         // what of it cannot be used and what to do, asked back; Args is then not to be used
	Start    int            // where it begins in the message, in bytes
	End      int            // behind its last byte
}

// Invocations is what a message writes out as calls.
type Invocations struct {
	Calls []Invocation // in the order of the message; nil when the message writes out none
	// Rest holds the words outside the calls that mean something, one text for each stretch. A plan of the calls alone would
	// leave them out.
	Rest []string
	// RuledOut are tools that the message does not mean: it names the server of another tool of the same name.
	RuledOut []string

	named []Tool
}

// most bounds what is looked at of one message.
const (
	maxInvocations = 50
	maxNameTries   = 5000
)

// invocationName is what may be the name of a tool.
var invocationName = regexp.MustCompile(`[A-Za-z0-9_][A-Za-z0-9_.:-]*`)

// FindInvocations reads the calls that a message writes out. A name without arguments counts beside a call that has
// some; and that of a tool of another server that needs none counts where the message says nothing else. The time is
// linear in the message. It is safe for concurrent use.
func FindInvocations(message string, tools []Tool) Invocations {
	if len(message) > DefaultLimits.Bytes {
		return Invocations{}
	}
	f := invocationFinder{message: message, tools: indexTools(tools)}
	if strings.Contains(message, "{") {
		f.spelled = foldedNames(tools)
	}
	f.find()
	return f.result()
}

type invocationFinder struct {
	message string
	tools   toolIndex
	spelled map[string][]Tool // by their folded names
	calls   []Invocation
	bare    []bareName
	out     []string // tools that are ruled out
	named   []Tool
}

// bareName is the name of a tool without arguments.
type bareName struct {
	Invocation
	ordered bool // the words before it say to call it
	whole   bool // it may be all that the message says
}

func (f *invocationFinder) find() {
	for at, tries := 0, 0; tries < maxNameTries && len(f.calls) < maxInvocations; tries++ {
		span := invocationName.FindStringIndex(f.message[at:])
		if span == nil {
			return
		}
		start, end := at+span[0], at+span[1]
		end = start + len(strings.TrimRight(f.message[start:end], ".:-"))
		if c, ok := f.callAt(start, end); ok {
			f.calls = append(f.calls, c)
			end = c.End
		}
		at = max(end, at+span[0]+1)
	}
}

// callAt reads the call whose tool is named from start to end.
func (f *invocationFinder) callAt(start, end int) (Invocation, bool) {
	name := f.message[start:end]
	if cut := strings.Index(name, "--"); cut > 0 {
		end = start + cut
		name = name[:cut]
	}
	m := f.mentioned(start, end)
	f.named = append(f.named, m.tools...)
	ordered := orderVerb(f.message[:m.start])
	if len(m.tools) == 0 && (!ordered || !strings.ContainsAny(name, "_:")) {
		return Invocation{}, false
	}
	c := Invocation{Args: map[string]any{}, Start: m.start, End: m.end}
	r := argumentReader{s: f.message, i: m.end}
	if len(m.tools) == 1 {
		c.Tool, r.declared = m.tools[0].Name, fieldsOf(m.tools[0])
	}
	if len(m.tools) > 1 {
		c.Question = whichOf(f.message[m.start:m.end], m.tools)
	}
	if !r.read() {
		if len(m.tools) > 0 {
			f.bare = append(f.bare, bareName{c, ordered, m.whole()})
		}
		if len(m.tools) > 0 || !f.ofServer(name) {
			return Invocation{}, false
		}
		r.i = len(f.message) // what follows is for no tool
	}
	c.End = r.i
	switch {
	case c.Question != "":
	case len(m.tools) == 0:
		c.Question = ended(
			"There is no tool "+name+suggestion(name, thereAre, f.tools.nearNames(name)),
		) + " Nothing was run."
	case r.fault != "":
		c.Question = c.Tool + " was not run: " + r.fault + "."
	default:
		c.Args, c.Question = usable(m.tools[0], r.args)
	}
	return c, true
}

// ofServer reports whether a name is one that a server's tool would have, of a server that there is.
func (f *invocationFinder) ofServer(name string) bool {
	server, tool, ok := strings.Cut(name, ServerSeparator)
	own := func(t Tool) bool { return t.Toolset == server && strings.HasPrefix(t.Name, server+ServerSeparator) }
	return ok && server != "" && tool != "" && slices.ContainsFunc(f.tools.all, own)
}

// mention is a name in a message with the tools that it may mean.
type mention struct {
	start, end int // with the server that is named beside it
	tools      []Tool
}

// mentioned finds the tools that the name from start to end may mean: one that is listed so, else those that their
// servers call so, of the server that the words beside it name.
func (f *invocationFinder) mentioned(start, end int) mention {
	m, name := mention{start: start, end: end}, f.message[start:end]
	if t, known := f.tools.find(name); known {
		m.tools = []Tool{t}
		return m
	}
	if to, tools := f.spelledAt(start); to > 0 {
		return mention{start, to, tools}
	}
	if !strings.ContainsAny(name, "_.-") && !orderVerb(f.message[:start]) {
		return m
	}
	m.tools = f.tools.ofServers(name)
	for _, t := range m.tools {
		from, to, said := serverBeside(f.message, start, end, t.Toolset)
		if !said {
			continue
		}
		for _, other := range m.tools {
			if other.Name != t.Name {
				f.out = append(f.out, other.Name)
			}
		}
		return mention{from, to, []Tool{t}}
	}
	return m
}

// whole reports whether the name of a tool may be a message of its own: one of another server that needs no arguments,
// or may be any of several.
func (m mention) whole() bool {
	for _, t := range m.tools {
		in := shared.schemas.get(t.InputSchema).Schema
		if !strings.Contains(t.Name, ServerSeparator) || in != nil && len(in.Required) > 0 {
			return false
		}
	}
	return true
}

var (
	// serverBehind is what stands between the name of a tool and that of its server.
	serverBehind = regexp.MustCompile(
		"(?i)^[\\s`\"'*]*(?:tool\\s+)?(?:of|on|from|at|in|with|via|using)\\s+(?:the\\s+)?(?:server\\s+)?[`\"'*]*",
	)
	// serverBefore is what stands between the name of a server and that of its tool.
	serverBefore = regexp.MustCompile("(?i)(?:'s)?[\\s:`\"'*]+(?:server\\s+)?(?:tool\\s+)?[`\"'*]*$")
	serverEnd    = regexp.MustCompile("(?i)^[`\"'*]*(?:\\s+server)?(?:$|[^\\pL\\pN_-])")
	wordBefore   = regexp.MustCompile(`(?:^|[^\pL\pN_-])$`)
)

// serverBeside reports whether the words beside a name name a server, and where the two together stand.
func serverBeside(message string, start, end int, server string) (from, to int, said bool) {
	const most = 100 // bytes: the time stays linear
	rest := message[end:min(len(message), end+most)]
	if gap := serverBehind.FindString(rest); gap != "" && hasFoldPrefix(rest[len(gap):], server) {
		if tail := rest[len(gap)+len(server):]; serverEnd.MatchString(tail) {
			return start, end + len(gap) + len(server), true
		}
	}
	before := message[max(0, start-most):start]
	if gap := serverBefore.FindString(before); gap != "" {
		head := before[:len(before)-len(gap)]
		if at := len(
			head,
		) - len(
			server,
		); at >= 0 && strings.EqualFold(head[at:], server) &&
			wordBefore.MatchString(head[:at]) {
			return start - len(gap) - len(server), end, true
		}
	}
	return start, end, false
}

func hasFoldPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// whichOf asks which of several tools a name means.
func whichOf(name string, list []Tool) string {
	const most = 5
	var names []string
	for _, t := range list[:min(len(list), most)] {
		names = append(names, t.Name)
	}
	return "Several servers have a tool " + name + ": which do you mean, " + strings.Join(
		names,
		", ",
	) + "? Nothing was run."
}

// ended closes a sentence that may be a question already.
func ended(s string) string {
	if strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// orderVerb reports whether a text ends with an order to call what follows: "please call the tool".
func orderVerb(before string) bool {
	const most = 64 // bytes: the time stays linear
	return orderTail.MatchString(before[max(0, len(before)-most):])
}

var orderTail = regexp.MustCompile(
	"(?i)(?:^|[^\\pL_])(?:use|call|run|invoke|execute|apply)(?:\\s+the)?(?:\\s+(?:tool|function))?[\\s:`\"'*]*$",
)

// result adds the names without arguments that are ordered beside calls, or are all there is, and cuts the calls out of
// the message.
func (f *invocationFinder) result() Invocations {
	out := Invocations{Calls: f.calls, RuledOut: f.out, named: f.named}
	for _, b := range f.bare {
		meant := b.whole
		if len(f.calls) > 0 {
			meant = b.ordered && bareEnd.MatchString(f.message[b.End:])
		}
		if meant {
			out.Calls = insertInvocation(out.Calls, b.Invocation)
		}
	}
	at := 0
	for _, c := range out.Calls {
		out.note(f.message[at:c.Start])
		at = c.End
	}
	out.note(f.message[at:])
	if _, sorted := out.rowOrder(); len(f.calls) == 0 && len(out.Rest) > 0 && !sorted {
		return Invocations{RuledOut: f.out, named: f.named}
	}
	return out
}

// bareEnd is what may stand behind a name that takes no arguments.
var bareEnd = regexp.MustCompile("(?i)^[\\s`\"'*]*(?:$|[,;.!\\n]|and\\b|then\\b)")

func insertInvocation(calls []Invocation, c Invocation) []Invocation {
	out := make([]Invocation, 0, len(calls)+1)
	for _, x := range calls {
		if c.Start >= 0 && c.Start < x.Start {
			out = append(out, c)
			c.Start = -1
		}
		out = append(out, x)
	}
	if c.Start >= 0 {
		out = append(out, c)
	}
	return out
}

// politeCall are the words around calls that restrict nothing.
var politeCall = WordSet(
	`please kindly can could would you i want like need to just now the a tool tools function use call run invoke execute
	apply try and then also plus afterwards after that next finally first second third lastly both show give get me us its result results
	output of from thanks thank hi hello hey ok okay with for via using bitte json return what`,
)

// callWord is a word of what stands around calls; digits before a point or bracket count a list.
var callWord = regexp.MustCompile(`(?m)^\s*\d+[.)]\s|[^\s.,;!?:*\x60"'“”()\[\]{}\-–—>#]+`)

// note keeps a stretch outside the calls when a word in it may mean something.
func (v *Invocations) note(stretch string) {
	for _, w := range callWord.FindAllString(stretch, -1) {
		if t := strings.TrimSpace(w); strings.Trim(t, "0123456789.)") == "" && t != strings.Trim(t, ".)") {
			continue
		}
		if !politeCall[strings.ToLower(w)] {
			v.Rest = append(v.Rest, strings.Join(strings.Fields(stretch), " "))
			return
		}
	}
}
