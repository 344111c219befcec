package semantic

import (
	"slices"
	"strings"

	"catena/internal/text"
)

// tail is what kind of word a column's name ends in.
type tail uint8

const (
	noTail   tail = iota
	idTail        // customer_id, orderkey
	nameTail      // state_name
)

// tailWords say that a column identifies or names what the words before them say.
var tailWords = map[string]tail{
	"id": idTail, "ids": idTail, "key": idTail, "code": idTail, "no": idTail, "nr": idTail, "num": idTail,
	"number": idTail, "pk": idTail, "fk": idTail, "sk": idTail, "uuid": idTail, "guid": idTail, "ref": idTail,
	"identifier": idTail, "cd": idTail,
	"name": nameTail, "title": nameTail, "label": nameTail, "abbreviation": nameTail,
}

// joinedTails are tail words that are also written onto the word before them: orderkey, custid.
var joinedTails = []string{"id", "key", "code", "number", "name"}

// layerWords begin names of tables and say nothing of their rows.
var layerWords = text.Set("dim|fact|fct|tbl|stg|raw|src|mst|vw|ref|lkp|lu|xref")

// selfWords begin columns that refer to rows of their own table.
var selfWords = text.Set("parent|manager|mgr|supervisor|boss|reports|mentor|leader|previous|prev|next|original|root|" +
	"replaced|superseded|predecessor|successor|referrer|referred|reply|duplicate")

// peopleWords are the stems that end names of tables whose rows are people who do things, as far as one table has them.
var peopleWords = stemSet("users|employees|staff|people|persons|members|workers|agents|personnel|colleagues|" +
	"accounts|profiles|logins|representatives|players|students|contacts")

// partWords end columns of people by what they did or are, without a word for the people.
var partWords = stemSet("by|owner|author|creator|editor|assignee|assigned|reporter|requester|approver|reviewer|" +
	"sender|recipient|receiver|manager|supervisor|leader|lead|handler|agent|seller|buyer|host|organizer|winner|" +
	"loser|captain|mentor|responsible|person")

func stemSet(words string) map[string]bool {
	out := map[string]bool{}
	for w := range text.Set(words) {
		out[text.Stem(w)] = true
	}
	return out
}

// reading is a column's name in its parts.
type reading struct {
	joined string   // all words in one
	stems  []string // of the words before the tail, without the words that all columns of the table begin with
	heads  []string // the same, as they are written
	end    tail
	last   string // the word of the tail
	words  []string
}

// core is the name without the words that the table's columns share, in one.
func (n reading) core() string { return strings.Join(n.stems, "") + n.last }

// readColumns reads the names of one table's columns.
func readColumns(names []string) []reading {
	words := make([][]string, len(names))
	for i, n := range names {
		words[i] = splitTail(text.Words(n))
	}
	shared := sharedWords(words)
	out := make([]reading, len(names))
	for i, w := range words {
		out[i].joined = strings.Join(w, "")
		out[i].words = w
		out[i].heads, out[i].end, out[i].last = cutTail(w[min(shared, max(len(w)-1, 0)):])
		out[i].stems = stems(out[i].heads)
	}
	return out
}

// splitTail divides a last word that a tail is written onto.
func splitTail(words []string) []string {
	if len(words) == 0 {
		return words
	}
	last := words[len(words)-1]
	if tailWords[last] != noTail {
		return words
	}
	for _, t := range joinedTails {
		if head, ok := strings.CutSuffix(last, t); ok && head != "" {
			return append(slices.Clone(words[:len(words)-1]), head, t)
		}
	}
	return words
}

// cutTail takes the tail off.
func cutTail(words []string) ([]string, tail, string) {
	if len(words) == 0 {
		return nil, noTail, ""
	}
	last := words[len(words)-1]
	if t := tailWords[last]; t != noTail {
		return words[:len(words)-1], t, last
	}
	return words, noTail, ""
}

func stems(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = text.Stem(w)
	}
	return out
}

// sharedWords is how many words all names begin with; none of a few names.
func sharedWords(words [][]string) int {
	const enough = 3 // columns
	if len(words) < enough {
		return 0
	}
	shared := len(words[0])
	for _, w := range words[1:] {
		n := 0
		for n < min(shared, len(w)) && w[n] == words[0][n] {
			n++
		}
		shared = n
	}
	return shared
}

// readTables gives the stems of what the tables' names say of their rows: without layers, and without a first word that
// all of them have.
func readTables(names []string) (nouns [][]string, shared string) {
	words := make([][]string, len(names))
	for i, n := range names {
		words[i] = text.Words(n)
		for len(words[i]) > 1 && layerWords[words[i][0]] {
			words[i] = words[i][1:]
		}
	}
	cut := min(sharedWords(words), 1)
	nouns = make([][]string, len(names))
	for i, w := range words {
		if cut == 1 && len(w) > 1 {
			w, shared = w[1:], words[i][0]
		}
		nouns[i] = stems(w)
	}
	return nouns, shared
}

// onlyPeople is the one table whose rows are people who do things, -1 where there is none or several.
func onlyPeople(nouns [][]string) int {
	found := -1
	for i, noun := range nouns {
		if len(noun) == 0 || !peopleWords[noun[len(noun)-1]] {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// Parts of how well a name fits; nameFits is enough for a reference where values do not speak against it.
const (
	nameSame = 1.0
	nameRole = 0.95 // with words before it that say which one
	nameNear = 0.8  // the table's noun, or short for it
	nameFits = 0.75
)

// namesKey says how well a column's name says that it refers to a key of a table, and the words that are before that.
func namesKey(f, k *column) (fit float64, role []string) {
	if f.table == k.table {
		return namesSelf(f, k)
	}
	fn, kn := &f.read, &k.read
	switch {
	case len(kn.stems) > 0 && (fn.joined == kn.joined || fn.core() == kn.core()):
		return nameSame, nil
	case len(fn.stems) == 0:
		return 0, nil
	}
	if fit, role = ofNoun(fn, kn, k.noun); fit > 0 {
		return fit, role
	}
	if len(kn.stems) > 0 {
		if fit, role = ofNoun(fn, kn, kn.stems); fit > 0 {
			return fit, role
		}
	}
	const long = 6 // letters
	if len(kn.joined) >= long && kn.end == idTail && strings.HasSuffix(fn.joined, kn.joined) {
		return nameRole, fn.heads
	}
	return namesPart(f, k)
}

// namesPart says how well a column's name says that it refers to a row of the one table of people: created by, assigned
// to, owner.
func namesPart(f, k *column) (float64, []string) {
	fn := &f.read
	plain := fn.end != nameTail && len(fn.stems) > 0
	if !k.people || !plain || k.read.end != idTail {
		return 0, nil
	}
	last := len(fn.stems) - 1
	if last > 0 && fn.heads[last] == "to" {
		last--
	}
	if !partWords[fn.stems[last]] {
		return 0, nil
	}
	return nameNear, fn.heads
}

// ofNoun compares the words before the tail with the noun of the key's table, or with those of the key.
func ofNoun(fn, kn *reading, noun []string) (float64, []string) {
	fit := tailsFit(fn.end, kn.end)
	if fit == 0 || len(noun) == 0 {
		return 0, nil
	}
	if strings.Join(fn.stems, "") == strings.Join(noun, "") {
		return fit * nameSame, nil
	}
	rest := len(fn.stems) - len(noun)
	if rest > 0 && slices.Equal(fn.stems[rest:], noun) {
		return fit * nameRole, fn.heads[:rest]
	}
	if short := abbreviates(fn.stems, noun); short > 0 {
		return fit * short, nil
	}
	other := len(kn.stems) > 0 && !slices.Equal(kn.stems, noun[len(noun)-1:]) // the key is that of something else
	if last := noun[len(noun)-1]; len(noun) > 1 && !other && fn.stems[len(fn.stems)-1] == last {
		return fit * nameNear, fn.heads[:len(fn.heads)-1]
	}
	return 0, nil
}

// tailsFit says whether the ends of two names may mean the same.
func tailsFit(f, k tail) float64 {
	switch {
	case f == k:
		return nameSame
	case f == noTail, k == noTail:
		return 0.85
	}
	return 0
}

// abbreviates says how well words are short for a noun: cust for customer, a for author.
func abbreviates(short, noun []string) float64 {
	const fewest, most = 3, 5 // letters
	if len(short) != len(noun) {
		if len(short) == 1 && len(noun) > 1 && short[0] == initials(noun) {
			return nameNear
		}
		return 0
	}
	fit := nameSame
	for i, s := range short {
		switch {
		case s == noun[i]:
		case len(s) < fewest || len(s) > most:
			return 0
		case strings.HasPrefix(noun[i], s):
			fit = min(fit, 0.9)
		case subsequence(s, noun[i]):
			fit = min(fit, nameNear)
		default:
			return 0
		}
	}
	return fit
}

func initials(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteByte(w[0])
	}
	return b.String()
}

// subsequence reports whether the letters of a short form stand in a word in their order, the first one first.
func subsequence(short, word string) bool {
	if short[0] != word[0] || len(short) >= len(word) {
		return false
	}
	at := 0
	for i := range len(word) {
		if at < len(short) && short[at] == word[i] {
			at++
		}
	}
	return at == len(short)
}

// namesSelf says how well a column's name says that it refers to another row of its own table.
func namesSelf(f, k *column) (float64, []string) {
	fn, kn := &f.read, &k.read
	if fn.joined == kn.joined || len(fn.stems) == 0 {
		return 0, nil
	}
	if slices.ContainsFunc(fn.words, func(w string) bool { return selfWords[w] }) && fn.pointed() {
		return nameRole, fn.heads
	}
	if rest := len(fn.stems) - len(kn.stems); rest > 0 && len(kn.stems) > 0 && fn.end == kn.end {
		if slices.Equal(fn.stems[rest:], kn.stems) {
			return nameNear, fn.heads[:rest]
		}
	}
	return 0, nil
}

// pointed reports whether a name ends as those of references do: parent_id, manager, reports_to.
func (n reading) pointed() bool {
	last := n.words[len(n.words)-1]
	return n.end == idTail || len(n.words) == 1 || last == "to" || last == "by"
}

// keyNamed says, from 0 to 1, how much a column's name is that of its own table's key.
func keyNamed(c *column) float64 {
	n := &c.read
	switch {
	case len(n.stems) == 0 && n.end == idTail:
		return 1
	case len(n.stems) == 0:
		return 0.7 // name, title
	case n.end == noTail && c.at > 0:
		return 0
	}
	own, noun := strings.Join(n.stems, ""), strings.Join(c.noun, "")
	fit := 0.0
	switch {
	case own == noun:
		fit = 1
	case len(c.noun) > 1 && slices.Equal(n.stems, c.noun[len(c.noun)-1:]):
		fit = 0.75
	case abbreviates(n.stems, c.noun) > 0:
		fit = 0.9
	case len(c.noun) > 0 && len(own) <= 2 && strings.HasPrefix(c.noun[0], own):
		fit = 0.9 / float64(len(c.noun))
	}
	if c.at == 0 {
		fit = max(fit, 0.6)
	}
	return fit
}
