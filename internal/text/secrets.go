package text

import (
	"regexp"
	"slices"
)

// Words of the names of variables and headers. A word is whole: GIT_AUTHOR_NAME is no AUTH.
var (
	// secretEnds end a word that makes a secret of what has it in its name: PGPASSWORD, githubToken.
	secretEnds = regexp.MustCompile(`(token|secret|passw(or)?d|passphrase|pwd|credential|(api|access|secret|private)key)s?$`)
	// secretLast is such a word where the name ends with it, or with what only says more of it: SESSION_ID, but not SESSION_STORE.
	secretLast = regexp.MustCompile(`^(auth|authorization|session|cookie|signature|dsn|key|pat|pass)s?$`)
	// sameThing is what may follow on secretLast.
	sameThing = regexp.MustCompile(`^(id|header|value|string|base|data|[0-9]+)$`)
	// aboutIt is what a name ends with that tells something of a secret, or where it is.
	aboutIt = regexp.MustCompile(`^(name|store|file|path|dir|folder|url|uri|host|endpoint|user|username|type|method|mode|provider|issuer|audience|scopes?|ttl|limit|size|region)$`)
)

// plainValue fits what is no secret whatever it is named: a path, an address without a password, a sentence's single word.
var plainValue = regexp.MustCompile(`^(/|\./|~/|[A-Za-z]:\\|[a-z]+$|https?://[^@]*$)`)

// Secret reports whether the value of a variable or a header is a secret, by its name and by what it is.
func Secret(name, value string) bool { return SecretName(name) && !plainValue.MatchString(value) }

// What values have that may be secrets under any name: one long word of letters and digits.
var (
	longWord = regexp.MustCompile(`^\S{16,}$`)
	letter   = regexp.MustCompile(`[A-Za-z]`)
	digit    = regexp.MustCompile(`[0-9]`)
)

// LikeSecret reports whether a value is written as keys and tokens are.
func LikeSecret(value string) bool {
	return longWord.MatchString(value) && !plainValue.MatchString(value) && letter.MatchString(value) && digit.MatchString(value)
}

// SecretName reports whether the value of a variable or a header is a secret, by its name.
func SecretName(name string) bool {
	words := Words(name)
	n := len(words)
	if n == 0 || n > 1 && aboutIt.MatchString(words[n-1]) {
		return false
	}
	if slices.ContainsFunc(words, secretEnds.MatchString) {
		return true
	}
	for n > 1 && sameThing.MatchString(words[n-1]) {
		n--
	}
	return secretLast.MatchString(words[n-1])
}
