package index

import (
	"strings"
	"unicode"

	"catena/internal/text"
)

const (
	maxQuestion = 4 << 10 // bytes of a question that are looked at
	maxGroups   = 31      // words of a question that are looked for
)

// question is what is looked for.
type question struct {
	terms  []queryTerm
	groups int
	names  []wanted // names of symbols that may be meant
	tests  bool     // it asks about tests
}

// wanted is a name that may be that of a symbol.
type wanted struct {
	name, container string // lower case
	exact           string // as written
	code            bool   // it is written as names in code are: ReadAll, read_all, io.ReadAll
}

// ask takes a question apart.
func ask(text string) question {
	if len(text) > maxQuestion {
		text = text[:maxQuestion]
	}
	var q question
	seen := make(map[string]int)
	first := true
	for _, w := range dotted(text) {
		parts := strings.Split(w, ".")
		for _, p := range parts {
			low := strings.ToLower(p)
			if low == "test" || low == "tests" || strings.HasPrefix(p, "Test") {
				q.tests = true
			}
			q.add(p, seen)
		}
		q.want(parts, first)
		first = false
	}
	return q
}

// add looks for a word: whole, in parts, by its stem, and by the abbreviation that code writes for it.
func (q *question) add(w string, seen map[string]int) {
	if asking[strings.ToLower(w)] || !worth(w) || q.groups >= maxGroups {
		return
	}
	found := terms(w)
	if len(found) == 0 {
		return
	}
	group := q.groups
	put := func(t string, weight float64) {
		if _, ok := seen[t]; !ok {
			seen[t] = group
			q.terms = append(q.terms, queryTerm{text: t, weight: weight, group: group})
		}
	}
	before := len(q.terms)
	for i, t := range found {
		weight := 1.0
		if len(found) > 1 && i > 0 {
			weight = partWeight
		}
		put(t, weight)
	}
	for _, t := range found {
		for _, short := range abbreviations[t] {
			put(short, abbreviationWeight)
		}
	}
	if len(q.terms) > before {
		q.groups++
	}
}

const (
	partWeight         = 0.7 // of one word of ReadAll
	abbreviationWeight = 0.6 // of buf for buffer
)

// want keeps what may be the name of a symbol.
func (q *question) want(parts []string, first bool) {
	last := parts[len(parts)-1]
	low := strings.ToLower(last)
	if last == "" || len(q.names) >= maxGroups {
		return
	}
	n := wanted{name: low, exact: last, code: len(parts) > 1 || inCode(last) || !first && unicode.IsUpper(rune(last[0]))}
	if len(parts) > 1 {
		n.container = strings.ToLower(strings.Join(parts[:len(parts)-1], "."))
	}
	if !n.code && (quiet[low] || asking[low]) {
		return
	}
	q.names = append(q.names, n)
}

// inCode reports whether a word is written as prose never is: with an underscore, or with a capital after another letter.
func inCode(w string) bool {
	for i, r := range w {
		if r == '_' || i > 0 && unicode.IsUpper(r) {
			return true
		}
	}
	return false
}

// dotted cuts a text into words; io.ReadAll stays one, a full stop at the end of a sentence does not count.
func dotted(text string) []string {
	return strings.FieldsFunc(strings.NewReplacer("::", ".", "->", ".", "#", ".").Replace(spaceStops(text)), func(r rune) bool {
		return r != '.' && !(r < 0x80 && wordByte(byte(r))) && r < 0x80
	})
}

// spaceStops replaces dots that do not stand between two letters.
func spaceStops(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c == '.' && (i == 0 || i+1 == len(b) || !wordByte(b[i-1]) || !wordByte(b[i+1])) {
			b[i] = ' '
		}
	}
	return string(b)
}

// abbreviations are what programs write for words, by the stem of the word. Both ways count.
var abbreviations = func() map[string][]string {
	out := make(map[string][]string)
	for line := range strings.Lines(abbreviationList) {
		w := strings.Fields(line)
		for i, a := range w {
			for j, b := range w {
				if sa, sb := text.Stem(a), text.Stem(b); i != j && sa != sb {
					out[sa] = append(out[sa], sb)
				}
			}
		}
	}
	return out
}()

const abbreviationList = `
buffer buf
string str
character char rune
integer int
number num
argument arg
parameter param
address addr
context ctx
configuration config cfg conf
connection conn
database db
directory dir folder
document doc
environment env
error err
execute exec
expression expr
statement stmt
identifier ident id
information info
initialize init
length len
maximum max
minimum min
message msg
object obj
operation op
package pkg
pointer ptr
position pos
previous prev
process proc
reference ref
request req
response resp
source src
destination dst dest
specification spec
synchronize sync
temporary temp tmp
utility util
value val
variable var
version ver
window win
index idx
iterator iter
memory mem
command cmd
certificate cert
authenticate auth
authorization auth
decrypt decipher
hexadecimal hex
decimal dec
absolute abs
relative rel
format fmt
remove delete
create make new
`
