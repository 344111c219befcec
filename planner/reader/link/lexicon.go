package link

import (
	"embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"catena/internal/text"
)

//go:embed data/lexicon.*.txt
var lexiconFiles embed.FS

// lexicons are the built-in ones, read once. That they can be read is tested.
var lexicons = sync.OnceValues(func() (*vocabulary, error) {
	names, err := lexiconFiles.ReadDir("data")
	if err != nil {
		return nil, err
	}
	v := &vocabulary{clitics: map[string]bool{}}
	for _, n := range names {
		data, err := lexiconFiles.ReadFile(path.Join("data", n.Name()))
		if err != nil {
			return nil, err
		}
		l, err := parseLexicon(string(data))
		if err != nil {
			return nil, fmt.Errorf("%s, %w", n.Name(), err)
		}
		v.add(l)
	}
	return v, nil
})

// vocabulary is the words of all languages.
type vocabulary struct {
	languages []*lexicon
	clitics   map[string]bool
	prefixes  []string // begin compounds
	denying   []string // begin words that deny what follows in them
}

func (v *vocabulary) add(l *lexicon) {
	v.languages = append(v.languages, l)
	for _, w := range l.senses {
		switch w.cat {
		case catClitic:
			v.clitics[w.folds[0]] = true
		case catPrefix:
			v.prefixes = append(v.prefixes, w.folds[0])
		case catDeny:
			v.denying = append(v.denying, w.folds[0])
		}
	}
}

// compound is where the first word of a compound ends, 0 where a word is none, or stands in a lexicon as it is.
func (v *vocabulary) compound(fold string) int {
	for _, p := range v.prefixes {
		if !strings.HasPrefix(fold, p) || len(fold) < len(p)+leastCompound {
			continue
		}
		if slices.ContainsFunc(v.languages, func(l *lexicon) bool { return l.root.next[text.Stem(fold)] != nil }) {
			return 0
		}
		return len(p)
	}
	return 0
}

// leastCompound is how long the second word of a compound is, in bytes.
const leastCompound = 4

// lexicon is the words of one language: phrases as a tree over the stems of their words.
type lexicon struct {
	root   trie
	senses []*sense
	// concepts are the concepts that a word's key belongs to.
	concepts map[string][]string
	// kinds are the concepts under which a word of a name falls: by those it can be called, but not they by it.
	kinds map[string][]string
	// measures are the units that a concept is measured in.
	measures map[string][]string
	// endings are what words end in that name somebody, or what somebody does.
	endings map[string]string
}

// inForm stands before words that belong to other concepts in one form than in others of their stem: placed is no
// place.
const inForm = "="

type trie struct {
	next map[string]*trie
	ends []*sense
}

// sense is what one phrase may mean.
type sense struct {
	cat   Category
	sense string
	fixed bool
	exact bool     // in this form only, not in others of its stem
	folds []string // the words
}

// maxPhrase is how many words a phrase of the lexicon may have.
const maxPhrase = 8

// parseLexicon reads senses, one a line:
//
//	category sense : phrase | phrase
//
// The sense may be missing; an underscore in it is a space. An exclamation mark behind the category says that no reading may pass over the words; an
// equals sign there, or before a phrase, that the words are meant in this form alone. A number sign begins a comment. An
// error names the line.
func parseLexicon(data string) (*lexicon, error) {
	l := &lexicon{concepts: map[string][]string{}, kinds: map[string][]string{}, measures: map[string][]string{}, endings: map[string]string{}}
	for i, line := range strings.Split(data, "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		line, _, _ = strings.Cut(line, " #")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := l.addLine(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return l, nil
}

var (
	errNoSense  = errors.New("is no sense: category sense : phrase | phrase")
	errNoPhrase = errors.New("an empty phrase")
)

func (l *lexicon) addLine(line string) error {
	head, phrases, ok := strings.Cut(line, " : ")
	words := strings.Fields(head)
	if !ok || len(words) == 0 || len(words) > 2 {
		return fmt.Errorf("%q %w", line, errNoSense)
	}
	name := strings.TrimRight(words[0], "!=")
	flags := words[0][len(name):]
	s := sense{cat: Category(name), fixed: strings.Contains(flags, "!"), exact: strings.Contains(flags, "=")}
	if name == "" {
		return fmt.Errorf("%q %w", line, errNoSense)
	}
	if len(words) == 2 {
		s.sense = strings.ReplaceAll(words[1], "_", " ")
	}
	for _, phrase := range strings.Split(phrases, " | ") {
		if err := l.addPhrase(strings.TrimSpace(phrase), s); err != nil {
			return err
		}
	}
	return nil
}

func (l *lexicon) addPhrase(phrase string, s sense) error {
	s.folds = []string{phrase}
	if strings.ContainsFunc(phrase, wordRune) {
		rest, only := strings.CutPrefix(phrase, "=")
		s.exact = s.exact || only
		s.folds = strings.Fields(strings.ReplaceAll(text.Fold(rest), "-", " "))
	}
	switch {
	case len(s.folds) == 0 || s.folds[0] == "":
		return errNoPhrase
	case len(s.folds) > maxPhrase:
		return fmt.Errorf("%q has more than %d words", phrase, maxPhrase)
	}
	l.senses = append(l.senses, &s)
	switch s.cat {
	case catMeasure: // units are written as fields have them
		l.measures[s.sense] = append(l.measures[s.sense], phrase)
		return nil
	case catEnding:
		l.endings[phrase] = s.sense
		return nil
	case catConcept, catKind:
		of := l.concepts
		if s.cat == catKind {
			of = l.kinds
		}
		key := strings.Join(keysOf(s.folds), " ")
		if s.exact {
			key = inForm + strings.Join(s.folds, " ")
		}
		of[key] = append(of[key], s.sense)
		return nil
	}
	at := &l.root
	for _, w := range s.folds {
		if at.next == nil {
			at.next = map[string]*trie{}
		}
		key := text.Stem(w)
		if at.next[key] == nil {
			at.next[key] = &trie{}
		}
		at = at.next[key]
	}
	for _, e := range at.ends {
		if e.cat == s.cat && e.sense == s.sense && strings.Join(e.folds, " ") == strings.Join(s.folds, " ") {
			return fmt.Errorf("%q stands twice for %s %s", phrase, s.cat, s.sense)
		}
	}
	at.ends = append(at.ends, &s)
	return nil
}

// Key is what all forms of a word share: the stem of its singular.
func Key(fold string) string { return text.Stem(text.Singular(fold)) }

func keysOf(folds []string) []string {
	out := make([]string, len(folds))
	for i, f := range folds {
		out[i] = Key(f)
	}
	return out
}

// hit is a phrase of the lexicon that stands in a message.
type hit struct {
	from, to int
	*sense
	score float64
}

// How well a phrase fits: as it is written, by its stem, as a part of a hyphenated word.
const (
	fitsForm = 1
	fitsStem = 0.9
	fitsPart = 0.6
)

// whole reports whether a phrase is no mere part of what is written as one.
func (h hit) whole() bool { return h.score > fitsPart }

// find gives the phrases that begin at each token.
func (l *lexicon) find(toks []Token) [][]hit {
	out := make([][]hit, len(toks))
	for i := range toks {
		if toks[i].kind == quotedToken {
			continue
		}
		w := walk{toks: toks, from: i}
		w.on(&l.root, i)
		if len(w.out) == 0 {
			w.inside(&l.root, i)
		}
		out[i] = w.out
	}
	return out
}

// walk follows the words of a message through the tree.
type walk struct {
	toks  []Token
	from  int
	folds []string
	out   []hit
}

func (w *walk) on(at *trie, i int) {
	if i >= len(w.toks) || w.toks[i].kind == quotedToken {
		return
	}
	before := len(w.folds)
	t := w.toks[i]
	next := at.next[t.stem]
	w.folds = append(w.folds, t.fold)
	if next == nil && len(t.parts) > 0 {
		next = at
		w.folds = append(w.folds[:before], t.parts...)
		for _, p := range t.parts {
			if next = next.next[text.Stem(p)]; next == nil {
				break
			}
		}
	}
	if next != nil {
		w.end(next, i+1, 1)
		w.on(next, i+1)
	}
	w.folds = w.folds[:before]
}

// inside looks for words that are a part of what is written as one.
func (w *walk) inside(at *trie, i int) {
	for _, p := range w.toks[i].parts {
		if next := at.next[text.Stem(p)]; next != nil {
			w.folds = append(w.folds[:0], p)
			w.end(next, i+1, fitsPart)
		}
	}
	w.folds = w.folds[:0]
}

// end takes the senses of a whole phrase.
func (w *walk) end(at *trie, to int, most float64) {
	for _, s := range at.ends {
		same := true
		for k, f := range s.folds {
			same = same && f == w.folds[k]
		}
		switch {
		case same:
			w.out = append(w.out, hit{w.from, to, s, most * fitsForm})
		case !s.exact:
			w.out = append(w.out, hit{w.from, to, s, most * fitsStem})
		}
	}
}

// speak chooses the languages whose words cover the most of a message, and gives their phrases.
func (v *vocabulary) speak(toks []Token) (hits [][]hit, spoken []*lexicon) {
	best := -1
	for _, l := range v.languages {
		found := l.find(toks)
		switch n := covered(found); {
		case n > best:
			best, hits, spoken = n, found, []*lexicon{l}
		case n == best:
			spoken = append(spoken, l)
			for i := range hits {
				hits[i] = append(hits[i], found[i]...)
			}
		}
	}
	return hits, spoken
}

// covered is how many tokens the phrases lie over.
func covered(found [][]hit) int {
	n, end := 0, 0
	for i, list := range found {
		for _, h := range list {
			end = max(end, h.to)
		}
		if i < end {
			n++
		}
	}
	return n
}

// unitsOf are the units that measure a concept.
func (v *vocabulary) unitsOf(concept string) []string {
	var out []string
	for _, l := range v.languages {
		out = append(out, l.measures[concept]...)
	}
	return out
}
