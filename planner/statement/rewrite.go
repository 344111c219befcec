package statement

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names says what to write for the names and texts of a statement. A nil function leaves all as they are. ok false
// leaves the one at hand.
type Names struct {
	// Name is asked for each name, bare or in quotes; keywords and functions are names, too. What it gives is written
	// in double quotes.
	Name func(name string) (to string, ok bool)
	// Value is asked for each text in single quotes, and for each bare name before Name is. What it gives is written as
	// a text in single quotes.
	Value func(text string, bare bool) (to string, ok bool)
}

// Rewrite puts other names and texts into a statement. Comments become a blank: they are no part of what runs. A quote
// that does not end takes the rest of the text.
func Rewrite(text string, names Names) string {
	r := rewriting{text: text, names: names}
	for r.at < len(text) {
		r.next()
	}
	return r.out.String()
}

type rewriting struct {
	text  string
	at    int
	from  int // where the text in quotes begins that is asked about
	names Names
	out   strings.Builder
}

func (r *rewriting) next() {
	rest := r.text[r.at:]
	first, size := utf8.DecodeRuneInString(rest)
	switch {
	case strings.HasPrefix(rest, "--"):
		r.skip(rest, "\n", 0)
	case strings.HasPrefix(rest, "/*"):
		r.skip(rest[2:], "*/", 4)
	case first == '\'':
		r.literal("", false)
	case strings.HasPrefix(rest, "e'"), strings.HasPrefix(rest, "E'"):
		r.literal(rest[:1], true)
	case first == '"' || first == '`':
		r.quotedName(byte(first))
	case bracketed(rest):
		r.quotedName(']')
	case nameRune(first):
		r.word(rest)
	default:
		r.out.WriteString(rest[:size])
		r.at += size
	}
}

func nameRune(c rune) bool {
	return strings.ContainsRune("_$", c) || unicode.IsLetter(c) || unicode.IsDigit(c)
}

// bracketed reports whether a text begins with a name in brackets, and not with the place of an element.
func bracketed(s string) bool {
	inner, ok := strings.CutPrefix(s, "[")
	first, _ := utf8.DecodeRuneInString(inner)
	return ok && nameRune(first) && !unicode.IsDigit(first)
}

// skip passes a comment that ends with a mark; more is how many bytes its marks have beside what is looked through.
func (r *rewriting) skip(rest, mark string, more int) {
	end := strings.Index(rest, mark)
	if end < 0 {
		r.at = len(r.text)
	} else {
		r.at += end + more
	}
	r.out.WriteByte(' ')
}

// inQuotes reads from an opening quote on, and gives what stands between. Twice the quote stands for one of them.
func (r *rewriting) inQuotes(closing byte, escapes bool) string {
	var inner strings.Builder
	for i := r.at + 1; i < len(r.text); i++ {
		c := r.text[i]
		switch {
		case escapes && c == '\\' && i+1 < len(r.text):
			i++
			inner.WriteByte(r.text[i])
		case c != closing:
			inner.WriteByte(c)
		case i+1 < len(r.text) && r.text[i+1] == closing && closing != ']':
			i++
			inner.WriteByte(c)
		default:
			r.at = i + 1
			return inner.String()
		}
	}
	r.at = len(r.text)
	return inner.String()
}

func (r *rewriting) literal(prefix string, escapes bool) {
	from := r.at
	r.from = from
	r.at += len(prefix)
	inner := r.inQuotes('\'', escapes)
	if r.names.Value != nil {
		if to, ok := r.names.Value(inner, false); ok {
			r.out.WriteString(quote(to, "'"))
			return
		}
	}
	r.out.WriteString(r.text[from:r.at])
}

func (r *rewriting) quotedName(closing byte) {
	from := r.at
	r.name(r.inQuotes(closing, false), from)
}

// word is a name without quotes, or a number.
func (r *rewriting) word(rest string) {
	end := strings.IndexFunc(rest, func(c rune) bool { return !nameRune(c) })
	if end < 0 {
		end = len(rest)
	}
	from := r.at
	r.at += end
	if r.names.Value != nil {
		if to, ok := r.names.Value(rest[:end], true); ok {
			r.out.WriteString(quote(to, "'"))
			return
		}
	}
	r.name(rest[:end], from)
}

func (r *rewriting) name(name string, from int) {
	if r.names.Name != nil {
		if to, ok := r.names.Name(name); ok {
			r.out.WriteString(quote(to, `"`))
			return
		}
	}
	r.out.WriteString(r.text[from:r.at])
}

// quote puts a text in quotes.
func quote(s, mark string) string { return mark + strings.ReplaceAll(s, mark, mark+mark) + mark }
