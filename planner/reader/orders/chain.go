package orders

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"catena/internal/text"
	"catena/planner/calls"
	"catena/planner/plan"
	"catena/planner/reader/link"
)

// Categories of the lexicon that say what is asked of the rows that a chain gives.
const (
	askCount   = "count"
	askAsk     = "ask"
	askMany    = "many"
	askAgg     = "agg"
	askSuper   = "super"
	askAdj     = "superadj"
	askBy      = "by"
	askEach    = "each"
	askMore    = "comparative"
	askNot     = "not"
	askOr      = "or"
	askCmp     = "cmp"
	askTop     = "top"
	askSum     = "sum"
	askMax     = "max"
	catMass    = "mass"    // of data/orders: what is summed where others are counted
	catMeasure = "measure" // names of columns that hold amounts
	catColumn  = "column"  // names of columns that any rows may have
)

// featChain begins the features of how sure a chain is.
const featChain = "sure chain "

// chained are the readings of a message as calls that give each other what they take.
func (o *order) chained() []Reading {
	if len(o.toks) > maxChainTokens {
		return nil
	}
	query, _ := plan.QueryStep(nil, o.req.Tools)
	var out []Reading
	list := o.set.Chains(o.req.Message, o.req.Now, query.Tool, o.in.may)
	for i := range list[:min(len(list), maxChains)] {
		c := chaining{order: o, c: &list[i], query: query.Tool}
		if r, ok := c.reading(); ok {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Reading) int {
		return cmp.Or(cmp.Compare(b.likely(), a.likely()), cmp.Compare(b.fit, a.fit))
	})
	return out[:min(len(out), 1)]
}

// Bounds of chains: tokens of a message, and chains that are made plans of.
const (
	maxChainTokens = 80
	maxChains      = 6
)

// chaining makes a plan of a chain and of what the message asks of its rows.
type chaining struct {
	*order
	c     *calls.Chain
	query string
	steps []plan.Step
	done  []spanKind // what the message asks of the rows and got
	each  bool       // what is asked is asked for each thing by itself
	// failed counts what is asked of the rows that cannot be said.
	failed int
}

func (c *chaining) reading() (Reading, bool) {
	var out Reading
	if len(c.c.Open) > 0 || c.query == "" && (len(c.c.Among) > 0 || c.c.Join != nil) {
		return out, false
	}
	if c.undone() {
		return out, false
	}
	var answers []any
	for _, one := range append([]calls.Chain{*c.c}, c.c.Others...) {
		if len(one.Open) > 0 {
			return out, false
		}
		answers = append(answers, plan.Ref{Step: c.asked(&one, c.take(one.Steps))})
	}
	if len(c.steps) < leastChain && !c.c.Direct {
		return out, false
	}
	sum := c.weigh(&out)
	out.fit = c.c.Score - chainSkip*float64(len(out.skipped))
	var said []string
	for _, st := range c.steps {
		said = append(said, c.readAs(st.Tool, plainArgs(st.Args)))
	}
	out.Plan = plan.Plan{
		Title: c.title(), Reading: text.Clip(strings.Join(said, " "), maxReading), Confidence: c.sure(sum),
		Steps: c.steps, Answer: answers,
	}
	for _, w := range c.c.Why {
		out.Why = append(
			out.Why,
			plan.Reason{Step: c.steps[len(c.steps)-1].ID, Slot: "/" + w.Arg, Words: w.From, How: plan.HowMessage},
		)
	}
	return out, true
}

// undone reports whether the message orders a change, and the chain only reads.
func (c *chaining) undone() bool {
	t, _ := plan.FindTool(c.req.Tools, c.c.Tool)
	return t.ReadOnly && slices.ContainsFunc(c.c.Parts, func(p calls.Part) bool {
		said := text.Fold(c.req.Message[p.Start:p.End])
		changes := len(c.words.verb(said).changes) > 0 && !c.words.is(said, catRead) && !c.words.is(said, catColumn)
		return changes && c.in.heads[said] &&
			(p.Use < calls.About || p.Start == c.toks[0].start && p.Use != calls.Filled)
	})
}

// chainSkip is what a word costs that a chain makes no use of, beside another chain.
const chainSkip = 0.5

// leastChain is how many steps a chain has at least: one call is read by itself.
const leastChain = 2

// plainArgs are the arguments that hold no reference.
func plainArgs(args map[string]any) map[string]any {
	out := maps.Clone(args)
	maps.DeleteFunc(out, func(_ string, v any) bool { _, ref := v.(plan.Ref); return ref })
	return out
}

// take adds steps, each once, and gives the id of the last.
func (c *chaining) take(steps []plan.Step) string {
	ids := map[string]string{plan.Each: plan.Each}
	last := ""
	for _, st := range steps {
		made := plan.Step{Tool: st.Tool, Args: map[string]any{}}
		for name, v := range st.Args {
			made.Args[name] = renamed(v, ids)
		}
		if st.Each != nil {
			each := *st.Each
			each.Step = ids[each.Step]
			made.Each = &each
		}
		last = c.add(made)
		ids[st.ID] = last
	}
	return last
}

func renamed(v any, ids map[string]string) any {
	if ref, ok := v.(plan.Ref); ok {
		ref.Step = ids[ref.Step]
		return ref
	}
	return v
}

// add adds a step, or gives the id of one that does the same.
func (c *chaining) add(st plan.Step) string {
	key := stepKey(st)
	for _, have := range c.steps {
		if stepKey(have) == key {
			return have.ID
		}
	}
	st.ID = "s" + strconv.Itoa(len(c.steps)+1)
	c.steps = append(c.steps, st)
	return st.ID
}

func stepKey(st plan.Step) string {
	st.ID = ""
	raw, err := json.Marshal(st)
	if err != nil {
		return ""
	}
	return string(raw)
}

// asked adds what the message asks of the rows of a chain, and gives the step that has it.
func (c *chaining) asked(one *calls.Chain, last string) string {
	q := plan.Query{Data: plan.Ref{Step: last}}
	for _, a := range one.Among {
		q.Filter = append(q.Filter, a.Condition())
	}
	for _, k := range c.kinds {
		if !c.filled(k) && (harmless[k.cat] || c.rows(one, &q, k)) {
			c.done = append(c.done, k)
		}
	}
	for _, k := range c.kinds {
		within := func(d spanKind) bool { return d.start < k.end && k.start < d.end }
		if demanding[k.cat] && !c.filled(k) && !slices.ContainsFunc(c.done, within) {
			c.failed++
		}
	}
	if c.each && len(q.Select) > 0 && len(q.GroupBy) == 0 {
		q.GroupBy = []plan.GroupKey{{Column: eachColumn}}
		q.Select = append([]plan.Select{{Column: eachColumn}}, q.Select...)
	}
	asks := len(q.Filter)+len(q.Select)+len(q.OrderBy)+len(q.GroupBy) > 0
	args := q.Args()
	if one.Join != nil {
		asks = true
		listed := c.add(plan.Step{Tool: one.Join.Tool, Args: map[string]any{}})
		on := []any{[]any{one.Join.Column, one.Join.Key}}
		args["join"] = []any{map[string]any{"table": plan.Ref{Step: listed}, "on": on, "how": plan.JoinLeft}}
	}
	if !asks || c.query == "" {
		return last
	}
	return c.add(plan.Step{Tool: c.query, Args: args})
}

// eachColumn is the column of what a step ran for.
const eachColumn = "_each"

// filled reports whether a stretch is a part of a value that a call takes.
func (c *chaining) filled(k spanKind) bool {
	return slices.ContainsFunc(c.c.Parts, func(p calls.Part) bool {
		return p.Use == calls.Filled && p.Start < k.end && k.start < p.End
	})
}

// weigh gives a reading its features and its score, and what passing over the other words means.
func (c *chaining) weigh(out *Reading) map[string]float64 {
	sum := map[string]float64{featCall: 1}
	for _, p := range c.c.Parts {
		name, known := featUses[p.Use]
		if !known {
			kind := c.kindOf(c.c.Tool, p, c.c.Parts)
			switch means, head := c.means(p, kind), c.in.heads[text.Fold(c.req.Message[p.Start:p.End])]; {
			case means:
				kind = link.SkipFiller
			case kind == link.SkipFixed+catChange && !head:
				kind = link.SkipUnknown // an open deal
			}
			name = featSkip + kind
			if kind != link.SkipFiller {
				out.skipped = append(out.skipped, c.req.Message[p.Start:p.End])
			}
		}
		sum[name]++
	}
	for _, name := range slices.Sorted(maps.Keys(sum)) {
		out.features = append(out.features, feature{name, sum[name]})
	}
	out.Score = c.score(out.features)
	return sum
}

// means reports whether a word that no call takes means nothing more: it asks what the rows were asked, is the verb of
// the change, stands where no verb does, or is the name of a column that any rows may have.
func (c *chaining) means(p calls.Part, kind string) bool {
	said := text.Fold(c.req.Message[p.Start:p.End])
	if slices.ContainsFunc(c.done, func(k spanKind) bool { return p.Start < k.end && k.start < p.End }) {
		return true
	}
	if kind == link.SkipFixed+catChange {
		t, _ := plan.FindTool(c.req.Tools, c.c.Tool)
		return !t.ReadOnly && c.in.heads[said] || c.words.is(said, catColumn)
	}
	return kind == link.SkipUnknown && c.words.is(said, catColumn)
}

// sure is how likely a chain is what is meant.
func (c *chaining) sure(sum map[string]float64) float64 {
	list := []feature{{featChain + "bias", 1}, {featChain + "steps", float64(len(c.steps))},
		{featChain + "failed", float64(c.failed)}}
	if !c.c.Named {
		list = append(list, feature{featChain + "unnamed", 1})
	}
	for name, n := range sum {
		kind, skipped := strings.CutPrefix(name, featSkip)
		switch {
		case !skipped || kind == link.SkipFiller:
		case kind == skipElsewhere:
			list = append(list, feature{featChain + skipElsewhere, n})
		case kind == skipValue, strings.HasPrefix(kind, link.SkipFixed):
			list = append(list, feature{featChain + "fixed", n})
		default:
			list = append(list, feature{featChain + "unknown", n})
		}
	}
	slices.SortFunc(list, func(a, b feature) int { return strings.Compare(a.name, b.name) })
	return logistic(c.score(list))
}
