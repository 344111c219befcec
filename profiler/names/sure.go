package names

import (
	"slices"
	"strings"
)

// How confident the reading of a part must be before people see it; measured by go -C bench run ./names.
const (
	titledConfidence  = 0.3 // its words are the title's
	seenConfidence    = 0.5 // it was seen before: about seven of ten names are read right so
	wordConfidence    = 0.8 // and for a word
	lettersConfidence = 0.8 // its letters alone say it, and nobody could say the part as a word: about half
	joinedConfidence  = 0.9 // words written together
)

// Bounds of what is shown.
const (
	shortestListed = 2
	shortestShown  = 4  // as a name of its own three letters mean anything
	longestShown   = 24 // longer ones are no short forms
	shortestCut    = 6
	shortestJoined = 3 // of words written together; id and such are short forms
)

// Doubtful reports whether a part of a name, in small ASCII letters, may have a reading that Sure lets through: whether
// it is worth to be looked at.
func (m *Model) Doubtful(part string) bool {
	if len(part) > longestShown || !isLetters(part) {
		return false
	}
	return !m.Knows(part) || m.hasLonger(part)
}

// Sure reports whether the reading of a part is likely enough to be shown:
//   - the part was seen to stand for the words in several sources, or the words are those of the table's title, and in
//     this table it more likely
//     does than not;
//   - or letters are missing that nobody could leave out in speaking (vndrs);
//   - or the part is two or three words written together (bouncerate), each of them known or a short form that a
//     dictionary has (checkno);
//     short gives its words, "" when it has none.
//
// Parts that people can say as a word may be words of any language, and single letters mean anything: they stay.
func (m *Model) Sure(p Part, short func(piece string) string) bool {
	switch {
	case len(p.Words) == 0 || len(p.Text) > longestShown || len(p.Words) == 1 && p.Words[0] == p.Text:
		return false
	case p.Titled:
		return p.Confidence >= titledConfidence
	case len(p.Text) < shortestListed, p.Whole && len(p.Text) < shortestShown-1:
		return false
	case m.listed(p.Text, p.Words):
		return p.Confidence >= m.seenLeast(p.Text)
	case !isLetters(p.Text) || m.Knows(p.Text) || len(p.Text) < shortestShown-1 ||
		p.Whole && len(p.Text) < shortestShown:
		return false
	case (!sayable(p.Text) || len(p.Text) < shortestShown) && m.byLetters(p):
		return true
	}
	return m.spelt(p, short)
}

// seenLeast is how confident the reading of a part must be that was seen before.
func (m *Model) seenLeast(part string) float64 {
	if m.Knows(part) {
		return wordConfidence
	}
	return seenConfidence
}

// byLetters reports whether the letters of a part say what it stands for: one word, or several that are written
// together.
func (m *Model) byLetters(p Part) bool {
	least := lettersConfidence
	if len(p.Words) > 1 {
		least = joinedConfidence
	}
	together := len(p.Words) == 1 || len(p.Text) >= shortestCut
	return together && p.Confidence >= least && !slices.ContainsFunc(p.Words, func(w string) bool {
		return !m.Knows(w)
	})
}

// spelt reports whether the letters of a part leave no doubt: nearly all of a word are there, or words are written
// together.
func (m *Model) spelt(p Part, short func(piece string) string) bool {
	switch n := len(p.Words); {
	case n == 1:
		word := p.Words[0]
		return m.Knows(word) && (4*len(p.Text) >= 3*len(word) && p.Confidence >= seenConfidence) &&
			(!sayable(p.Text) || 5*len(p.Text) >= 4*len(word))
	case n <= 3 && p.Confidence >= joinedConfidence:
		return len(p.Text) >= shortestCut && slices.ContainsFunc(p.Words, func(w string) bool {
			return len(w) >= shortestShown
		}) && m.joins(p.Text, p.Words, short)
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
	return text != "" && text != part && slices.ContainsFunc(m.senses(part), func(s sense) bool {
		return m.text(s.words) == text
	})
}

// joins reports whether a text is the words, or their short forms, one behind the other; one at least is written out.
func (m *Model) joins(text string, words []string, short func(piece string) string) bool {
	written := false
	for _, w := range words {
		if tiny := len(w) < shortestJoined && !small[w] && short(w) == ""; tiny || !m.Knows(w) {
			return false // ventes is no vent
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

// sayable reports whether people could say a text as a word: it has a vowel behind its first letter, and no run of
// consonants that words of English, German, French and Spanish do not have.
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
var sounds = strings.NewReplacer("sch", "s", "tch", "c", "ch", "c", "ck", "k", "sh", "s", "th", "t", "ph", "f", "gh",
	"", "qu", "k")

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
