package plan

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"catena/planner/loosejson"
)

// Parse reads the plan that a model wrote: a JSON object, alone or inside a code fence, tags or prose. Faults with one
// reading are cured and listed in Plan.Repairs: trailing and missing commas, comments, Python's quotes, words and tuples, keys
// without quotes, a bracket too many or too few, other usual names for tool and args, a lone step or a list of steps, the tool
// calls of the providers' own protocols instead of a plan.
//
// The error is Findings, all of them. Duplicate keys, a text that was cut off or abbreviated, control characters, several
// different plans, and text without any plan are findings; Parse never returns a shorter plan than was written. A plan that
// parses is not yet valid: see Validate.
func Parse(text string, lim Limits) (Plan, error) {
	lim = lim.within()
	if f := unreadable(text, lim); f != nil {
		return Plan{}, f
	}
	text, off := loosejson.Unwrap(text)
	var repairs []Repair
	for _, why := range off {
		repairs = append(repairs, syntaxRepair(why))
	}
	tree, more, found := findPlan(text, lim)
	d := decoder{lim: lim, repairs: append(repairs, more...), said: true, found: found}
	if tree == nil {
		return Plan{}, d.found
	}
	p := d.plan(d.shape(tree))
	if len(d.found) == 0 && p.empty() && len(p.Answer) == 0 {
		d.add(top, NoPlan, "the text holds no plan; answer with steps, clarify or refuse")
	}
	for i := range d.found { // what the scanner found does not know the steps
		if d.found[i].Step == "" {
			d.found[i].Step = stepAt(p, d.found[i].Path)
		}
	}
	if len(d.found) > 0 {
		return Plan{}, d.found
	}
	p.Repairs = d.repairs
	return p, nil
}

// stepAt is the id of the step that a path leads into, "" when it leads into none. Of a list of steps the path starts with
// the step's place.
func stepAt(p Plan, path string) string {
	rest := strings.TrimPrefix(path, "/steps")
	if !strings.HasPrefix(rest, "/") {
		return ""
	}
	place, _, _ := strings.Cut(rest[1:], "/")
	if i, err := strconv.Atoi(place); err == nil && i >= 0 && i < len(p.Steps) {
		return p.Steps[i].ID
	}
	if rest == path && len(p.Steps) == 1 { // a lone step
		return p.Steps[0].ID
	}
	return ""
}

func (p Plan) empty() bool {
	return len(p.Steps) == 0 && p.Clarify == "" && p.Refuse == ""
}

// unreadable finds what makes a text unfit for reading at all.
func unreadable(text string, lim Limits) Findings {
	one := func(c Code, format string, args ...any) Findings {
		return Findings{{Code: c, Message: fmt.Sprintf(format, args...)}}
	}
	if p := loosejson.CheckText(text, lim.Bytes); p != nil {
		return Findings{finding(*p)}
	}
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return one(ControlChar, "the text holds the control character %q at byte %d; leave it out", c, i)
		}
	}
	if strings.TrimSpace(text) == "" {
		return one(NoPlan, "the text is empty; answer with a plan as JSON")
	}
	return nil
}

// candidate is one JSON value of a text.
type candidate struct {
	tree       any
	faults     loosejson.Faults
	found      Findings
	alone      bool // nothing stands around it
	withdrawn  bool // what stands around it speaks against it
	start, end int
}

// findPlan returns the one plan of a text. A tree beside findings is for finding more.
func findPlan(text string, lim Limits) (any, []Repair, Findings) {
	all, cut := candidates(text, lim)
	switch {
	case cut != nil: // a plan that was begun and not ended may correct the one before it
		return nil, nil, Findings{*cut}
	case len(all) == 0:
		return nil, nil, Findings{{Code: NoPlan, Message: "the text holds no plan as JSON; answer with one JSON object"}}
	}
	for _, c := range all {
		if len(c.found) > 0 {
			return c.tree, nil, c.found
		}
	}
	chosen := all[0]
	lines := stepLines(text, all)
	if lines == nil && slices.ContainsFunc(all, func(c candidate) bool { return !reflect.DeepEqual(c.tree, chosen.tree) }) {
		return nil, nil, Findings{{Code: AmbiguousMultiplePlans,
			Message: fmt.Sprintf("the text holds %d different plans; answer with one", len(all))}}
	}
	if slices.ContainsFunc(all, func(c candidate) bool { return c.withdrawn }) {
		return nil, nil, Findings{{Code: NoPlan, Message: "the text beside the plan speaks against it; answer with the plan that is to run, and nothing else, or with clarify or refuse"}}
	}
	if lines != nil {
		return lines, []Repair{syntaxRepair("steps that stand one after the other make one plan")}, nil
	}
	var repairs []Repair
	if chosen.faults != 0 {
		repairs = append(repairs, syntaxRepair("read in spite of "+chosen.faults.String()))
	}
	if !chosen.alone {
		repairs = append(repairs, syntaxRepair("taken out of the text around it"))
	}
	return chosen.tree, repairs, nil
}

func syntaxRepair(why string) Repair { return Repair{Code: string(Syntax), Why: why} }

// between matches what may stand between two steps of one plan that have no ids: white space, commas, the marks of lists and
// code fences, and the tags around tool calls.
var between = regexp.MustCompile("^(?:[\\s,]|</?[A-Za-z_]+>|```[A-Za-z]*|[-*]|[0-9]+[.)])*$")

// stepLines puts together steps that stand one after the other without a plan around them: JSON Lines, or one tool call in
// each pair of tags. With ids of their own, text may stand between them.
func stepLines(text string, all []candidate) any {
	if len(all) < 2 {
		return nil
	}
	steps := make([]any, 0, len(all))
	seen := map[string]bool{}
	answer := answerAlone(all[len(all)-1].tree)
	if answer != nil {
		all = all[:len(all)-1]
	}
	for i, c := range all {
		m, ok := c.tree.(map[string]any)
		if !ok || m["steps"] != nil || !looksLikeStep(m) {
			return nil
		}
		id, named := m["id"].(string)
		if named && seen[id] || !named && i > 0 && !between.MatchString(text[all[i-1].end:c.start]) {
			return nil
		}
		if named {
			seen[id] = true
		}
		steps = append(steps, m)
	}
	return map[string]any{"steps": steps, "answer": answer}
}

// answerAlone is what an object says that holds an answer and nothing else; nil where it is none.
func answerAlone(tree any) any {
	m, ok := tree.(map[string]any)
	if !ok || len(m) != 1 {
		return nil
	}
	return m[firstOf(m, answerNames)]
}

// maxTries bounds how many brackets of a text are tried as the start of a plan.
const maxTries = 64

// candidates reads every JSON value of the text that looks like a plan. A value that starts like a plan and is not ended,
// or is broken, ends the search with a finding.
func candidates(text string, lim Limits) ([]candidate, *Finding) {
	var all []candidate
	work := 8 * len(text) // bytes that may be looked at: many brackets that each lead nowhere stay cheap
	for at, tries := 0, 0; tries < maxTries && work > 0; tries++ {
		k := strings.IndexAny(text[at:], "{[\"")
		if k < 0 {
			break
		}
		at += k
		if text[at] == '"' && strings.TrimSpace(text[:at]) != "" {
			at++ // a quoted text counts only when it is the whole text: a plan encoded twice
			tries--
			continue
		}
		got := loosejson.Scan(text, at, asPlan(lim))
		tree := got.Value
		work -= got.End - at
		if got.Stop != nil && !wholeBut(got, text) {
			if got.Stop.Code == loosejson.TooDeep || begun.MatchString(text[at:min(len(text), at+200)]) {
				x := finding(*got.Stop) // what stands inside a broken plan would be a shorter plan
				return all, &x
			}
			at++
			continue
		}
		if s, ok := tree.(string); ok {
			return candidatesInside(s, lim)
		}
		if planInside(tree, 0) != nil || len(all) > 0 && answerAlone(tree) != nil {
			all = append(all, candidate{tree: tree, faults: got.Faults, found: findingsOf(got.Found), start: at, end: got.End,
				withdrawn: looksRun(tree) && (withdrawnBefore(text[:at]) || withdrawnAfter(text[got.End:])),
				alone:     strings.TrimSpace(text[:at]) == "" && strings.TrimSpace(text[got.End:]) == ""})
		}
		at = got.End
	}
	return all, nil
}

// candidatesInside reads a plan that was encoded as a JSON text of its own, once.
func candidatesInside(s string, lim Limits) ([]candidate, *Finding) {
	if t := strings.TrimSpace(s); t == "" || t[0] != '{' && t[0] != '[' {
		return nil, nil
	}
	all, cut := candidates(s, lim)
	for i := range all {
		all[i].alone = false
	}
	return all, cut
}

// wholeBut decides about a value that the end of the text, or of its code fence, cut off. Where a whole plan with its
// answer stands there and nothing but closing brackets is missing, there is one reading; else steps may be lost.
func wholeBut(got loosejson.Scanned, text string) bool {
	m, ok := got.Value.(map[string]any)
	ended := got.Stop.Code == loosejson.Truncated && got.Faults.Unclosed() && got.End >= len(text)
	return ok && ended && m["steps"] != nil && m["answer"] != nil
}

// begun matches the start of an object that was meant as JSON: its first key, in quotes, or bare where plans have it.
// "{load} and {draw}" in prose is none.
var begun = regexp.MustCompile(`^[\[{][\s\[{]*(["'“][^"'“”\n]{1,40}["'”]|steps|plan|title|confidence|clarify|refuse|answer|id|tool|args|name)\s*:`)

const (
	// openingWords are words before what a sentence says.
	openingWords = `^(?:(?:please|but|and|so|wait|no|oh|actually|sorry|hmm|well|ok|okay)[,.]? )*`
	// takenBack are what a plan or step is called that does not hold any more.
	takenBack = `cancell?ed|rejected|refused|denied|deprecated|withdrawn|retracted|obsolete|superseded|discarded|abandoned|skipped|disabled|void|invalid|wrong|incorrect|verworfen|abgelehnt|ungültig|falsch`
)

// againstPlan matches a sentence beside a plan by which it is none that is to run: an order not to run it, or a
// judgement of it. A sentence about what the plan or the program does not do ("This changes nothing", "I do not need
// other tools") is none.
var againstPlan = regexp.MustCompile(strings.Join([]string{
	openingWords + `(?:do not|don't|never|nicht|niemals) (?:ever )?(?:run|execute|use|send|try|do|call|follow|ausführen|benutzen)\b`,
	openingWords + `(?:ignore|disregard|discard|cancel|scrap|forget) (?:this|that|it|the (?:plan|following|above))\b`,
	openingWords + `(?:on|upon) (?:second|further) thoughts?\b`,
	openingWords + `(?:the )?(?:plan )?(?:is |was )?(?:` + takenBack + `)(?: (?:plan|draft|step|one|example|attempt|version))?$`,
	`\b(?:must|should|shall|may|can|could) ?(?:not|never|n't) be \w`,
	`\b(?:not|never) (?:to be|be) (?:run|executed|used|done|sent|followed)\b`,
	`\b(?:i|we|you|one) (?:would|should|must|will) (?:not|never)\b.{0,20}$`,
	`\b(?:(?:did|do|does)(?: not|n't)|never) (?:ask|want|need)(?:ed)? (?:me |us )?(?:for |about )?(?:this|that|it)$`,
	`\b(?:is|was)(?: not|n't) what (?:was|is|has|i|we|you|they|the)\b`,
	`\b(?:only|just|merely) an? (?:draft|example|sketch|illustration|test)\b`,
	`\b(?:bad|wrong|invalid|incorrect|broken) (?:plan|example|answer|one|approach)\b`,
	`\b(?:is|was|were|would be|looks) (?:\w+ )?(?:wrong|bad|incorrect|invalid|a mistake|falsch)$`,
}, "|"))

// What stands between a sentence and the plan: white space, code fences, tags; or marks that strike it out.
var (
	beforePlan = regexp.MustCompile("(?:\\s|```\\w*|<\\w+>)*$")
	afterPlan  = regexp.MustCompile("^(?:\\s|```|</\\w+>)*")
	struckOut  = regexp.MustCompile(`(?:~~|//|<!--|#)[ \t]*$`)
)

// looksRun reports whether a tree is more than a question or a refusal.
func looksRun(tree any) bool {
	m, ok := tree.(map[string]any)
	return !ok || m["steps"] != nil || m["clarify"] == nil && m["refuse"] == nil
}

// withdrawnBefore reports whether the sentence before a plan denies it: "Do not run this:".
func withdrawnBefore(text string) bool {
	if struckOut.MatchString(text) {
		return true
	}
	text = strings.TrimRight(text[:beforePlan.FindStringIndex(text)[0]], ".:!? ")
	return speaksAgainst(text[strings.LastIndexAny(text, ".!?\n")+1:])
}

// withdrawnAfter reports whether the sentence behind a plan takes it back: "Wait, that is wrong." A sentence about what
// it does not do is none.
func withdrawnAfter(text string) bool {
	if strings.HasPrefix(text, "~~") || strings.HasPrefix(text, "-->") {
		return true
	}
	text = text[afterPlan.FindStringIndex(text)[1]:]
	if end := strings.IndexAny(text, ".!?\n"); end >= 0 {
		text = text[:end]
	}
	return speaksAgainst(text)
}

func speaksAgainst(sentence string) bool {
	const longest = 400 // bytes; more is no sentence
	if len(sentence) > longest || strings.ContainsAny(sentence, "{}[]") {
		return false
	}
	sentence = strings.ToLower(strings.ReplaceAll(sentence, "’", "'"))
	return againstPlan.MatchString(strings.Trim(sentence, " .:,;!?*_\"()-–—"))
}
