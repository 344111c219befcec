package orders

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"catena/internal/text"
	"catena/planner/plan"
)

// The categories of data/orders.*.txt.
const (
	catPolite  = "polite"
	catCall    = "invoke"
	catSmall   = "aside"
	catRead    = "read"
	catAsk     = "ask"
	catChange  = "change"
	catNot     = "not" // of the lexicon
	catJoin    = "join"
	catLink    = "link"
	catProgram = "program"
)

// changeDelete is the sense of changes that take something away.
const changeDelete = "delete"

//go:embed data/orders.*.txt
var lexiconFiles embed.FS

var errLine = errors.New("is no line of orders: category sense : phrase | phrase")

// lexiconSense is what a phrase of data/orders.*.txt means.
type lexiconSense struct{ cat, sense string }

// lexicon are the senses of each phrase, folded, in all languages.
type lexicon struct {
	senses  map[string][]lexiconSense
	longest int // words of a phrase
}

var theLexicon = sync.OnceValue(func() *lexicon {
	l, err := readLexicon()
	if err != nil {
		panic("planner/reader/orders: " + err.Error()) // a test reads them
	}
	return l
})

func readLexicon() (*lexicon, error) {
	l := &lexicon{senses: map[string][]lexiconSense{}}
	names, err := lexiconFiles.ReadDir("data")
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		data, err := lexiconFiles.ReadFile(path.Join("data", n.Name()))
		if err != nil {
			return nil, err
		}
		for i, line := range strings.Split(string(data), "\n") {
			if err := l.add(line); err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", n.Name(), i+1, err)
			}
		}
	}
	return l, nil
}

func (l *lexicon) add(line string) error {
	if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
		return nil
	}
	head, phrases, ok := strings.Cut(line, " : ")
	words := strings.Fields(head)
	if !ok || len(words) == 0 || len(words) > 2 {
		return fmt.Errorf("%q %w", line, errLine)
	}
	s := lexiconSense{cat: words[0]}
	if len(words) == 2 {
		s.sense = words[1]
	}
	for _, phrase := range strings.Split(phrases, " | ") {
		list := tokenize(phrase)
		if len(list) == 0 {
			return fmt.Errorf("%q %w", line, errLine)
		}
		key := phraseKey(list)
		l.senses[key] = append(l.senses[key], s)
		l.longest = max(l.longest, len(list))
	}
	return nil
}

// token is a word, a number, a quoted text or a mark of an order.
type token struct {
	fold       string
	start, end int // bytes
	mark       bool
	quoted     bool
}

// tokenForms are what an order is cut into: quoted texts, words with what joins them to names and paths, marks.
var tokenForms = regexp.MustCompile(
	`"[^"\n]*"|` + "`[^`\n]*`" + `|[\p{L}\p{M}\p{N}_#@/\\~$][\p{L}\p{M}\p{N}_'’./\\:@#*?%&+~$-]*[\p{L}\p{M}\p{N}_/*]|[\p{L}\p{M}\p{N}_]|\S`,
)

// maxTokens bounds what is read as an order; a longer message is none.
const maxTokens = 600

func tokenize(s string) []token {
	var out []token
	for _, at := range tokenForms.FindAllStringIndex(s, maxTokens) {
		t := token{start: at[0], end: at[1], fold: text.Fold(strings.ReplaceAll(s[at[0]:at[1]], "’", "'"))}
		t.quoted = at[1]-at[0] > 1 && strings.ContainsAny(s[at[0]:at[0]+1], "\"`")
		t.mark = !strings.ContainsFunc(t.fold, lettered)
		out = append(out, t)
	}
	return out
}

func phraseKey(list []token) string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.fold
	}
	return strings.Join(out, " ")
}

// at is how many tokens from i on are a phrase of a category, the longest, and its sense; 0 where none is.
func (l *lexicon) at(toks []token, i int, cat string) (n int, sense string) {
	for n := min(l.longest, len(toks)-i); n > 0; n-- {
		if toks[i].quoted {
			return 0, ""
		}
		for _, s := range l.senses[phraseKey(toks[i:i+n])] {
			if s.cat == cat {
				return n, s.sense
			}
		}
	}
	return 0, ""
}

// is reports whether one word has a category.
func (l *lexicon) is(fold, cat string) bool {
	for _, s := range l.senses[fold] {
		if s.cat == cat {
			return true
		}
	}
	return false
}

// plainFrom is the first token from i on that is said for politeness' sake neither, nor a mark.
func (l *lexicon) plainFrom(toks []token, i int) int {
	for i < len(toks) {
		n, _ := l.at(toks, i, catPolite)
		if n == 0 && !toks[i].mark {
			break
		}
		i += max(n, 1)
	}
	return i
}

// intent is what a message orders, by the verbs that begin it and its parts.
type intent struct {
	asks    bool            // it begins with a question
	changes map[string]bool // senses of the changes that are ordered
	heads   map[string]bool // the words that begin a part
}

// intentOf reads what a message orders. What stands in quotes orders nothing.
func intentOf(toks []token) intent {
	l, out := theLexicon(), intent{changes: map[string]bool{}, heads: map[string]bool{}}
	for i, first := 0, true; i < len(toks); first = false {
		i = l.plainFrom(toks, i)
		if i == len(toks) {
			break
		}
		n, _ := l.at(toks, i, catAsk)
		out.asks = out.asks || first && n > 0
		if !toks[i].quoted && !l.noun(toks, i) {
			out.heads[toks[i].fold] = true
			l.changesBy(toks[i].fold, out.changes)
		}
		for n = 0; i < len(toks) && n == 0; {
			i++
			if i < len(toks) {
				n, _ = l.at(toks, i, catJoin)
			}
		}
		i += n
	}
	return out
}

// asksMore reports whether tokens go on with another question: the payment module, and how complex it is.
func (l *lexicon) asksMore(toks []token) bool {
	for i := range toks {
		n, _ := l.at(toks, i, catJoin)
		if asks, _ := l.at(toks, i+n, catAsk); n > 0 && asks > 0 {
			return true
		}
	}
	return false
}

// noun reports whether a word that may be an order is what something has: the email address, the status of it.
func (l *lexicon) noun(toks []token, i int) bool {
	if !l.is(toks[i].fold, catColumn) || i+1 == len(toks) {
		return false
	}
	next := toks[i+1].fold
	return l.is(next, catColumn) || l.is(next, catLink) || text.Singular(next) != next
}

// effect is what the name and the description of a tool say that it does.
type effect struct {
	reads   bool
	changes map[string]bool
	verb    string // the first word of its name
}

func effectOf(t plan.Tool) effect {
	l, out := theLexicon(), effect{changes: map[string]bool{}}
	name := t.Name
	if _, own, ok := strings.Cut(name, "__"); ok {
		name = own
	}
	words := plan.NameWords(name[strings.LastIndexByte(name, '.')+1:]) // what is before a dot holds tools
	if len(words) == 0 {
		return out
	}
	out.verb = text.Fold(words[0])
	first, last := l.verb(out.verb), l.verb(text.Fold(words[len(words)-1]))
	described := l.described(t.Description)
	switch {
	case len(first.changes) > 0 && last.reads && described.reads, first.reads && len(described.changes) == 0:
		out.reads = true // orders_search, list_orders
	case len(first.changes) > 0:
		out.changes = first.changes
	case described.reads, len(described.changes) > 0:
		out.reads, out.changes = described.reads, described.changes
	case last.reads:
		out.reads = true
	default:
		for _, w := range words {
			l.changesBy(text.Fold(w), out.changes)
		}
	}
	if len(out.changes) > 0 { // to initiate a transaction is to send money, where that is said
		out.changes = maps.Clone(out.changes)
		sentence, _, _ := strings.Cut(text.Clip(t.Description, maxVerb), ". ")
		for _, tok := range tokenize(sentence) {
			l.changesBy(tok.fold, out.changes)
		}
	}
	return out
}

// verb is what one word says.
func (l *lexicon) verb(w string) effect {
	out := effect{reads: l.is(w, catRead), changes: map[string]bool{}}
	l.changesBy(w, out.changes)
	return out
}

// described is what the verb that begins a description says.
func (l *lexicon) described(description string) effect {
	out := effect{changes: map[string]bool{}}
	first := tokenize(text.Clip(description, maxVerb))
	if len(first) == 0 {
		return out
	}
	w := first[0].fold
	for _, form := range []string{w, text.Singular(w), text.Stem(w)} {
		out.reads = out.reads || l.is(form, catRead)
		l.changesBy(form, out.changes)
	}
	if out.reads {
		clear(out.changes)
	}
	return out
}

// maxVerb is how many bytes of a description are looked at for its verb.
const maxVerb = 100

func (l *lexicon) changesBy(w string, into map[string]bool) {
	for _, s := range l.senses[w] {
		if s.cat == catChange {
			into[s.sense] = true
		}
	}
}

// may reports whether a message may be meant for a tool: one that changes something is ordered by what it does.
func (in intent) may(t plan.Tool) bool {
	if t.ReadOnly {
		return true
	}
	e := effectOf(t)
	switch {
	case e.reads:
		return true // what it does besides reading, its approval is for
	case in.asks:
		return len(e.changes) == 0 && !t.Destructive
	case len(e.changes) == 0:
		return !t.Destructive || in.heads[e.verb]
	}
	for s := range e.changes {
		if in.changes[s] {
			return true
		}
	}
	return in.heads[e.verb]
}

func lettered(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
