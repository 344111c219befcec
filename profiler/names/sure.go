package names

import (
	"slices"
	"strings"
)

// SureConfidence is how confident the reading of a part must be before people see it, beside what Sure asks for.
//
// Measured by go -C bench run ./names.
const SureConfidence = 0.9

// ListedConfidence is how confident the reading of a part must be that was seen before.
const ListedConfidence = 0.8

// SpeltConfidence is how confident the reading of a part must be that has three of four letters of its word.
const SpeltConfidence = 0.5

// Bounds of what is shown.
const (
	shortestListed = 2
	shortestShown  = 4  // three letters mean anything
	longestShown   = 24 // longer ones are no short forms
	shortestCut    = 6
)

// Doubtful reports whether a part of a name, in small ASCII letters, may have a reading that Sure lets through: whether it is worth
// to be looked at. Words never are: people can say them, and they are long enough to be some language's own.
func (m *Model) Doubtful(part string) bool {
	return len(part) >= shortestListed && !m.Knows(part) && m.hasLonger(part) || m.guessable(part)
}

// guessable reports whether a part that was never seen may be read by its letters.
func (m *Model) guessable(part string) bool {
	if len(part) < shortestShown || len(part) > longestShown || !isLetters(part) || m.Knows(part) {
		return false
	}
	return len(part) >= shortestShown
}

// Sure reports whether the reading of a part is likely enough to be shown:
//   - the part was seen to stand for the words in several sources, and in this table it more likely does than not;
//   - or the part is two or three words written together (bouncerate), each of them known or a short form that a dictionary has (checkno);
//     short gives its words, "" when it has none;
//   - or it is one word of which letters are missing that nobody could leave out in speaking (vndrs), and three of five letters are there.
//
// All other readings are good guesses and misleading labels.
func (m *Model) Sure(p Part, short func(piece string) string) bool {
	if p.Confidence >= ListedConfidence && len(p.Text) >= shortestListed && !m.Knows(p.Text) && m.listed(p.Text, p.Words) {
		return true
	}
	least := SureConfidence
	if len(p.Words) == 1 && 4*len(p.Text) >= 3*len(p.Words[0]) {
		least = SpeltConfidence
	}
	if p.Confidence < least || !m.guessable(p.Text) {
		return false
	}
	switch len(p.Words) {
	case 0:
		return false
	case 1:
		word := p.Words[0]
		return word != p.Text && m.Knows(word) && (!sayable(p.Text) && 5*len(p.Text) >= 3*len(word) || 5*len(p.Text) >= 4*len(word))
	case 2, 3:
		return len(p.Text) >= shortestCut && slices.ContainsFunc(p.Words, func(w string) bool { return len(w) >= shortestShown }) && m.joins(p.Text, p.Words, short)
	}
	return false
}

// hasLonger reports whether a part was seen to stand for other words than itself.
func (m *Model) hasLonger(part string) bool {
	return slices.ContainsFunc(m.senses(part), func(s sense) bool { return m.text(s.words) != part })
}

// listed reports whether a part was seen to stand for the words.
func (m *Model) listed(part string, words []string) bool {
	text := strings.Join(words, " ")
	return text != "" && text != part && slices.ContainsFunc(m.senses(part), func(s sense) bool { return m.text(s.words) == text })
}

// joins reports whether a text is the words, or their short forms, one behind the other; one at least is written out.
func (m *Model) joins(text string, words []string, short func(piece string) string) bool {
	written := false
	for _, w := range words {
		if !m.Knows(w) || len(w) < 2 {
			return false
		}
		if rest, ok := strings.CutPrefix(text, w); ok {
			if len(w) > shortestShown && short(w) != "" {
				return false // a word and a short form of another
			}
			text, written = rest, true
			continue
		}
		end := len(text)
		for end >= 2 && short(text[:end]) != w {
			end--
		}
		if end < 2 {
			return false
		}
		text = text[end:]
	}
	return text == "" && written
}

// sayable reports whether people could say a text as a word: it has a vowel behind its first letter, and no run of consonants that words of
// English, German, French and Spanish do not have.
func sayable(s string) bool {
	inner, run := false, 0 // run is how many consonants stand before s[i]
	for i := range len(s) {
		switch {
		case !isVowel(s[i]) || s[i] == 'y' && i == 0:
			run++
			continue
		case s[i] != 'y' && i > 0:
			inner = true
		}
		if !standsIn(s[i-run:i], i == run, false) {
			return false
		}
		run = 0
	}
	return inner && standsIn(s[len(s)-run:], false, true)
}

// sounds are written with several letters.
var sounds = strings.NewReplacer("sch", "s", "tch", "c", "ch", "c", "ck", "k", "sh", "s", "th", "t", "ph", "f", "gh", "", "qu", "k")

// standsIn reports whether a run of consonants stands in words: at their beginning, inside, or at their end.
func standsIn(s string, first, last bool) bool {
	if s = sounds.Replace(s); len(s) < 2 {
		return true
	}
	a, z := s[0], s[len(s)-1]
	switch {
	case len(s) > 4 || len(s) == 4 && first:
		return false
	case first:
		return a == 's' || a == 'p' && s[1] == 'f' || a == 't' && s[1] == 's' || oneOf(s[1], "lrhwnmsv")
	case last:
		return closes(s[len(s)-2], z)
	}
	return len(s) == 2 || oneOf(a, "lrhwnmsx") || oneOf(z, "lrhwsx") || s[1] == 's'
}

// closes reports whether words end in two consonants.
func closes(a, z byte) bool {
	switch {
	case a == z:
		return true
	case oneOf(z, "lmnr"):
		return oneOf(a, "rlh") || oneOf(a, "wmg") && z == 'n' || a == 'w' && z == 'l' || a == 's' && z == 'm'
	case oneOf(a, "bdgjvz"):
		return z == 's' || a == 'd' && (z == 't' || z == 'z')
	}
	return true
}

func oneOf(c byte, letters string) bool { return strings.IndexByte(letters, c) >= 0 }
