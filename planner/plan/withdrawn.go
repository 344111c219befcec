package plan

import (
	"regexp"
	"strings"
)

// Words of the sentence beside a plan by which it is none that is to run: it is denied, or taken back.
var (
	denied    = WordSet("not cannot never no nor nicht kein keine nie niemals pas jamais nunca jamás")
	takenBack = WordSet("wrong bad incorrect invalid ignore disregard discard cancel mistake wait falsch")
)

// What stands between a sentence and the plan: white space, code fences, tags; or marks that strike it out.
var (
	beforePlan = regexp.MustCompile("(?:\\s|```\\w*|<\\w+>)*$")
	afterPlan  = regexp.MustCompile("^(?:\\s|```|</\\w+>)*")
	struckOut  = regexp.MustCompile(`(?:~~|//|<!--|#)[ \t]*$`)
	denies     = regexp.MustCompile(`^(?:please )?(?:do not|don't|never|nicht)\b`)
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
	return speaksAgainst(text[strings.LastIndexAny(text, ".!?\n")+1:], true)
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
	return speaksAgainst(text, false)
}

func speaksAgainst(sentence string, before bool) bool {
	const longest = 400 // bytes; more is no sentence
	if len(sentence) > longest || strings.ContainsAny(sentence, "{}[]") {
		return false
	}
	sentence = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(sentence), "’", "'"))
	for w := range strings.FieldsSeq(sentence) {
		w = strings.Trim(w, ".,:;!?()\"'*_")
		if takenBack[w] || before && (denied[w] || strings.HasSuffix(w, "n't")) {
			return true
		}
	}
	return !before && denies.MatchString(sentence)
}
