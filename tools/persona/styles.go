package persona

import (
	"cmp"
	"fmt"
)

// Styles are the attachment styles that are known. The first four are those of Bartholomew and Horowitz (1991) in the words of
// Hazan and Shaver (1987) and Main and Solomon (1990); exploratory is what existing clients call somebody who seeks growth and
// free expression first.
var Styles = []string{styleSecure, styleAnxious, styleAvoidant, styleDisorganized, styleExploratory}

const (
	styleSecure       = "secure"
	styleAnxious      = "anxious"
	styleAvoidant     = "avoidant"
	styleDisorganized = "disorganized"
	styleExploratory  = "exploratory"
)

// Compatibility is what is said about two attachment styles together.
type Compatibility struct {
	Level           string // High, Good, Moderate, Challenging, Difficult or Low
	Score           float64
	Reason          string
	Strengths       []string
	Challenges      []string
	Recommendations []string
}

// scores of the levels, 0 to 10: evenly spread, for clients that draw them. They say no more than the words.
var scores = map[string]float64{"High": 9, "Good": 7.5, "Moderate": 6, "Challenging": 4, "Difficult": 3, "Low": 2}

// pairing is a row of the table of compatibility.
type pairing struct {
	a, b, level, reason, strength, challenge, advice string
}

// pairings hold each pair of styles once. The levels of pairs of secure, anxious and avoidant are those that existing clients know; the
// others are set by the same thought: a secure side steadies, opposite needs for closeness pull apart, and two who both shun closeness, or
// both fear it, have nobody to begin.
var pairings = []pairing{
	{styleSecure, styleSecure, "High", "Both can be close and apart without alarm, and both can repair after a quarrel.",
		"Both say openly what they need.", "Calm can turn into taking each other for granted.", "Keep asking; do not only assume that all is well."},
	{styleSecure, styleAnxious, "Good", "The secure side can give the reassurance that the anxious side looks for, and does not read the search as an attack.",
		"Steady answers calm the anxious side over time.", "The secure side can tire of being asked again.", "Agree on when a reply can be expected, and keep to it."},
	{styleSecure, styleAvoidant, "Moderate", "The secure side leaves room, so that the avoidant side can come closer at its own pace.",
		"There is no pressure to be close at once.", "Distance can feel like rejection to the side that is open.", "Say in advance when time alone is needed, and when it ends."},
	{styleSecure, styleDisorganized, "Moderate", "A reliable partner gives a frame in which mixed signals become fewer.",
		"One side stays calm when the other does not know whether to come or go.", "Trust grows slowly and falls back under stress.", "Keep promises small and keep all of them."},
	{styleSecure, styleExploratory, "Good", "A safe base makes it easy to explore, and news come home.",
		"Freedom and reliability go together.", "The wish for novelty can meet a wish for routine.", "Plan both: something new, and something that stays."},
	{styleAnxious, styleAnxious, "Challenging", "Both look for reassurance and both doubt it, so that worry passes to and fro.",
		"Both know what it means to need an answer.", "Small silences can grow into alarm on both sides.", "Slow down when both are upset; one speaks, the other repeats what was heard."},
	{styleAnxious, styleAvoidant, "Difficult", "One side comes closer when it is afraid and the other steps back: each makes the other's fear come true.",
		"When both see the pattern, each holds what the other could learn.", "Pursuing and withdrawing drive each other.", "Name the pattern aloud; agree on a pause with a fixed end."},
	{styleAnxious, styleDisorganized, "Difficult", "The search for closeness meets signals that change, which feeds the fear of being left.",
		"Both take feelings seriously.", "Hot and cold follow each other quickly.", "Keep to fixed times for talks, and have somebody outside to turn to."},
	{styleAnxious, styleExploratory, "Moderate", "The anxious side wants to know where it stands; the exploratory side wants to find out. Both like to talk about it.",
		"Curiosity makes room for feelings.", "Freedom of the one can look like leaving to the other.", "Say before each new venture what stays as it is."},
	{styleAvoidant, styleAvoidant, "Low", "Neither comes closer by itself, so that the relationship stays polite and thin.",
		"Both respect boundaries without being asked.", "Problems are left alone until they are too large.", "Set a regular time for one personal question each."},
	{styleAvoidant, styleDisorganized, "Difficult", "One side steps back when it gets close, the other comes and goes: there is little that either can lean on.",
		"Neither demands more than the other can give.", "Withdrawal confirms the fear of the other side.", "Begin with shared tasks, and talk about feelings in small portions."},
	{styleAvoidant, styleExploratory, "Moderate", "Both value independence; the exploratory side can open doors without pushing.",
		"There is much room for each one's own life.", "Both can drift apart without noticing.", "Share what was found on one's own ways, at a fixed time."},
	{styleDisorganized, styleDisorganized, "Difficult", "Both want closeness and fear it, so that signals of one set off the other.",
		"Both know mixed feelings from inside.", "There is no steady side in a storm.", "Seek support from outside before the next storm, not in it."},
	{styleDisorganized, styleExploratory, "Challenging", "Openness helps, but much change makes an uncertain side more uncertain.",
		"Neither judges quickly.", "Too much that is new at once unsettles.", "Change one thing at a time."},
	{styleExploratory, styleExploratory, "Good", "Both want to grow and let the other grow.",
		"There is always something to talk about.", "Nobody keeps the everyday together.", "Share out the dull tasks, in writing."},
}

// general recommendations that hold for any two.
var generalAdvice = []string{
	"Ask about the other's need for closeness instead of guessing it.",
	"Say things clearly and often; small messages count.",
	"Respect that the two may need a different pace.",
}

// Compare says how two attachment styles go together, whatever their order. Unknown styles give an error.
func Compare(a, b string) (Compatibility, error) {
	for _, p := range pairings {
		if p.a == a && p.b == b || p.a == b && p.b == a {
			return Compatibility{Level: p.level, Score: scores[p.level], Reason: p.reason, Strengths: []string{p.strength},
				Challenges: []string{p.challenge}, Recommendations: append([]string{p.advice}, generalAdvice...)}, nil
		}
	}
	unknown := a
	if known(a) {
		unknown = b
	}
	return Compatibility{}, fmt.Errorf("%q is no known attachment style", cmp.Or(short(unknown), "(none)"))
}

func known(style string) bool {
	for _, s := range Styles {
		if s == style {
			return true
		}
	}
	return false
}
