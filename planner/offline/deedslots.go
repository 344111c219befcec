package offline

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// thisFolder is the path where none is said: the place where Catena was started, or what the tool takes for it.
const thisFolder = "."

// read gives what stands for * as the slot wants it, "" for nothing.
func (d *doing) read(p *param) string {
	switch d.sp.m.slot {
	case textSlot:
		return d.text()
	case codeSlot:
		return unfenced(d.text())
	case thingSlot:
		return d.thing()
	case pathSlot:
		return d.path()
	case patternSlot:
		return d.pattern(p)
	case questionSlot:
		return strings.TrimSpace(d.source(d.sp.all))
	}
	return d.phrase()
}

// sayable leaves out what no argument may hold: control characters other than line ends and tabs, and broken UTF-8.
func sayable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// source is the message where tokens stand in it; of a text in quotes what is inside.
func (d *doing) source(toks []token) string {
	if len(toks) == 0 {
		return ""
	}
	if len(toks) == 1 && toks[0].kind == quoteToken {
		return toks[0].text
	}
	return d.c.s.req.Message[toks[0].start:toks[len(toks)-1].end]
}

// text is the rest of the message to the letter; quotes around all of it are left out.
func (d *doing) text() string {
	toks := d.sp.object
	if len(toks) == 0 {
		return ""
	}
	if d.sp.m.whole && !(len(toks) == 1 && toks[0].kind == quoteToken) {
		rest := strings.TrimSpace(d.c.s.req.Message[toks[0].start:])
		if d.asked() {
			rest = strings.TrimSpace(strings.TrimSuffix(rest, "?"))
		}
		return rest
	}
	return strings.TrimSpace(d.source(toks))
}

// articles come before what is looked for and say nothing of it.
var articles = plan.WordSet("the a an my our your this that all any some of about")

// phrase is what stands for * without articles and marks around it.
func (d *doing) phrase() string { return d.source(trimmed(d.sp.object, articles)) }

// trimmed drops words of a set from the front, and marks at both ends. A star at the front is a part of a name.
func trimmed(toks []token, front map[string]bool) []token {
	for len(toks) > 1 && (front[toks[0].low] && toks[0].kind == wordToken || toks[0].kind == markToken && toks[0].text != "*" && toks[0].text != "." && toks[0].text != "/") {
		toks = toks[1:]
	}
	for len(toks) > 0 && (toks[len(toks)-1].kind == markToken && strings.Contains("?!.,;:", toks[len(toks)-1].text) || len(toks) > 1 && toks[len(toks)-1].low == "please") {
		toks = toks[:len(toks)-1]
	}
	return toks
}

// kinds of code are named beside what they are called: "the payment module".
var codeKinds = plan.WordSet("module modules file files package packages class function functions method folder directory component library interface struct service code")

// thing is the name of a file or a part of code without the word for its kind; "" for a superlative.
func (d *doing) thing() string {
	toks := trimmed(d.sp.object, articles)
	if mostOf(toks) {
		return "" // "the most memory" is no thing
	}
	for len(toks) > 1 && codeKinds[toks[0].low] && toks[0].kind == wordToken {
		toks = toks[1:]
	}
	for len(toks) > 1 && codeKinds[toks[len(toks)-1].low] && !strings.Contains(d.source(toks[len(toks)-2:]), "/") && spaced(toks) {
		toks = toks[:len(toks)-1]
	}
	return d.source(toks)
}

// mostOf reports whether a superlative is among the tokens.
func mostOf(toks []token) bool {
	return slices.ContainsFunc(toks, func(t token) bool { _, degree, ok := degreeOf(t.low); return ok && degree == 2 })
}

// codeName reports whether what stands for * reads as a name in code: of several words joined by a dot, a capital inside or an
// underscore, with brackets behind it, or a single word with a capital. Paths, and names of files, are none.
func codeName(message string, object []token, strict bool) bool {
	toks := trimmed(object, articles)
	for len(toks) > 1 && codeKinds[toks[0].low] && toks[0].kind == wordToken {
		toks = toks[1:]
	}
	for len(toks) > 1 && codeKinds[toks[len(toks)-1].low] && spaced(toks) {
		toks = toks[:len(toks)-1]
	}
	if len(toks) == 0 || toks[0].start >= len(message) {
		return false
	}
	name := strings.Trim(message[toks[0].start:toks[len(toks)-1].end], "`\"'")
	if strict && len(toks) == 1 && !strings.ContainsAny(name, ".#:(_") && strings.ToLower(name[1:]) == name[1:] {
		return false
	}
	return codeNamed.MatchString(name)
}

// codeNamed is a name in code. A lower-case ending behind a dot is that of a file, unless brackets follow.
var codeNamed = regexp.MustCompile(`^(?:[\pL_][\pL\pN_]*(?:(?:\.|::|#)[\pL_][\pL\pN_]*)*\(\)|(?:[\pL_][\pL\pN_]*(?:\.|::|#))*\p{Lu}[\pL\pN_]*|[\pL_][\pL\pN]*\p{Lu}[\pL\pN_]*|[\pL\pN]*_[\pL\pN_]+)$`)

// spaced reports whether a space is between the last two tokens.
func spaced(toks []token) bool { n := len(toks); return toks[n-1].start > toks[n-2].end }

// pathLike reports whether a word of a message is a path rather than a word.
func pathLike(w string) bool {
	return strings.ContainsAny(w, `/\`) || strings.HasPrefix(w, ".") || strings.HasPrefix(w, "~")
}

// path is a path in what was said, else this folder; "" where a word is said that is none.
func (d *doing) path() string {
	for _, t := range d.sp.object {
		if t.kind == quoteToken {
			return t.text
		}
	}
	for _, w := range strings.Fields(d.source(d.sp.object)) {
		w = strings.TrimRight(w, "?!,;:")
		if strings.TrimLeft(w, ".") != "" {
			w = strings.TrimSuffix(w, ".")
		}
		if pathLike(w) {
			return w
		}
	}
	for _, t := range d.sp.object {
		if t.kind == wordToken && !codePlaces[t.low] && !articles[t.low] && !stopWords[t.low] {
			return ""
		}
	}
	return thisFolder
}

// codePlaces are what the folder is called that is meant when no other is named.
var codePlaces = plan.WordSet("repository repo folder project codebase code directory workspace source sources current local base here again it")

// pattern is a name with * in it, as the argument wants it: a regular expression where it says so.
func (d *doing) pattern(p *param) string {
	name := d.source(trimmed(d.sp.object, articles))
	if desc := strings.ToLower(p.desc); strings.Contains(name, "*") && strings.Contains(desc, "regular expression") && !strings.Contains(desc, "*") && !strings.Contains(desc, "glob") {
		return "^" + strings.ReplaceAll(regexp.QuoteMeta(name), `\*`, ".*") + "$"
	}
	return name
}

// unfenced is code without the fence around it.
func unfenced(s string) string {
	inner, ok := strings.CutPrefix(s, "```")
	if !ok {
		return s
	}
	inner = strings.TrimSuffix(strings.TrimSpace(inner), "```")
	if first, rest, cut := strings.Cut(inner, "\n"); cut && !strings.ContainsAny(first, " (){}=;") {
		inner = rest // the language
	}
	return strings.TrimSpace(inner)
}

// idParams are the required arguments that take ids: who does something before whom it is done to, else in the order in which
// the schema requires them.
func (d *doing) idParams() []param {
	var out []param
	for _, p := range d.f.params {
		if p.required && p.entity != "" && p.typ != "array" {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b param) int { return cmp.Or(cmp.Compare(a.side(), b.side()), cmp.Compare(a.nth, b.nth)) })
	return out
}

// Arguments for who does something, and for whom it is done to.
var (
	givers    = plan.WordSet("sender from source author speaker giver")
	receivers = plan.WordSet("recipient receiver to target listener addressee")
)

// side is -1 for who does something, 1 for whom it is done to, 0 for neither.
func (p param) side() int {
	words := plan.NameWords(p.name)
	return b2i(len(words) > 0 && receivers[words[0]]) - b2i(len(words) > 0 && givers[words[0]])
}

// ids fills the required ids: by ids in the message, else by the names in it.
func (d *doing) ids() bool {
	params := d.idParams()
	if d.sp.m.topic {
		return d.meant(params[0])
	}
	if found := idsIn(d.c.s.req.Message, d.sp.all, params[0]); len(found) == len(params) {
		for i, p := range params {
			d.args[p.name] = found[i]
		}
		return true
	}
	if d.sp.m.exact {
		d.ask()
		return false
	}
	return d.names(d.sp.all)
}

// idsIn are the words of a message that are ids: they have the shape that the argument says, or letters and digits with an
// underscore or hyphen, as no word has.
func idsIn(message string, toks []token, p param) []string {
	if len(toks) == 0 {
		return nil
	}
	var out []string
	for _, w := range strings.Fields(sayable(message[toks[0].start:toks[len(toks)-1].end])) {
		w = strings.Trim(w, `"'“”‘’`+"`?!.,;:()")
		shaped := p.shape != nil && p.shape.fits(w)
		coined := len(w) >= 6 && strings.ContainsAny(w, "0123456789") && strings.ContainsAny(w, "_-") || len(w) >= 20 && strings.ContainsAny(w, "0123456789")
		if w != "" && (shaped || coined) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// names fills the required ids with the names in a message, in order: each in lower case, as ids are written.
func (d *doing) names(toks []token) bool {
	params := d.idParams()
	found := namesIn(toks)
	if i := slices.IndexFunc(toks, func(t token) bool { return mayName(t) && d.c.s.declared("", []token{t}) == "" }); len(params) == 1 && len(found) == 0 && i >= 0 {
		found = []string{strings.TrimSuffix(strings.TrimSuffix(toks[i].text, "'s"), "’s")}
	}
	if len(params) == 0 || len(found) < len(params) {
		d.ask()
		return false
	}
	for i, p := range params {
		d.args[p.name] = strings.Join(plan.FoldWords(found[i]), "_")
	}
	return true
}

// nameStarts are words behind which names follow; nameNoise are words of meanings that are no names.
var (
	nameStarts = plan.WordSet("between of from for among are is do does would will can that how compatible an interaction")
	nameNoise  = plan.WordSet("compatible compatibility match matching well fit get along together told tells asked asks said says wrote writes thanked thanks texted promised trust intimacy strength relationship by how persona personas goal goals progress strategy respond answer reply react response situation handle doing what analyze analyse check assess compute show the and with to me not note record log interaction conversation")
)

// namesIn are the names in a clause: words with capitals, else what stands on both sides of "and".
func namesIn(toks []token) (out []string) {
	for i, t := range toks {
		if t.kind == quoteToken || t.kind == wordToken && capital(t.text) && !nameNoise[t.low] && !stopWords[t.low] && !(i == 0 && verbForms[t.low]) && !politeWords[t.low] {
			if i > 0 && len(out) > 0 && toks[i-1].kind == wordToken && capital(toks[i-1].text) && strings.HasSuffix(out[len(out)-1], toks[i-1].text) {
				out[len(out)-1] += " " + t.text
				continue
			}
			name := strings.TrimSuffix(strings.TrimSuffix(t.text, "'s"), "’s")
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	if len(out) > 1 {
		return out
	}
	for i, t := range toks {
		if (t.low == "and" || t.low == "with" || t.text == "&") && i > 0 && i+1 < len(toks) && mayName(toks[i-1]) && mayName(toks[i+1]) {
			return []string{toks[i-1].text, toks[i+1].text}
		}
	}
	return out
}

// mayName reports whether a token may be a name by itself.
func mayName(t token) bool {
	return t.kind == wordToken && !stopWords[t.low] && !nameNoise[t.low] && !nameStarts[t.low]
}

// changes fills the names, and the change of the number that the message names: "raise trust between lila and don by 2".
func (d *doing) changes() bool {
	from := slices.IndexFunc(d.sp.all, func(t token) bool {
		return t.low == "between" || t.low == "of" || t.low == "from" || t.low == "for" || t.low == "among"
	})
	if from < 0 {
		return false
	}
	var which *param
	for i := range d.f.params {
		p := &d.f.params[i]
		words := plan.NameWords(p.name)
		if p.typ != "number" && p.typ != "integer" || len(words) < 2 || words[len(words)-1] != "delta" && words[len(words)-1] != "change" {
			continue
		}
		if slices.ContainsFunc(d.sp.all[:from], func(t token) bool { return t.lemma == words[0] || stem(t.low) == stem(words[0]) }) {
			which = p
		}
	}
	if which == nil {
		return false // this says nothing of what the tool changes
	}
	amount := slices.IndexFunc(d.sp.all, func(t token) bool { return t.kind == numberToken })
	if amount < 0 {
		d.ask()
		return false
	}
	if amount > 0 && d.sp.all[amount-1].low == "to" {
		name := plan.NameWords(which.name)[0]
		if d.setElsewhere(name) {
			return false
		}
		d.c.missing = "What " + name + " is set to cannot be said, only by how much it changes, such as “by 2”. " +
			"Nothing was changed."
		return false
	}
	num := d.sp.all[amount].num
	if sinking[d.sp.all[slices.IndexFunc(d.sp.all, func(t token) bool { return t.kind == wordToken && !politeWords[t.low] })].low] && !strings.HasPrefix(num, "-") {
		num = "-" + num
	}
	d.args[which.name] = asNumber(num)
	if !d.names(d.sp.all[from:]) {
		d.c.missing = "Which two do you mean?"
		return false
	}
	return true
}

// setElsewhere reports whether another tool that changes something is called after what is to be set: set_trust.
func (d *doing) setElsewhere(word string) bool {
	return slices.ContainsFunc(d.c.cat.tools, func(f *toolFacts) bool {
		return f != d.f && !f.ReadOnly && slices.Contains(f.lemmas, word)
	})
}
