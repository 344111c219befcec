package plan

import (
	"catena/planner/loosejson"
	"regexp"
	"slices"
	"strings"
)

// text checks a text for what no schema may let through: control characters, placeholders, and references to steps that
// are not there, which Mend therefore left as text.
func (v *validation) text(s Step, x string, depth int) {
	if c, ok := control(x); ok {
		v.add(ControlChar, s.ID, v.at.String(), "the text holds the control character %q; leave it out", c)
		return
	}
	if r, ok := v.lost(x); ok {
		v.add(DanglingReference, s.ID, v.at.String(), "%s refers to a step %s, which is not in the plan%s", loosejson.Shown(x), loosejson.Shown(r.Step), suggestion(r.Step, thereAre, v.ids()))
		return
	}
	if v.unread(x) {
		v.add(BadReference, s.ID, v.at.String(), cannotCompute, loosejson.Shown(x))
		return
	}
	if depth == 1 && strings.TrimSpace(x) == "" && v.needed(s) {
		v.add(PlaceholderValue, s.ID, v.at.String(), "the text is empty; give the value itself"+OrClarify)
		return
	}
	if leftOut(x, v.at) {
		v.add(PlaceholderValue, s.ID, v.at.String(), "%s says what is left out, and a list has what is in it; give its elements"+OrClarify, loosejson.Shown(x))
		return
	}
	// Rows of data deep inside may have such words; what stands in marks there is one too, unless the user wrote it.
	near := depth <= 2 || bracketed(strings.TrimSpace(x)) && !v.asked(x)
	stands := near && v.placeholder(x) || namesField(x, v.at) && !v.asked(x)
	if stands && !v.enumerated(s, x) {
		v.add(PlaceholderValue, s.ID, v.at.String(), "%s is a placeholder; give the value itself"+OrClarify, loosejson.Shown(x))
	}
}

// sign reports whether a text begins with a sign by which templates mark names.
func sign(t string) bool { return t != "" && strings.IndexByte("$:@%", t[0]) >= 0 }

// asked reports whether the message has a text as it is.
func (v *validation) asked(x string) bool {
	return strings.Contains(strings.ToLower(v.message), strings.ToLower(strings.TrimSpace(x)))
}

// namesField reports whether a text in marks is the name of the field where it stands: {"street": "<street>"}.
func namesField(x string, at loosejson.Pointer) bool {
	key := at[len(at)-1].Key
	t := strings.ToLower(strings.TrimSpace(x))
	return key != "" && (bracketed(t) && strings.Contains(fold(t), fold(key)) || fold(t) == "your"+fold(key) || sign(t) && fold(strings.Trim(t, "$:@%")) == fold(key))
}

// cannotCompute is the finding for a text in which something is done with a reference.
const cannotCompute = `%s does something with a step's result, which a plan cannot; use a tool for it, or the reference alone`

// inMarks finds the places of a template; named the parts of one that could name a step.
var (
	inMarks = regexp.MustCompile(`\{\{([^{}]*)\}\}|\$\{([^{}]*)\}|<%([^%]*)%>|\[\[([^\[\]]*)\]\]|\$\(([^()]*)\)`)
	named   = regexp.MustCompile(`[A-Za-z0-9_-]+`)
)

// unread reports whether a text has a place in it that names a step of the plan, and is no reference: Mend left it. What the user wrote so is a
// text.
func (v *validation) unread(x string) bool {
	if len(x) > maxSpelled || !strings.ContainsAny(x, "{%[(") || v.message != "" && strings.Contains(v.message, x) {
		return false
	}
	for _, m := range inMarks.FindAllStringSubmatchIndex(x, -1) {
		place := group(x, m)
		for _, at := range named.FindAllStringIndex(place, -1) {
			_, step := v.graph.Index(place[at[0]:at[1]])
			if step && (at[1] == len(place) || strings.IndexByte(".[ '\"]|", place[at[1]]) >= 0) {
				return true
			}
		}
	}
	return false
}

// How many words a text has that names a step: of an argument's few, as a longer one is prose; of an answer's as many
// as a sentence has.
const (
	fewWords      = 4
	wholeSentence = 40
)

// namesStep reports whether a text of so many words at most has the id of a step among them: "not s1".
func (v *validation) namesStep(x string, most int) bool {
	words := strings.Fields(x)
	return len(words) <= most && slices.ContainsFunc(words, func(w string) bool {
		_, step := v.graph.Index(strings.Trim(w, ",.;"))
		return step && stepNumber.MatchString(w)
	})
}

// needed reports whether the argument where the walk is must be given to a tool that only reads: nothing can be read for an
// empty text. A tool that writes may be told to write one.
func (v *validation) needed(s Step) bool {
	i, ok := v.graph.Index(s.ID)
	if !ok || v.calls[i] == nil || v.calls[i].in.Schema == nil || !v.calls[i].tool.ReadOnly {
		return false
	}
	name := v.at[len(v.at)-1].Key
	return required(v.calls[i].in.Schema, name) && !v.enumerated(s, "")
}

var stepNumber = regexp.MustCompile(`^([A-Za-z_-]*)[0-9]{1,3}$`)

// lost finds a reference in a text to a part of a step that is not in the plan, but whose name is like those that are: "{{s9.total}}"
// where the steps are s1, s2. What the user wrote so is a text.
func (v *validation) lost(x string) (Ref, bool) {
	if len(x) > maxSpelled || !strings.ContainsAny(x, "{$<") || v.message != "" && strings.Contains(v.message, x) {
		return Ref{}, false
	}
	for _, m := range spelledRef.FindAllStringSubmatchIndex(x, -1) {
		r, err := ParseRef(unspell(group(x, m)))
		if err != nil || len(r.Path) == 0 {
			continue
		}
		n := stepNumber.FindStringSubmatch(r.Step)
		if _, there := v.graph.Index(r.Step); n == nil || there {
			continue
		}
		if slices.ContainsFunc(v.plan.Steps, func(s Step) bool {
			own := stepNumber.FindStringSubmatch(s.ID)
			return own != nil && own[1] == n[1]
		}) {
			return r, true
		}
	}
	return Ref{}, false
}

// enumerated reports whether the schema names the text where the walk is as a value: then it stands for nothing else.
func (v *validation) enumerated(s Step, x string) bool {
	i, ok := v.graph.Index(s.ID)
	if !ok || v.calls[i] == nil || v.calls[i].in.Schema == nil {
		return false
	}
	in := []*schema{v.calls[i].in.Schema}
	for _, p := range v.at[min(len(v.at), 3):] {
		in = within(in, func(q *schema) []*schema {
			if p.Key == "" {
				return element(q, p.Index)
			}
			found, _ := property(q, p.Key)
			return found
		})
	}
	for _, q := range in {
		for _, p := range parts(q, 0, nil) {
			named := slices.Clone(p.Examples)
			if p.Enum != nil {
				named = append(named, p.Enum.Values...)
			}
			for _, one := range []*any{p.Const, p.Default} {
				if one != nil {
					named = append(named, *one)
				}
			}
			if slices.Contains(named, any(x)) {
				return true
			}
		}
	}
	return false
}

// control returns the first control character that no text of a plan needs.
func control(s string) (rune, bool) {
	for _, r := range s {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f {
			return r, true
		}
	}
	return 0, false
}

// The words that placeholders are made of, beside those of the argument's own name: words for a value that is not there, and words of asking for
// one and giving it, with those for who does and when. No value of the world is made of them alone.
var (
	absent = WordSet("n/a n.a todo tbd tba tbc fixme unknown undefined unspecified placeholder null none nil nan string")
	giving = WordSet("ask asked prompt input enter entered insert inserted provide provided specify specified supply supplied give given fill filled " +
		"determine determined decide decided clarify clarified set known available applicable missing value")
	around = WordSet("a an the by to be is are was of for from in here as user user's users not yet this that your their must should will needs later")
)

// signs matches placeholders without words: ..., ?, <>, yyyy-mm-dd.
var signs = regexp.MustCompile(`^(?:\.{3,}|…+|\?+|<>|\{\}|\[\]|(?:yyyy|yy|mm|dd|hh|ss)(?:[-/.: t](?:yyyy|yy|mm|dd|hh|ss))+)$`)

// fillsNothing reports whether a text consists of such words, so that it says that a value is wanted and is none: "to be provided by the user",
// "unknown region" for a region.
func fillsNothing(t, argument string) bool {
	slot, none, asks, rest := WordSet(strings.Join(NameWords(argument), " ")), false, false, false
	words := strings.Fields(strings.NewReplacer("_", " ", "’", "'").Replace(t))
	for _, w := range words {
		switch w = strings.Trim(w, ".,:;!?()\"'"); {
		case absent[w]:
			none = true
		case giving[w]:
			asks = true
		case around[w]:
			rest = true
		case !slot[w] && w != "":
			return false
		}
	}
	return none || asks && rest
}

// leavesOut matches a text that says which elements are not meant, with what they are called.
var leavesOut = regexp.MustCompile(`^(?:all|every|each|any)(?:thing|one|body)?(?: of)?(?: the)?(?: ([^ ]+))? (?:except|but|besides|excluding|without|other than|apart from) `)

// leftOut reports whether an element of a list says which elements the list is without, as "all except red" and "every id but 7" of ids do.
func leftOut(x string, at loosejson.Pointer) bool {
	if at[len(at)-1].Key != "" || len(at) < 2 || len(x) > longestName {
		return false
	}
	m := leavesOut.FindStringSubmatch(strings.ToLower(strings.TrimSpace(x)))
	if m == nil {
		return false
	}
	one := func(w string) string { return strings.TrimSuffix(w, "s") }
	return m[1] == "" || slices.ContainsFunc(NameWords(at[len(at)-2].Key), func(w string) bool { return one(w) == one(m[1]) })
}

// stands matches texts that say that a value belongs here: your_api_key, insert city here, %city%, __city__, xxx.
var stands = regexp.MustCompile(`^(?:your[_-].*|(?:insert|enter|your|put|add)[ _-].*[ _-]here|[a-z]+(?:_[a-z]+)*_here|insert_[a-z_]+|%[a-z_]+%|__[a-z_]+__|x{3,})$`)

// variable matches a shell's variable. In capitals it may be a share's symbol.
var variable = regexp.MustCompile(`^\$[a-z_]{3,}$`)

// argument is the name of the field where the walk is, or of the list that it is in.
func (v *validation) argument() string {
	for i := len(v.at) - 1; i >= 0; i-- {
		if v.at[i].Key != "" {
			return v.at[i].Key
		}
	}
	return ""
}

// placeholder reports whether a text stands for a value that the planner did not know.
func (v *validation) placeholder(s string) bool {
	if len(s) > 80 {
		return false
	}
	t := strings.ToLower(strings.TrimSpace(s))
	words := fillsNothing(t, v.argument()) || strings.ContainsAny(t, "_-%x ") && stands.MatchString(t)
	marks := signs.MatchString(t) || bracketed(t) || strings.HasPrefix(t, "$") && variable.MatchString(s)
	if !words && !marks {
		return false
	}
	message := strings.ToLower(v.message)
	return !strings.Contains(message, t) && !(t == "none" && without.MatchString(message))
}

// without finds words by which people say that there is to be none of something: then "none" is a value.
var without = regexp.MustCompile(`\b(without|no|not any|nothing)\b`)

// bracketed reports whether a text is words in <>, [], {}, {{}} or ${}: "<city name>".
func bracketed(t string) bool {
	in := t
	for _, b := range [][2]string{{"${", "}"}, {"{{", "}}"}, {"{", "}"}, {"<<", ">>"}, {"<", ">"}, {"[[", "]]"}, {"[", "]"}} {
		if strings.HasPrefix(t, b[0]) && strings.HasSuffix(t, b[1]) && len(t) > len(b[0])+len(b[1]) {
			in = t[len(b[0]) : len(t)-len(b[1])]
			break
		}
	}
	if in == t {
		return false
	}
	letters := false
	for _, r := range strings.TrimSpace(in) {
		if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune(" _-.'", r)) {
			return false
		}
		letters = letters || r >= 'a' && r <= 'z'
	}
	return letters
}
