// Package redact takes what looks like a secret out of texts and of what is read from files of source code. What is
// left has the same lines.
package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"catena/tools/code/parse"
)

// hidden stands where a secret stood.
const hidden = "***"

// secretForm is one of the things that Text looks for: at each place where the text has one of the hints, the form is
// tried.
type secretForm struct {
	hints []string       // in lower case
	form  *regexp.Regexp // from the hint on; the group named secret is replaced, without one the whole match
	// apart says that no letter, digit, underscore or hyphen stands before the hint.
	apart bool
	// within is a word, one of which must stand in the 200 bytes before the hint; nil for anything.
	within []string
	// opaque says that only a secret that looks made up is replaced: with letters and digits.
	opaque  bool
	longest int // how far from the hint is looked; 0 means 512 bytes
}

// secretForms are the forms of tokens that their issuers document, and those of passwords that no name stands before.
// They are made when something is redacted first: compiled, they take about 1.8 MB.
var secretForms = sync.OnceValue(func() []secretForm {
	re := regexp.MustCompile
	return []secretForm{
		{hints: []string{"akia", "asia", "aroa", "aida", "agpa", "anpa"}, apart: true, form: re(`^(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA)[A-Z0-9]{16}\b`)}, // AWS
		{hints: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, apart: true, form: re(`^gh[pousr]_[A-Za-z0-9]{20,255}`)},                           // GitHub
		{hints: []string{"github_pat_"}, apart: true, form: re(`^github_pat_\w{20,255}`)},
		{hints: []string{"glpat-", "pypi-", "xapp-", "sk-"}, apart: true, form: re(`^(?:glpat|pypi|xapp|sk)-[A-Za-z0-9_-]{20,255}`)}, // GitLab, PyPI, Slack, OpenAI and Anthropic
		{hints: []string{"npm_", "hf_", "dop_v1_"}, apart: true, form: re(`^(?:npm|hf|dop_v1)_[A-Za-z0-9]{30,255}`)},                 // npm, Hugging Face, DigitalOcean
		{hints: []string{"xox"}, apart: true, form: re(`^xox[abeoprs]-[A-Za-z0-9-]{10,255}`)},                                        // Slack
		{hints: []string{"hooks.slack.com/"}, form: re(`^(?i:hooks\.slack\.com)/(?:services|workflows|triggers)/(?P<secret>[\w/-]{10,255})`)},
		{hints: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_"}, apart: true, form: re(`^[sr]k_(?:live|test)_\w{16,255}`)}, // Stripe
		{hints: []string{"sg."}, apart: true, form: re(`^SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}`)},                          // SendGrid
		{hints: []string{"aiza", "ya29."}, apart: true, form: re(`^(?:AIza[\w-]{35}|ya29\.[\w-]{20,400})`)},                         // Google
		{hints: []string{"eyj"}, apart: true, longest: 8 << 10, form: re(`^eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?`)},               // JWT (RFC 7519)
		{hints: []string{"://"}, form: re(`^://[^\s/:@"'<>]{0,100}:(?P<secret>[^\s/"'<>{}]{1,200})@`)},                              // RFC 3986, 3.2.1
		{hints: []string{"bearer ", "basic "}, apart: true, opaque: true, longest: 8 << 10, // RFC 6750, RFC 7617
			form: re(`(?i)^(?:bearer|basic)\s+(?P<secret>[A-Za-z0-9+/_.~-]{16,}=*)`)},
		{hints: []string{" -u", " --user "}, within: []string{"curl"}, form: re(`^ (?:-u|--user) ?\\?["']?[^\s:"']{1,100}:(?P<secret>[^\s"'\\]+)`)},
		{hints: []string{" -p"}, within: []string{"mysql", "mariadb"}, form: re(`^ -p\\?["']?(?P<secret>[^\s"'\\]+)`)},
		{hints: []string{" -p ", " -a "}, within: []string{"sshpass", "login", "redis-cli"}, form: re(`^ -[pa] \\?["']?(?P<secret>[^\s"'\\-][^\s"'\\]*)`)},
	}
})

// mostRounds bounds how often a text is gone over: what was hidden can bring to light what stands around it.
const mostRounds = 8

// Text replaces what looks like a secret by ***: blocks of private keys; keys and tokens of AWS, GitHub, GitLab, Slack,
// OpenAI, Anthropic, Stripe, Google, npm, PyPI, Hugging Face, DigitalOcean and SendGrid; JWTs; passwords in URLs and
// commands; Bearer and Basic credentials; and the literal that a name which says password, secret, token or key is
// given: by an assignment, as an argument, an element, an attribute, a header, a flag or in the environment. It keeps
// the number of lines, and what it gives it leaves as it is. It is a net with holes: a secret of no known form under an
// innocent name passes. Its time is linear in the text.
func Text(s string) string {
	for range mostRounds {
		out := redactOnce(s)
		if out == s {
			break
		}
		s = out
	}
	return s
}

func redactOnce(s string) string {
	lower := asciiLower(s)
	if out := hideSpans(s, keyBlocks(s, lower)); out != s {
		s, lower = out, asciiLower(out)
	}
	if out := hideSpans(s, awsSecrets(s, lower)); out != s {
		s, lower = out, asciiLower(out)
	}
	forms := secretForms()
	for i := range forms {
		if out := forms[i].hide(s, lower); out != s {
			s, lower = out, asciiLower(out)
		}
	}
	return hideSpans(s, namedSecrets(s))
}

// stretch is a part of a text.
type stretch struct{ lo, hi int }

// hideSpans replaces parts of a text, which are in order and do not overlap.
func hideSpans(s string, secrets []stretch) string {
	if len(secrets) == 0 {
		return s
	}
	var b strings.Builder
	done := 0
	for _, x := range secrets {
		b.WriteString(s[done:x.lo])
		b.WriteString(hidden)
		b.WriteString(strings.Repeat("\n", strings.Count(s[x.lo:x.hi], "\n")))
		done = x.hi
	}
	b.WriteString(s[done:])
	return b.String()
}

// asciiLower lowers the letters of ASCII, so that places in it are places in s.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// hide replaces the secrets of one form in s; lower is s in lower case.
func (x *secretForm) hide(s, lower string) string {
	var found []stretch
	done := 0
	for _, at := range x.places(lower) {
		if at < done || !x.fits(lower[:at]) {
			continue
		}
		if lo, hi, ok := x.match(s[at:]); ok {
			found = append(found, stretch{at + lo, at + hi})
			done = at + hi
		}
	}
	return hideSpans(s, found)
}

// places are where the hints stand, in order.
func (x *secretForm) places(lower string) []int {
	var out []int
	for _, h := range x.hints {
		for from := 0; ; {
			i := strings.Index(lower[from:], h)
			if i < 0 {
				break
			}
			out = append(out, from+i)
			from += i + len(h)
		}
	}
	if len(x.hints) > 1 {
		slices.Sort(out)
	}
	return out
}

// fits looks at what stands before a hint.
func (x *secretForm) fits(before string) bool {
	if x.apart && before != "" && (isWord(before[len(before)-1]) || before[len(before)-1] == '-') {
		return false
	}
	if x.within == nil {
		return true
	}
	before = before[max(0, len(before)-200):]
	return slices.ContainsFunc(x.within, func(word string) bool { return strings.Contains(before, word) })
}

// match tries the form and says where in rest the secret is.
func (x *secretForm) match(rest string) (lo, hi int, ok bool) {
	longest := x.longest
	if longest == 0 {
		longest = 512
	}
	rest = rest[:min(len(rest), longest)]
	m := x.form.FindStringSubmatchIndex(rest)
	if m == nil {
		return 0, 0, false
	}
	group := 2 * max(x.form.SubexpIndex("secret"), 0)
	lo, hi = m[group], m[group+1]
	secret := rest[lo:hi]
	return lo, hi, !placeholder(secret) && (!x.opaque || looksMadeUp(secret)) && !(x.within != nil && innocentFlag(secret))
}

// innocentFlag tells -port, -protocol and -plugin from a password after -p.
func innocentFlag(s string) bool {
	return strings.HasPrefix(s, "ort") || strings.HasPrefix(s, "rotocol") || strings.HasPrefix(s, "lugin")
}

// keyBlocks finds the insides of private keys: PEM (RFC 7468), OpenSSH, PGP. One without an end goes as far as base 64
// does.
func keyBlocks(s, lower string) []stretch {
	var out []stretch
	for from := 0; ; {
		i := strings.Index(lower[from:], "-----begin ")
		if i < 0 {
			return out
		}
		from += i + len("-----begin ")
		line := s[from:min(len(s), from+80)]
		end := skip(line, 0, func(c byte) bool { return 'A' <= c && c <= 'Z' || isDigit(c) || c == ' ' })
		if !strings.HasPrefix(line[end:], "-----") || !strings.HasSuffix(strings.TrimSuffix(line[:end], " BLOCK"), "PRIVATE KEY") {
			continue
		}
		from += end + len("-----")
		hi := from + blockLength(s[from:])
		if !placeholder(strings.Trim(s[from:hi], " \t\r\n\\\"'")) {
			out = append(out, stretch{from, hi})
		}
		from = hi
	}
}

// blockLength is how long the inside of a key is.
func blockLength(s string) int {
	base64 := func(c byte) bool { return isWord(c) || c == '+' || c == '/' || c == '=' || c <= ' ' || c == '\\' }
	whole := skip(s, 0, func(c byte) bool { return base64(c) || strings.IndexByte("\"',.:;()#*>-", c) >= 0 })
	if end := strings.Index(s[:whole], "-----END"); end >= 0 {
		return end
	}
	return skip(s, 0, base64)
}

// awsSecrets finds the secret keys of AWS that stand near their ids: 40 characters of base 64 (IAM, "Managing access
// keys").
func awsSecrets(s, lower string) []stretch {
	const near, length = 400, 40
	ids := (&secretForm{hints: []string{"akia", "asia"}}).places(lower)
	var out []stretch
	done := 0
	part := func(c byte) bool { return isLetter(c) || isDigit(c) || c == '/' || c == '+' }
	for _, id := range ids {
		if id+20 > len(s) || s[id:id+4] != strings.ToUpper(lower[id:id+4]) {
			continue
		}
		end := min(len(s), id+near)
		for i := max(done, id-near); i < end; {
			if !part(s[i]) || i > 0 && part(s[i-1]) {
				i++
				continue
			}
			run := skip(s[:min(len(s), end+length)], i, part)
			if x := s[i:run]; run-i == length && looksMadeUp(x) && strings.ToLower(x) != x {
				out = append(out, stretch{i, run})
			}
			i = run
		}
		done = max(done, end)
	}
	return out
}

// skip is the first place from i on whose byte is none of those.
func skip(s string, i int, these func(byte) bool) int {
	for i < len(s) && these(s[i]) {
		i++
	}
	return i
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

// looksMadeUp reports whether a text has letters and digits, as keys have and words have not.
func looksMadeUp(s string) bool {
	letter, digit := false, false
	for i := range len(s) {
		letter, digit = letter || isLetter(s[i]), digit || isDigit(s[i])
	}
	return letter && digit
}

// File takes secrets out of what is kept of a file, and gives its text without them. Its lines stay where they are.
func File(f *parse.File, text []byte) []byte {
	before := string(text)
	after := Text(before)
	if after == before {
		return text
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		s.Name, s.Container, s.Signature, s.Doc = Text(s.Name), Text(s.Container), Text(s.Signature), Text(s.Doc)
	}
	then, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	for i := range f.Imports {
		m := &f.Imports[i]
		m.Path, m.Alias = redactAt(then, now, m.Line, m.Path), redactAt(then, now, m.Line, m.Alias)
		for j, name := range m.Names {
			m.Names[j] = redactAt(then, now, m.Line, name)
		}
	}
	for i := range f.Refs {
		r := &f.Refs[i]
		r.Name, r.Qualifier = redactAt(then, now, r.Line, r.Name), redactAt(then, now, r.Line, r.Qualifier)
	}
	return []byte(after)
}

// redactAt takes a secret out of a piece of a line, given the lines of a file before and after: what they tell by what
// stands beside the piece is hidden, too.
func redactAt(before, after []string, line int, piece string) string {
	if line < 1 || line > len(before) || line > len(after) || before[line-1] == after[line-1] {
		return piece
	}
	if out := Text(piece); out != piece || strings.Contains(after[line-1], piece) || !strings.Contains(before[line-1], piece) {
		return out
	}
	return hidden
}
