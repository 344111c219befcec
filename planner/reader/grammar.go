package reader

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"catena/planner/reader/link"
)

//go:embed data/grammar.txt
var grammarText string

// theGrammar is the built-in grammar, read once. That it can be read is tested.
var theGrammar = sync.OnceValues(func() (*grammar, error) { return parseGrammar(grammarText, actions) })

// Categories that only the grammar has.
const (
	catQuery  link.Category = "Query"  // a whole reading: the root
	catAlone  link.Category = "Alone"  // a NumberRef behind which nothing says of what it is
	catHeld   link.Category = "Held"   // a number that must be of one measure, though no word says so
	catFew    link.Category = "Few"    // a NumberRef: how many of several that come first are meant where none is said
	catPlays  link.Category = "Plays"  // a FieldRef that a small word says the part of
	catPart   link.Category = "Part"   // such a FieldRef, where a noun says it
	catChange link.Category = "Change" // what is to change in the answer before
)

// Categories of the lexicon's words that readings ask for.
const (
	catRole link.Category = "roleof"
	// catRoleName are nouns for what has a role: sender, destination.
	catRoleName link.Category = "rolename"
	catTop      link.Category = "top"
	// catElapsed are words for how long something takes: a catDerived is made of them, a number computed of two fields.
	catElapsed link.Category = "elapsed"
	catDerived link.Category = "Derived"
)

// grammar is the rules as a tree: rules that begin alike share their beginnings, so a beginning is composed once.
type grammar struct {
	symbols map[string]int // categories, and cat:sense of words
	names   []string
	root    *state
}

// state is a beginning of rules: what has been seen of them.
type state struct {
	id   int
	next map[int]*state // by symbol
	syms []int          // the symbols of next in the order of the rules, so that equals come in one order
	ends []*rule        // the rules that are whole here
}

// rule makes a category of a sequence of others.
type rule struct {
	id     string // a name for the ranker, made of the rule itself
	fact   string // the feature that the rule was used
	cat    int
	name   link.Category
	act    action
	args   []int    // which parts the action takes, from 0
	consts []string // what else the rule tells the action
}

// maxOptional bounds the optional parts of one rule: each doubles the number of sequences.
const maxOptional = 4

// parseGrammar reads rules, one a line:
//
//	Category <- part part? cat:sense : action 1 2 word
//
// A part with a question mark may be missing. Numbers name the parts, from 1, which the action is given; other words are
// given to it as they are. A line that begins with a bar is another sequence for the category and the action of the
// line above. An error names the line.
func parseGrammar(text string, acts map[string]action) (*grammar, error) {
	g := &grammar{symbols: map[string]int{}, root: &state{}}
	states := 1
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := g.addLine(line, acts, &states); err != nil {
			return nil, fmt.Errorf("grammar, line %d: %w", i+1, err)
		}
	}
	return g, nil
}

func (g *grammar) addLine(line string, acts map[string]action, states *int) error {
	head, does, ok := strings.Cut(line, " : ")
	cat, seq, arrow := strings.Cut(head, "<-")
	if !ok || !arrow {
		return fmt.Errorf("%q is no rule: Category <- parts : action", line)
	}
	words := strings.Fields(does)
	if len(words) == 0 || acts[words[0]] == nil {
		return fmt.Errorf("no action is called %q", does)
	}
	parts := strings.Fields(seq)
	r := rule{name: link.Category(strings.TrimSpace(cat)), act: acts[words[0]]}
	r.cat = g.symbol(string(r.name))
	for _, w := range words[1:] {
		n, err := strconv.Atoi(w)
		switch {
		case err != nil:
			r.consts = append(r.consts, w)
		case n < 1 || n > len(parts):
			return fmt.Errorf("there is no part %d", n)
		default:
			r.args = append(r.args, n-1)
		}
	}
	r.id = string(r.name) + "<-" + strings.Join(parts, " ") + ":" + words[0]
	r.fact = featRule + r.id
	return g.expand(parts, r, states)
}

// expand adds a rule for every choice of its optional parts.
func (g *grammar) expand(parts []string, r rule, states *int) error {
	var optional []int
	for i, p := range parts {
		if strings.HasSuffix(p, "?") {
			optional = append(optional, i)
		}
	}
	if len(optional) > maxOptional {
		return fmt.Errorf("more than %d optional parts", maxOptional)
	}
	for choice := range 1 << len(optional) {
		left := map[int]bool{}
		for bit, i := range optional {
			left[i] = choice&(1<<bit) != 0
		}
		if err := g.insert(parts, left, r, states); err != nil {
			return err
		}
	}
	return nil
}

// insert adds a rule without the parts that are left out.
func (g *grammar) insert(parts []string, left map[int]bool, r rule, states *int) error {
	at, place := g.root, map[int]int{}
	n := 0
	for i, p := range parts {
		if left[i] {
			continue
		}
		sym := g.symbol(strings.TrimSuffix(p, "?"))
		if at.next == nil {
			at.next = map[int]*state{}
		}
		if at.next[sym] == nil {
			at.next[sym] = &state{id: *states}
			at.syms = append(at.syms, sym)
			*states++
		}
		at = at.next[sym]
		place[i] = n
		n++
	}
	if n == 0 {
		return fmt.Errorf("all parts of %s are optional", r.id)
	}
	args := make([]int, 0, len(r.args))
	for _, a := range r.args {
		p, ok := place[a]
		if !ok {
			p = -1 // the action is given nil
		}
		args = append(args, p)
	}
	r.args = args
	at.ends = append(at.ends, &r)
	return nil
}

func (g *grammar) symbol(name string) int {
	if n, ok := g.symbols[name]; ok {
		return n
	}
	n := len(g.names)
	g.symbols[name] = n
	g.names = append(g.names, name)
	return n
}
