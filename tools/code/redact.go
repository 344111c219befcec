package code

import (
	"regexp"
	"slices"
	"strings"
)

// hidden stands where a secret stood.
const hidden = "***"

// secretForm is one of the things that Redact looks for: at each place where the text has one of the hints, the form is tried.
type secretForm struct {
	hints []string                           // in lower case
	form  *regexp.Regexp                     // from the hint on; the group named secret is replaced, without one the whole match
	find  func(string) (lo, hi int, ok bool) // instead of form
	// apart says that no letter, digit, underscore or hyphen stands before the hint.
	apart bool
	// before are ends of words, one of which must stand before the hint; nil for anything.
	before []string
	// opaque says that only a secret that looks made up is replaced: with letters and digits.
	opaque  bool
	longest int // how far from the hint is looked; 0 means 512 bytes
}

// secretForms are the forms of tokens that their issuers document, and the ways in which passwords are written down.
var secretForms = []secretForm{
	{hints: []string{"-----begin "}, longest: 1 << 20, // PEM (RFC 7468), OpenSSH, PGP; a block without an end is hidden to the end
		form: regexp.MustCompile(`(?s)^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?P<secret>.*?)(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY|\z)`)},
	{hints: []string{"akia", "asia", "aroa", "aida", "agpa", "anpa"}, apart: true, // AWS
		form: regexp.MustCompile(`^(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA)[A-Z0-9]{16}\b`)},
	{hints: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, apart: true, form: regexp.MustCompile(`^gh[pousr]_[A-Za-z0-9]{20,255}`)}, // GitHub
	{hints: []string{"github_pat_"}, apart: true, form: regexp.MustCompile(`^github_pat_\w{20,255}`)},
	{hints: []string{"glpat-", "pypi-", "xapp-", "sk-"}, apart: true, // GitLab, PyPI, Slack, OpenAI and Anthropic
		form: regexp.MustCompile(`^(?:glpat|pypi|xapp|sk)-[A-Za-z0-9_-]{20,255}`)},
	{hints: []string{"npm_", "hf_", "dop_v1_"}, apart: true, // npm, Hugging Face, DigitalOcean
		form: regexp.MustCompile(`^(?:npm|hf|dop_v1)_[A-Za-z0-9]{30,255}`)},
	{hints: []string{"xox"}, apart: true, form: regexp.MustCompile(`^xox[abeoprs]-[A-Za-z0-9-]{10,255}`)}, // Slack
	{hints: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_"}, apart: true, form: regexp.MustCompile(`^[sr]k_(?:live|test)_\w{16,255}`)},
	{hints: []string{"sg."}, apart: true, form: regexp.MustCompile(`^SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}`)},            // SendGrid
	{hints: []string{"aiza", "ya29."}, apart: true, form: regexp.MustCompile(`^(?:AIza[\w-]{35}|ya29\.[\w-]{20,400})`)},           // Google
	{hints: []string{"eyj"}, apart: true, longest: 8 << 10, form: regexp.MustCompile(`^eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?`)}, // JWT (RFC 7519)
	{hints: []string{"://"}, form: regexp.MustCompile(`^://[^\s/:@"'<>]{0,100}:(?P<secret>[^\s/@"'<>{}$%]{1,200})@`)},             // RFC 3986, 3.2.1
	{hints: []string{"bearer ", "basic "}, apart: true, opaque: true, longest: 8 << 10, // RFC 6750, RFC 7617
		form: regexp.MustCompile(`(?i)^(?:bearer|basic)\s+(?P<secret>[A-Za-z0-9+/_.~-]{16,}=*)`)},
	{hints: []string{"password", "passwd", "passphrase", "pwd", "secret"}, find: quoted(4)}, // "password": "x", PASSWORD='x'
	{hints: []string{"token", "credential"}, opaque: true, find: quoted(12)},
	{hints: []string{"key"}, opaque: true, before: keyKinds, find: quoted(12)},
	{hints: []string{"password", "passwd", "passphrase", "pwd", "secret", "token"}, opaque: true, find: bare(6)}, // TOKEN=x, token: x
	{hints: []string{"key"}, opaque: true, before: keyKinds, find: bare(6)},
}

// keyKinds are what a key is called that is a secret.
var keyKinds = []string{"api", "access", "private", "auth", "signing", "encryption", "account"}

// Redact replaces what looks like a secret by ***: blocks of private keys; keys and tokens of AWS, GitHub, GitLab, Slack, OpenAI,
// Anthropic, Stripe, Google, npm, PyPI, Hugging Face, DigitalOcean and SendGrid; JWTs; passwords in URLs; Bearer and Basic
// credentials; and what is assigned to a name that says password, secret, token or key. It keeps the number of lines. It is a
// net with holes: a secret of no known form under an innocent name passes. Its time is linear in the text: at each hint it looks
// at a bounded stretch.
func Redact(s string) string {
	lower := asciiLower(s)
	for i := range secretForms {
		x := &secretForms[i]
		if out := x.hide(s, lower); len(out) != len(s) || out != s {
			s, lower = out, asciiLower(out)
		}
	}
	return s
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
	var b strings.Builder
	done := 0
	for _, at := range x.places(lower) {
		if at < done || !x.fits(lower[:at]) {
			continue
		}
		lo, hi, ok := x.match(s[at:])
		if !ok {
			continue
		}
		secret := s[at+lo : at+hi]
		b.WriteString(s[done : at+lo])
		b.WriteString(hidden)
		b.WriteString(strings.Repeat("\n", strings.Count(secret, "\n")))
		done = at + hi
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
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
	slices.Sort(out)
	return out
}

// fits looks at what stands before a hint.
func (x *secretForm) fits(before string) bool {
	if x.apart && before != "" && (isWord(before[len(before)-1]) || before[len(before)-1] == '-') {
		return false
	}
	if x.before == nil {
		return true
	}
	before = strings.TrimRight(before[max(0, len(before)-16):], "_-")
	return slices.ContainsFunc(x.before, func(end string) bool { return strings.HasSuffix(before, end) })
}

// match tries the form and says where in rest the secret is.
func (x *secretForm) match(rest string) (lo, hi int, ok bool) {
	longest := x.longest
	if longest == 0 {
		longest = 512
	}
	rest = rest[:min(len(rest), longest)]
	if x.find != nil {
		lo, hi, ok = x.find(rest)
	} else if m := x.form.FindStringSubmatchIndex(rest); m != nil {
		group := 2 * max(x.form.SubexpIndex("secret"), 0)
		lo, hi, ok = m[group], m[group+1], true
	}
	return lo, hi, ok && !placeholder(rest[lo:hi]) && (!x.opaque || looksMadeUp(rest[lo:hi]))
}

// quoted finds a value of at least so many bytes in quotes, assigned to the name that the text begins with: by =, :=, :, => or ==.
func quoted(least int) func(string) (lo, hi int, ok bool) {
	return func(s string) (int, int, bool) {
		i := skip(s, 0, isWord)
		if i < len(s) && isQuote(s[i]) {
			i++
		}
		i = skip(s, i, isBlank)
		op := skip(s, i, func(c byte) bool { return c == '=' || c == ':' || c == '>' })
		if op == i || op > i+2 || s[i] == '>' {
			return 0, 0, false
		}
		i = skip(s, op, isBlank)
		if i == len(s) || !isQuote(s[i]) {
			return 0, 0, false
		}
		end := skip(s, i+1, func(c byte) bool { return c > ' ' && !isQuote(c) })
		return i + 1, end, end < len(s) && isQuote(s[end]) && end-i-1 >= least
	}
}

// bare finds a value of at least so many bytes without quotes, as in the environment, in URLs and in YAML: no spaces around =, and
// the end of the line or & after the value.
func bare(least int) func(string) (lo, hi int, ok bool) {
	return func(s string) (int, int, bool) {
		i := skip(s, 0, isWord)
		switch {
		case i+1 < len(s) && s[i] == '=':
			i++
		case i+1 < len(s) && s[i] == ':' && isBlank(s[i+1]):
			i = skip(s, i+1, isBlank)
		default:
			return 0, 0, false
		}
		end := skip(s, i, func(c byte) bool { return c > ' ' && strings.IndexByte("\"'`(){}[]<>,;&$%", c) < 0 })
		if end-i < least {
			return 0, 0, false
		}
		after := skip(s, end, isBlank)
		return i, end, after == len(s) || s[after] == '\n' || s[after] == '\r' || s[end] == '&'
	}
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

// looksMadeUp reports whether a text has letters and digits, as keys have and words have not.
func looksMadeUp(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.ContainsFunc(s, func(r rune) bool { return r < 0x80 && isLetter(byte(r)) })
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isWord(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c == '_' }

// placeholder reports whether a text stands for a value: ${PASSWORD}, <password>, {{ .Password }}, %s, xxxx, or nothing.
func placeholder(s string) bool {
	return strings.HasPrefix(s, "${") || strings.HasPrefix(s, "$(") || strings.HasPrefix(s, "{{") || strings.HasPrefix(s, "<") ||
		strings.HasPrefix(s, "%") || strings.Trim(s, "*.xX-_ \n") == ""
}
