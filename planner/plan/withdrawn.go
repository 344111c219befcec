package plan

import (
	"regexp"
	"strings"
)

const (
	// openingWords are words before what a sentence says.
	openingWords = `^(?:(?:please|but|and|so|wait|no|oh|actually|sorry|hmm|well|ok|okay)[,.]? )*`
	// takenBack are what a plan or step is called that does not hold any more.
	takenBack = `cancell?ed|rejected|refused|denied|deprecated|withdrawn|retracted|obsolete|superseded|discarded|abandoned|skipped|disabled|void|invalid|wrong|incorrect|verworfen|abgelehnt|ungültig|falsch`
)

// againstPlan matches a sentence beside a plan by which it is none that is to run: an order not to run it, or a judgement of it. A sentence about what
// the plan or the program does not do ("This changes nothing", "I do not need other tools") is none.
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

// withdrawnAfter reports whether the sentence behind a plan takes it back: "Wait, that is wrong." A sentence about what it does not do is none.
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
