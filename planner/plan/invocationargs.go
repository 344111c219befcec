package plan

import (
	"catena/planner/loosejson"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// argumentReader reads the arguments that stand behind the name of a tool.
type argumentReader struct {
	s        string
	i        int
	declared []declaredField
	args     map[string]any
	fault    string // why they cannot be used; "" while they can
}

// leadIn is what may stand between a tool's name and its arguments.
var leadIn = regexp.MustCompile(
	"(?i)^(?:[\\s`*:=]|(?:with|using|the|these|following|args|arguments|params|parameters|options|json|input|as)\\b)*")

// Ways in which arguments may begin.
var (
	pairStart   = regexp.MustCompile(`^[A-Za-z_$][\w$.-]*\s*=[^=]`)
	colonStart  = regexp.MustCompile(`^[A-Za-z_$][\w$.-]*\s*:\s*\S`)
	optionStart = regexp.MustCompile(`^--?[A-Za-z][\w-]*`)
)

// read reads the arguments and reports whether there are any. What stands there and cannot be read is a fault.
func (r *argumentReader) read() bool {
	lead := len(leadIn.FindString(r.s[r.i:]))
	at := r.i + lead
	rest := r.s[at:]
	r.args = map[string]any{}
	switch {
	case strings.HasPrefix(rest, "{"):
		r.i = at
		r.object()
	case strings.HasPrefix(rest, "("):
		r.i = at
		r.parentheses()
	case optionStart.MatchString(rest):
		r.i = at
		r.options()
	case pairStart.MatchString(rest), colonStart.MatchString(rest) && r.begins(rest):
		r.i = at
		r.open()
	default:
		return false
	}
	r.afterFence()
	r.unwrap()
	return true
}

// begins reports whether a text begins with an argument that the tool declares and a colon.
func (r *argumentReader) begins(rest string) bool {
	name, _, _ := strings.Cut(rest, ":")
	_, ok := r.field(strings.TrimSpace(name))
	return ok
}

// fail notes why the arguments cannot be used, and takes all that follows for a part of them.
func (r *argumentReader) fail(why string) {
	if r.fault == "" {
		r.fault = why
	}
	if r.i < len(r.s) {
		r.i = len(r.s)
	}
}

// closeFence is the end of a code fence or of code in a line.
var closeFence = regexp.MustCompile("^\\s*`+")

func (r *argumentReader) afterFence() { r.i += len(closeFence.FindString(r.s[r.i:])) }

// object reads arguments in braces: JSON, what people write for it, or pairs.
func (r *argumentReader) object() {
	value, end, ok := valueAtStart(r.s, r.i)
	if m, isObject := value.(map[string]any); ok && isObject {
		r.args, r.i = m, end
		return
	}
	from := r.i
	r.i++
	if !r.pairs('}') {
		r.i = from
		r.fail("the arguments behind its name cannot be read; write them as JSON, as in {\"name\": \"value\"}")
	}
}

// parentheses reads arguments as a program calls: (region="USA", limit=3), ({"region": "USA"}).
func (r *argumentReader) parentheses() {
	r.i++
	r.space()
	if strings.HasPrefix(r.s[r.i:], "{") {
		r.object()
		r.space()
		if r.fault == "" && !r.take(')') {
			r.fail("a closing ) is missing behind its arguments")
		}
		return
	}
	if !r.pairs(')') {
		r.fail("each argument in ( ) needs its name, as in (name=\"value\")")
	}
}

// pairs reads name=value or name: value, with commas between them, to the closing bracket.
func (r *argumentReader) pairs(closing byte) bool {
	for {
		r.space()
		for r.take(',') {
			r.space()
		}
		if r.take(closing) {
			return true
		}
		key, ok := r.key(true)
		if !ok {
			return false
		}
		value, ok := r.value(closing)
		if !ok || !r.put(key, value) {
			return false
		}
	}
}

// options reads --name value, --name=value and --flag.
func (r *argumentReader) options() {
	for {
		option := optionStart.FindString(r.s[r.i:])
		if option == "" {
			break
		}
		r.i += len(option)
		name := strings.TrimLeft(option, "-")
		d, known := r.field(name)
		if !r.take('=') {
			from := r.i
			r.space()
			next := r.s[r.i:]
			alone := next == "" || optionWord.MatchString(next) // nothing that could be its value follows
			flag := known && d.flag && !boolStart.MatchString(next)
			if alone || flag {
				r.i = from
				r.put(name, true)
				r.space()
				continue
			}
		}
		value, ok := r.openValue(d)
		if !ok || !r.put(name, value) {
			r.fail("the value of " + name + " cannot be read; put it in quotes")
			return
		}
		r.separator()
	}
	if pairStart.MatchString(r.s[r.i:]) {
		r.open()
	}
}

var (
	optionWord = regexp.MustCompile(`^--?[A-Za-z]`)
	boolStart  = regexp.MustCompile(`(?i)^(?:true|false)\b`)
)

// open reads pairs that no brackets hold; a value ends at a space or comma.
func (r *argumentReader) open() {
	for {
		key, ok := r.key(false)
		if !ok {
			return
		}
		d, _ := r.field(key)
		value, ok := r.openValue(d)
		if !ok || !r.put(key, value) {
			r.fail("the value of " + key + " cannot be read; put it in quotes")
			return
		}
		before := r.i
		r.separator()
		rest := r.s[r.i:]
		if optionStart.MatchString(rest) {
			r.options()
			return
		}
		if !r.more(rest) {
			r.i = before
			return
		}
	}
}

// more reports whether another pair follows.
func (r *argumentReader) more(rest string) bool {
	if pairStart.MatchString(rest) {
		return true
	}
	if colonStart.MatchString(rest) {
		name, _, _ := strings.Cut(rest, ":")
		return !politeCall[strings.ToLower(strings.TrimSpace(name))] && !strings.HasPrefix(rest, "http")
	}
	word := spacedPair.FindStringSubmatch(rest)
	if word == nil {
		return false
	}
	_, ok := r.field(word[1])
	return ok
}

// spacedPair is a name and its value with a space between them: limit 3.
var spacedPair = regexp.MustCompile(`^([A-Za-z_][\w-]*) +\S`)

// pairSeparator is what may stand between two pairs.
var pairSeparator = regexp.MustCompile(`(?i)^(?:[\s,;&]|and\b|with\b)*`)

func (r *argumentReader) separator() { r.i += len(pairSeparator.FindString(r.s[r.i:])) }

// key reads the name of an argument and the mark behind it.
func (r *argumentReader) key(quoted bool) (string, bool) {
	if quoted && r.i < len(r.s) && loosejson.IsQuote(r.runeAt()) {
		v, end, ok := valueAtStart(r.s, r.i)
		name, isText := v.(string)
		if !ok || !isText {
			return "", false
		}
		r.i = end
		return name, r.mark()
	}
	m := keyForm.FindString(r.s[r.i:])
	if m == "" {
		return "", false
	}
	r.i += len(m)
	return m, r.mark() || !quoted && r.i < len(r.s) && r.s[r.i-1] == ' '
}

var keyForm = regexp.MustCompile(`^[A-Za-z_$][\w$-]*(?:\.[\w$-]+)*`)

// mark takes the = or : behind a name, with the space around it.
func (r *argumentReader) mark() bool {
	r.space()
	if !r.take('=') && !r.take(':') {
		return false
	}
	r.space()
	return true
}

// value reads a value within brackets: one of JSON, or a text up to the next comma or the closing bracket.
func (r *argumentReader) value(closing byte) (any, bool) {
	if r.enclosed() {
		return r.enclosedValue(",)}\n")
	}
	end := strings.IndexAny(r.s[r.i:], ",\n"+string(closing))
	if end <= 0 {
		return nil, false
	}
	text := strings.TrimSpace(r.s[r.i : r.i+end])
	r.i += end
	return bareValue(text), text != "" && !strings.Contains(text, `"`)
}

// openValue reads a value that ends at a space or comma; a list goes on behind its commas.
func (r *argumentReader) openValue(d declaredField) (any, bool) {
	v, ok := r.openItem(d.list)
	if !ok || !d.list {
		return v, ok
	}
	if _, is := v.([]any); is {
		return v, true
	}
	list := []any{v}
	for listComma.MatchString(r.s[r.i:]) {
		from := r.i
		r.i += len(listComma.FindString(r.s[r.i:]))
		if rest := r.s[r.i:]; r.more(rest) || optionWord.MatchString(rest) {
			r.i = from
			break
		}
		if v, ok = r.openItem(true); !ok {
			return nil, false
		}
		list = append(list, v)
	}
	return list, true
}

var listComma = regexp.MustCompile(`^\s*,\s*`)

// openItem reads one value outside brackets.
func (r *argumentReader) openItem(list bool) (any, bool) {
	if r.enclosed() {
		return r.enclosedValue(" \t\r\n,;.!?&)`")
	}
	word := r.s[r.i:]
	if end := strings.IndexFunc(word, unicode.IsSpace); end >= 0 {
		word = word[:end]
	}
	if at := pairBehindComma.FindStringIndex(word); at != nil {
		word = word[:at[0]]
	}
	if at := strings.IndexByte(word, ','); list && at >= 0 {
		word = word[:at]
	}
	word = strings.TrimRight(word, ",;.!?`")
	r.i += len(word)
	return bareValue(word), word != "" && !strings.Contains(word, `"`)
}

// enclosedValue reads a value in quotes or brackets that one of the marks ends.
func (r *argumentReader) enclosedValue(marks string) (any, bool) {
	if !loosejson.IsQuote(r.runeAt()) {
		v, end, ok := valueAtStart(r.s, r.i)
		r.i = end
		return v, ok && closes(r.s[end:], marks)
	}
	closing := loosejson.ClosingQuote(r.s, r.i)
	if closing == "" {
		return nil, false
	}
	from := r.i + utf8.RuneLen(r.runeAt())
	if len(closing) == 3 && closing[0] < utf8.RuneSelf {
		from = r.i + 3
	}
	for at := from; at < len(r.s); at++ {
		if r.s[at] == '\\' {
			at++
			continue
		}
		end := at + len(closing)
		if strings.HasPrefix(r.s[at:], closing) && closes(r.s[end:], marks) {
			r.i = end
			return unescaped(r.s[from:at]), true
		}
	}
	return nil, false
}

// enclosed reports whether a value in quotes or brackets begins here.
func (r *argumentReader) enclosed() bool {
	return r.i < len(r.s) && (loosejson.IsQuote(r.runeAt()) || strings.IndexByte("[{(", r.s[r.i]) >= 0)
}

// pairBehindComma is where the next pair begins without a space: region=USA,limit=3.
var pairBehindComma = regexp.MustCompile(`[,;&][A-Za-z_][\w-]*=`)

// put keeps an argument; one that is there already cannot be used.
func (r *argumentReader) put(key string, value any) bool {
	if _, twice := r.args[key]; twice {
		r.fail(key + " is given twice; give it once")
		return false
	}
	r.args[key] = value
	return true
}

// unwrap takes the arguments out of an object that holds nothing else: {"arguments": {...}}.
func (r *argumentReader) unwrap() {
	if len(r.args) != 1 {
		return
	}
	for key, v := range r.args {
		inner, ok := v.(map[string]any)
		if _, declared := r.field(key); ok && !declared && wrapperNames[strings.ToLower(key)] {
			r.args = inner
		}
	}
}

var wrapperNames = WordSet("args arguments params parameters input")

func (r *argumentReader) space() {
	for r.i < len(r.s) && unicode.IsSpace(r.runeAt()) {
		r.i += utf8.RuneLen(r.runeAt())
	}
}

func (r *argumentReader) runeAt() rune {
	c, _ := utf8.DecodeRuneInString(r.s[r.i:])
	return c
}

func (r *argumentReader) take(c byte) bool {
	if r.i < len(r.s) && r.s[r.i] == c {
		r.i++
		return true
	}
	return false
}
