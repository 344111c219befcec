package orders

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/planner/calls"
	"catena/planner/plan"
	"catena/planner/reader/say"
)

// named reads an order that names a tool as it is listed. Nobody else's tool is meant then, and what is said to it is used
// whole or asked about. ok is false where no tool is named so, or a question is asked about one.
func (o *order) named() (out Reading, ok bool) {
	out.Sure = true
	written := plan.FindInvocations(o.req.Message, o.req.Tools)
	for _, c := range written.Calls {
		if c.Question != "" {
			out.Plan = plan.Plan{Clarify: c.Question, Confidence: unclear}
			return out, true
		}
	}
	switch {
	case len(written.Calls) > 1:
		out.Plan, ok = written.Plan(o.title(), o.req.Message, o.req.Tools, o.req.Tables)
		if !ok {
			out.Plan = plan.Plan{Clarify: o.leftOver(written.Rest), Confidence: unclear}
		}
		return out, true
	case len(written.Calls) == 1:
		c := written.Calls[0]
		if !o.orders(c.Start, c.End) && !o.quiet(o.outside(c.Start, c.End)) {
			return out, false
		}
		return o.callOf(c.Tool, c.Start, c.End, c.Args)
	}
	tool, from, to := o.listedName()
	if tool == "" || !o.orders(from, to) {
		return out, false
	}
	return o.callOf(tool, from, to, nil)
}

// listedName finds the one tool that a message names as it is listed, with its server's name and a colon, or as its
// server calls it where no other has one of that name.
func (o *order) listedName() (tool string, from, to int) {
	for _, t := range o.toks {
		name := strings.Trim(o.req.Message[t.start:t.end], "`\".:?!*-")
		found, known := plan.NamedTool(o.req.Tools, name)
		if !known || !strings.ContainsAny(name, "_:") && !o.calledAt(t.start) {
			continue
		}
		if tool != "" {
			return "", 0, 0 // several: what goes where is said by the other words
		}
		tool, from, to = found.Name, t.start, t.end
	}
	return tool, from, to
}

// calledAt reports whether an order to call stands right before a place.
func (o *order) calledAt(start int) bool {
	called := false
	for i, t := range o.toks {
		if t.end > start {
			break
		}
		if n, _ := o.words.at(o.toks, i, catCall); n > 0 {
			called = true
		} else if !o.words.is(t.fold, catSmall) && !t.mark {
			called = false
		}
	}
	return called
}

// orders reports whether a message begins with what stands from one place to another, or with an order to call it.
func (o *order) orders(from, to int) bool {
	for i := 0; i < len(o.toks); i++ {
		i = o.words.plainFrom(o.toks, i)
		if i == len(o.toks) {
			return false
		}
		if t := o.toks[i]; t.start >= from && t.start < to {
			return true
		}
		if n, _ := o.words.at(o.toks, i, catCall); n > 0 {
			return true
		}
		if !o.words.is(o.toks[i].fold, catSmall) {
			return false
		}
	}
	return false
}

// outside are the tokens before and behind a stretch.
func (o *order) outside(from, to int) []token {
	var out []token
	for _, t := range o.toks {
		if t.end <= from || t.start >= to {
			out = append(out, t)
		}
	}
	return out
}

// quiet reports whether tokens say nothing that a call would leave out.
func (o *order) quiet(toks []token) bool {
	for i := 0; i < len(toks); {
		i = o.words.plainFrom(toks, i)
		if i == len(toks) {
			break
		}
		n := 0
		for _, cat := range []string{catCall, catSmall} {
			if found, _ := o.words.at(toks, i, cat); found > n {
				n = found
			}
		}
		if n == 0 {
			return false
		}
		i += n
	}
	return true
}

// callOf reads what is said beside the name of a tool as its arguments: by their names first, then by the schema.
func (o *order) callOf(tool string, from, to int, written map[string]any) (Reading, bool) {
	t, _ := plan.FindTool(o.req.Tools, tool)
	out := Reading{Sure: true}
	if tabular(t) {
		return out, false // which table is said by the other words
	}
	args := map[string]any{}
	maps.Copy(args, written)
	rest := o.saidByName(takesOf(t), o.outside(from, to), args)
	if !o.quiet(rest) {
		f, ok := o.set.FitOf(tool, o.spread(rest), o.req.Now)
		if !ok || len(f.Calls) == 0 || len(f.Open) > 0 || !usesAll(f) {
			out.Plan = o.givenTo(t)
			return out, true
		}
		for name, v := range f.Calls[0].Args {
			if _, there := args[name]; !there {
				args[name] = v
			}
		}
	}
	for _, name := range takesOf(t).Required {
		if _, there := args[name]; !there {
			out.Plan = o.givenTo(t)
			return out, true
		}
	}
	o.plan(&out, calls.Fit{Reading: calls.Reading{Calls: []calls.Call{{Tool: tool, Args: args}}}}, namedSure)
	return out, true
}

// namedSure is the confidence of a call that is ordered by the tool's name and leaves nothing out.
const namedSure = 0.99

// usesAll reports whether a fit makes arguments of all words that mean something.
func usesAll(f calls.Fit) bool {
	return !slices.ContainsFunc(f.Parts, func(p calls.Part) bool { return p.Use == calls.Unused || p.Use == calls.Left })
}

// spread is the message with spaces for all that tokens do not say.
func (o *order) spread(toks []token) string {
	b := []byte(strings.Repeat(" ", len(o.req.Message)))
	for _, t := range toks {
		copy(b[t.start:t.end], o.req.Message[t.start:t.end])
	}
	return strings.TrimSpace(string(b))
}

// leftOver asks about words beside calls.
func (o *order) leftOver(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = say.Text(o.req.Locale, say.Quoted, w)
	}
	return say.Text(o.req.Locale, say.Skipped, strings.Join(quoted, ", "))
}

// saidByName fills the arguments whose names are said with their values behind them, and gives the tokens that are left.
func (o *order) saidByName(in takes, toks []token, args map[string]any) []token {
	names := slices.SortedFunc(maps.Keys(in.Properties), func(a, b string) int { return len(b) - len(a) })
	for _, name := range names {
		if _, there := args[name]; there {
			continue
		}
		words := strings.Join(plan.NameWords(name), " ")
		for i := range toks {
			n := saysName(toks, i, name, words)
			if n == 0 {
				continue
			}
			at := i + n
			for at < len(toks) {
				k, _ := o.words.at(toks, at, catLink)
				if k == 0 {
					break
				}
				at += k
			}
			if at == len(toks) {
				continue
			}
			if v, ok := o.valueOf(toks[at], in.typeOf(name)); ok {
				args[name] = v
				toks = slices.Delete(slices.Clone(toks), i, at+1)
				break
			}
		}
	}
	return toks
}

// saysName is how many tokens from i on are the name of an argument, as it is written or in words.
func saysName(toks []token, i int, name, words string) int {
	if toks[i].fold == text.Fold(name) {
		return 1
	}
	n := len(strings.Fields(words))
	if i+n <= len(toks) && n > 0 && phraseKey(toks[i:i+n]) == text.Fold(words) {
		return n
	}
	return 0
}

// plainNumber is a number as JSON has it.
var plainNumber = regexp.MustCompile(`^-?(?:0|[1-9]\d*)(?:\.\d+)?$`)

// valueOf is a token as a value of a type.
func (o *order) valueOf(t token, typ string) (any, bool) {
	word := o.req.Message[t.start:t.end]
	if t.quoted {
		word = word[1 : len(word)-1]
	}
	switch {
	case t.mark && !t.quoted:
		return nil, false
	case typ == "boolean":
		var v bool
		err := json.Unmarshal([]byte(t.fold), &v)
		return v, err == nil
	case typ == "integer", typ == "number":
		return json.Number(word), plainNumber.MatchString(word) && (typ == "number" || !strings.Contains(word, "."))
	case typ == "array":
		return []any{word}, true
	case typ == "object":
		return nil, false
	}
	return word, true
}
