package redact

import (
	"slices"
	"strings"

	"catena/internal/text"
)

// meaning is how surely a name says that its value is a secret.
type meaning int

const (
	innocent meaning = iota
	weak             // tokens and keys of all kinds: the value must look made up
	strong           // API keys and secrets
	password         // any literal
)

// Words that names are made of. A name says secret when its last word does, but for endings; beginnings of the other
// list take that back: errPassword is a message.
var (
	passwordWords = text.WordSet("password passwd passphrase pwd pass passcode pgpassword")
	secretWords   = text.WordSet("secret apikey accesskey secretkey privatekey accountkey")
	weakWords     = text.WordSet("token credential credentials auth authtoken accesstoken")
	strongKeys    = text.WordSet("api access private account secret")
	weakKeys      = text.WordSet("auth signing encryption master shared storage session jwt cookie service ssh")
	nameEndings   = text.WordSet("prod production dev test testing staging stage local base value text string str default plain live old new current main")
	noSecrets     = text.WordSet("err error errors is has no not invalid missing wrong bad forgot reset check verify max min show hide require required prompt ask next public on with without")
)

// mayMean are parts of the words above; a name without any of them is looked at no more.
var mayMean = []string{"pass", "pwd", "secret", "token", "key", "cred", "auth"}

// meaningOf says what a name means: db_password, dbPassword, DB-PASSWORD.
func meaningOf(name string) meaning {
	if len(name) > 80 {
		name = name[len(name)-80:]
	}
	lower := strings.ToLower(name)
	if !slices.ContainsFunc(mayMean, func(part string) bool { return strings.Contains(lower, part) }) {
		return innocent
	}
	words := wordsOf(name)
	for len(words) > 1 && (nameEndings[words[len(words)-1]] || strings.Trim(words[len(words)-1], "0123456789") == "") {
		words = words[:len(words)-1]
	}
	if len(words) == 0 || slices.ContainsFunc(words[:len(words)-1], func(w string) bool { return noSecrets[w] }) {
		return innocent
	}
	last := strings.TrimRight(words[len(words)-1], "0123456789")
	before := ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch {
	case passwordWords[last] || strings.HasSuffix(last, "password") || strings.HasSuffix(last, "passwd"):
		return password
	case secretWords[last] || strings.HasSuffix(last, "secret") || last == "key" && strongKeys[before]:
		return strong
	case weakWords[last] || last == "key" && weakKeys[before] || strings.HasSuffix(last, "token"):
		return weak
	}
	return innocent
}

// wordsOf splits a name into its words, in lower case.
func wordsOf(name string) []string {
	var out []string
	from := 0
	cut := func(i int) {
		if i > from {
			out = append(out, strings.ToLower(name[from:i]))
		}
		from = i
	}
	for i := range len(name) {
		c := name[i]
		switch {
		case !isLetter(c) && !isDigit(c):
			cut(i)
			from = i + 1
		case i > from && isUpper(c) && (!isUpper(name[i-1]) || i+1 < len(name) && isLower(name[i+1])):
			cut(i)
		}
	}
	cut(len(name))
	return out
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

// namedSecrets finds the literals that names which say secret are given.
func namedSecrets(s string) []stretch {
	var out []stretch
	part := func(c byte) bool { return isWord(c) || c == '-' }
	for i := 0; i < len(s); {
		if !part(s[i]) {
			i++
			continue
		}
		end := skip(s, i, part)
		n := naming{s: s, lo: i + len(s[i:end]) - len(strings.TrimLeft(s[i:end], "-")), hi: i + len(strings.TrimRight(s[i:end], "-"))}
		i = end
		if n.hi-n.lo < 3 {
			continue
		}
		if n.means = meaningOf(s[n.lo:n.hi]); n.means == innocent && !n.isHeader() {
			continue
		}
		if x, ok := n.value(); ok {
			out = append(out, x)
			i = max(i, x.hi)
		}
	}
	return out
}

// isHeader reports whether the name is that of the header of credentials (RFC 9110, 11.6.2 and 11.7.2).
func (n *naming) isHeader() bool {
	name := strings.ToLower(n.s[n.lo:n.hi])
	return name == "authorization" || name == "proxy-authorization"
}

// notValues are words that stand for a value, are a type, or say something of it.
var notValues = text.WordSet(`true false null nil none undefined string str text bytes byte int integer number bool boolean any unknown object optional required
	example redacted placeholder hidden encrypted unset empty missing invalid varchar char self this new await function lambda todo tbd void uuid
	secretstr pydantic default readonly format prompt input output option value file yes no on off never always`)

// proseWords are what may follow a flag in a sentence.
var proseWords = text.WordSet(`to flag flags and or is are was option options for in with the a an from if on of as at when value argument must may can will
	should that which takes sets gives needs then instead here does has have file parameter not string text`)
