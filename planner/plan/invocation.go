package plan

import (
	"regexp"
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
}

// most bounds what is looked at of one message.
const (
	maxInvocations = 50
	maxNameTries   = 5000
)

// invocationName is what may be the name of a tool.
var invocationName = regexp.MustCompile(`[A-Za-z0-9_][A-Za-z0-9_.:-]*`)

// FindInvocations reads the calls that a message writes out. A name without arguments counts only beside a call that has some.
// The time is linear in the message. It is safe for concurrent use.
func FindInvocations(message string, tools []Tool) Invocations {
	if len(message) > DefaultLimits.Bytes || !strings.ContainsAny(message, "{(=:-") {
		return Invocations{}
	}
	f := invocationFinder{message: message, tools: indexTools(tools)}
	f.find()
	return f.result()
}

type invocationFinder struct {
	message string
	tools   toolIndex
	calls   []Invocation
	bare    []Invocation // names of tools without arguments
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
	t, known := f.tools.find(name)
	ordered := orderVerb(f.message[:start])
	if !known && (!ordered || !strings.ContainsAny(name, "_:")) {
		return Invocation{}, false
	}
	c := Invocation{Tool: t.Name, Args: map[string]any{}, Start: start, End: end}
	r := argumentReader{s: f.message, i: end}
	if known {
		r.declared = fieldsOf(t)
	}
	if !r.read() {
		if known && ordered {
			f.bare = append(f.bare, c)
		}
		return Invocation{}, false
	}
	c.End = r.i
	switch {
	case !known:
		c.Question = ended("There is no tool "+name+suggestion(name, thereAre, f.tools.nearNames(name))) + " Nothing was run."
	case r.fault != "":
		c.Question = t.Name + " was not run: " + r.fault + "."
	default:
		c.Args, c.Question = usable(t, r.args)
	}
	return c, true
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

var orderTail = regexp.MustCompile("(?i)(?:^|[^\\pL_])(?:use|call|run|invoke|execute|apply)(?:\\s+the)?(?:\\s+(?:tool|function))?[\\s:`\"'*]*$")

// result adds the names without arguments that are ordered beside calls, and cuts the calls out of the message.
func (f *invocationFinder) result() Invocations {
	if len(f.calls) == 0 {
		return Invocations{}
	}
	out := Invocations{Calls: f.calls}
	for _, b := range f.bare {
		if rest := f.message[b.End:]; bareEnd.MatchString(rest) {
			out.Calls = insertInvocation(out.Calls, b)
		}
	}
	at := 0
	for _, c := range out.Calls {
		out.note(f.message[at:c.Start])
		at = c.End
	}
	out.note(f.message[at:])
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
var politeCall = WordSet(`please kindly can could would you i want like need to just now the a tool tools function use call run invoke execute
	apply try and then also plus afterwards after that next finally first second third lastly both show give get me us its result results
	output of from thanks thank hi hello hey ok okay with for via using bitte json return what`)

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
