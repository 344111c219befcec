package orders

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"catena/internal/text"
	"catena/planner/calls"
	"catena/planner/plan"
	"catena/planner/reader/link"
	"catena/planner/reader/say"
)

// Reader reads messages as orders to tools. It is safe for concurrent use; New makes one.
type Reader struct {
	weigh      func(feature string) float64
	catalogues catalogues
}

// New makes a Reader. weigh is what a feature is worth, by its name.
func New(weigh func(feature string) float64) *Reader { return &Reader{weigh: weigh} }

// feature is something that is true of a reading, how often or how much.
type feature struct {
	name  string
	value float64
}

// score is what features are worth together.
func (o *order) score(features []feature) float64 {
	sum := 0.0
	for _, f := range features {
		sum += o.weigh(f.name) * f.value
	}
	return sum
}

// Reading is one way to understand a message as calls of tools. Its score compares with those of other readings that
// are weighed by the same weights.
type Reading struct {
	Plan  plan.Plan
	Why   []plan.Reason // where the arguments come from
	Score float64
	// Sure says that the message leaves no choice: it names the tool, or says a phrase that the tool declares.
	Sure     bool
	features []feature
	skipped  []string // words of the message that the calls make no use of
	fit      float64  // of a chain: how well it fits, beside other chains
}

// Features of an order.
const (
	featSkip    = "skip "  // a word that is passed over, by what that means
	featWord    = "order " // a word, by its use
	featCall    = "order call"
	featMissing = "order missing"
	featGuess   = "order guess"
	featSure    = "sure order "
)

// featUses are the uses of words, as features have them; the others are skipped.
var featUses = map[calls.Use]string{
	calls.Filled: featWord + "argument", calls.Named: featWord + "name", calls.About: featWord + "about",
}

// Read gives the ways to understand a message as calls of the request's tools, best first. toks and spans say which of
// the words that no call uses change a question, or name something of the tables; without them all such words are
// unknown.
func (r *Reader) Read(ctx context.Context, req plan.Request, toks []link.Token, spans []link.Span) []Reading {
	req.Message = sayable(req.Message)
	if inner := calls.Unquoted(req.Message); len(inner) < len(strings.TrimSpace(req.Message)) {
		req.Message = strings.Repeat(" ", strings.Index(req.Message, inner)) + inner
	}
	words := tokenize(req.Message)
	if len(words) == 0 || len(words) == maxTokens || len(req.Tools) == 0 || ctx.Err() != nil {
		return nil
	}
	o := order{
		req:   req,
		toks:  words,
		in:    intentOf(words),
		words: theLexicon(),
		kinds: spanKinds(toks, spans),
		weigh: r.weigh,
	}
	if p, ok := o.program(); ok {
		return []Reading{{Plan: p, Sure: true}}
	}
	o.set = r.catalogues.of(req.Tools)
	if found, ok := o.named(); ok {
		return []Reading{found}
	}
	if found, ok := o.phrase(); ok {
		return []Reading{found}
	}
	out := append(o.chained(), o.plain()...)
	slices.SortStableFunc(out, func(a, b Reading) int {
		return cmp.Or(cmp.Compare(b.likely(), a.likely()), cmp.Compare(b.Score, a.Score))
	})
	return out
}

// likely is how likely a reading is meant, up to where it is planned.
func (o *Reading) likely() float64 { return min(o.Plan.Confidence, Bar) }

// order is a message that is read as an order.
type order struct {
	req   plan.Request
	toks  []token
	words *lexicon
	set   *calls.Set
	kinds []spanKind
	weigh func(feature string) float64
	in    intent
}

// sayable leaves out what no argument may hold: control characters other than line ends and tabs, and broken UTF-8.
func sayable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// plain are the readings of plain words, by the schemas of the tools alone.
func (o *order) plain() []Reading {
	var out []Reading
	for _, f := range o.set.Fits(o.req.Message, o.req.Now, o.in.may) {
		if len(f.Calls) > 0 || len(f.Open) > 0 {
			out = append(out, o.weighed(f))
		}
	}
	return out
}

// weighed makes a reading of a fit.
func (o *order) weighed(f calls.Fit) Reading {
	sum := map[string]float64{
		featCall: float64(
			len(f.Tools),
		),
		featGuess:   float64(f.Guesses),
		featMissing: float64(len(f.Open)),
	}
	var out Reading
	for _, p := range f.Parts {
		name, known := featUses[p.Use]
		if !known {
			kind := o.kindOf(f.Tools[0], p, f.Parts)
			name = featSkip + kind
			if kind != link.SkipFiller {
				out.skipped = append(out.skipped, o.req.Message[p.Start:p.End])
			}
		}
		sum[name]++
	}
	for name, v := range sum {
		if v != 0 {
			out.features = append(out.features, feature{name, v})
		}
	}
	slices.SortFunc(out.features, func(a, b feature) int { return strings.Compare(a.name, b.name) })
	out.Score = o.score(out.features)
	o.plan(&out, f, o.probability(f, sum))
	return out
}

// evidence is what speaks for and against the calls of a fit, by what they make of the words of the message.
func (o *order) evidence(f calls.Fit, words map[string]float64) []feature {
	content, left, fixed := 0.0, 0.0, 0.0
	for _, kind := range []string{link.SkipUnknown, link.SkipLinked, link.SkipNamed} {
		content += words[featSkip+kind]
	}
	for name, n := range words {
		switch {
		case name == featSkip+skipValue:
			left += n
		case strings.HasPrefix(name, featSkip+link.SkipFixed):
			fixed += n
		}
	}
	used := words[featUses[calls.Filled]] + words[featUses[calls.Named]] + words[featUses[calls.About]]
	content += used + left + fixed
	all, verb := max(content, 1), 0.0
	if t, _ := plan.FindTool(o.req.Tools, f.Tools[0]); o.in.heads[effectOf(t).verb] {
		verb = 1
	}
	return []feature{
		{featSure + "verb", verb},
		{featSure + "bias", 1},
		{featSure + "coverage", used / all},
		{featSure + "name", f.NameShare},
		{featSure + "named", words[featUses[calls.Named]] / all},
		{featSure + "about", words[featUses[calls.About]] / all},
		{featSure + "unfilled", left / all},
		{featSure + skipElsewhere, words[featSkip+skipElsewhere]},
		{featSure + "fixed", fixed / all},
		{
			featSure + "undone",
			words[featSkip+link.SkipFixed+catChange] + words[featSkip+link.SkipFixed+catNot] + float64(f.Passed),
		},
		{featSure + "guess", float64(f.Guesses)},
		{featSure + "missing", float64(min(len(f.Open), 1))},
		{featSure + "several", float64(len(f.Tools) - 1)},
		{
			featSure + "words",
			min(f.Words, mostSaid) / mostSaid,
		},
		{featSure + "arguments", min(f.Sure, mostSure)},
		{featSure + "length", math.Log(float64(max(len(f.Parts), 1)))},
	}
}

// Bounds of what the words of a message, and the arguments in it, say for a tool.
const (
	mostSaid = 4
	mostSure = 1.5
)

// skipValue is the kind of a name, a quoted text or a number that no call uses.
const skipValue = link.SkipFixed + "value"

// skipElsewhere is the kind of a word that tells of what other tools give.
const skipElsewhere = "elsewhere"

// probability is how likely the calls are what is meant.
func (o *order) probability(f calls.Fit, words map[string]float64) float64 {
	return logistic(o.score(o.evidence(f, words)))
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// plan makes the plan of a fit: its calls, or a question that names what is missing.
func (o *order) plan(out *Reading, f calls.Fit, probability float64) {
	if len(f.Calls) == 0 || len(f.Open) > 0 {
		out.Plan = plan.Plan{Clarify: o.asksFor(f.Tools[0], f.Open), Confidence: probability}
		return
	}
	p := plan.Plan{Title: o.title(), Confidence: probability}
	var said []string
	for i, c := range f.Calls {
		id := "s" + strconv.Itoa(i+1)
		p.Steps = append(p.Steps, plan.Step{ID: id, Tool: c.Tool, Args: c.Args})
		p.Answer = append(p.Answer, plan.Ref{Step: id})
		out.Why = append(out.Why, reasons(id, c)...)
		said = append(said, o.readAs(c.Tool, c.Args))
	}
	p.Reading = text.Clip(strings.Join(said, " "), maxReading)
	out.Plan = p
}

// reasons say where the arguments of a call come from.
func reasons(step string, c calls.Call) []plan.Reason {
	var out []plan.Reason
	for _, r := range c.Why {
		switch {
		case r.From != "":
			out = append(out, plan.Reason{Step: step, Slot: "/" + r.Arg, Words: r.From, How: plan.HowMessage})
		case r.How == calls.ByDefault:
			out = append(out, plan.Reason{Step: step, Slot: "/" + r.Arg, How: plan.HowDefault})
		}
	}
	return out
}

func (o *order) title() string {
	return text.Clip(strings.Join(strings.Fields(o.req.Message), " "), maxTitle)
}

// maxReading bounds what is said of the calls, in bytes.
const maxReading = 300

// maxTitle bounds the title of an order, in bytes.
const maxTitle = 80

// asksFor is the question for what a tool must be given.
func (o *order) asksFor(tool string, names []string) string {
	spoken := make([]string, len(names))
	for i, n := range names {
		spoken[i] = say.Text(o.req.Locale, say.Quoted, strings.Join(plan.NameWords(n), " "))
	}
	if len(spoken) == 0 {
		return say.Text(o.req.Locale, say.Unsure)
	}
	return say.Text(o.req.Locale, sayMissing, tool, strings.Join(spoken, ", "))
}

// spanKind is what passing over a stretch of the message means.
type spanKind struct {
	start, end int // bytes
	kind       string
	cat        link.Category
	sense      string
}

// spanKinds are those of the spans that are more than unknown words.
func spanKinds(toks []link.Token, spans []link.Span) []spanKind {
	var out []spanKind
	for _, s := range spans {
		if k := link.SkipKind(s); s.Fixed || k == link.SkipLinked || k == link.SkipNamed || k == link.SkipFiller {
			out = append(out, spanKind{toks[s.From].Start, toks[s.To-1].End, k, s.Category, s.Sense})
		}
	}
	return out
}

// leading are kinds of words that belong to what is behind them: the last 5, from Kiel to Rome, by region.
var leading = map[string]bool{
	link.SkipFixed + "top":      true,
	link.SkipFixed + "neighbor": true,
	link.SkipFixed + "between":  true,
	link.SkipFixed + "by":       true,
	link.SkipFixed + "and":      true,
}

// counted are those of them that need a number behind them: the last commit is none of the last five.
var counted = map[string]bool{link.SkipFixed + "top": true, link.SkipFixed + "neighbor": true}

// usedBy reports whether calls make use of a part of a stretch, or of what it leads to.
func (k spanKind) usedBy(message string, parts []calls.Part) bool {
	for _, p := range parts {
		within := p.Start < k.end && k.start < p.End
		if within && p.Use >= calls.About {
			return true
		}
		if p.Start >= k.end {
			counts := counted[k.kind] && !unicode.IsDigit(rune(message[p.Start]))
			groups := k.kind == link.SkipFixed+askBy && p.Use != calls.Filled
			return leading[k.kind] && p.Use >= calls.About && !counts && !groups
		}
	}
	return false
}

// kindOf is what passing over a part of the message means. Without a name, a number or the verb of a change the call
// would do something else than was said.
func (o *order) kindOf(tool string, p calls.Part, all []calls.Part) string {
	said := text.Fold(o.req.Message[p.Start:p.End])
	if p.Use == calls.Left {
		return skipValue
	}
	if changes := o.words.verb(said).changes; len(changes) > 0 && (o.in.heads[said] || changes[changeDelete]) {
		return link.SkipFixed + catChange
	}
	kind := o.spanned(p, all)
	switch {
	case strings.HasPrefix(kind, link.SkipFixed):
		return kind
	case p.Use != calls.Small && !o.words.is(said, catColumn) && o.set.Elsewhere(tool, said):
		return skipElsewhere
	case kind != "":
		return kind
	case p.Use == calls.Small:
		return link.SkipFiller
	}
	for _, cat := range []string{catRead, catAsk, catCall, catSmall, catPolite} {
		if o.words.is(said, cat) {
			return link.SkipFiller
		}
	}
	if o.in.heads[said] && o.set.Names(said) {
		return link.SkipFixed + catChange // what another tool does is ordered
	}
	return link.SkipUnknown
}

// spanned is the worst kind of the stretches that hold a part of the message, "" for none.
func (o *order) spanned(p calls.Part, all []calls.Part) string {
	kind := ""
	for _, k := range o.kinds {
		if p.Start >= k.end || k.start >= p.End {
			continue
		}
		if k.usedBy(o.req.Message, all) {
			return link.SkipFiller
		}
		kind = link.WorseSkip(kind, k.kind)
	}
	return kind
}

// Bar is how likely the calls must be what is meant, to be planned.
const Bar = 0.6
