package plantest

import (
	"slices"
	"strings"
	"unicode"
)

// faults are all of them, family by family.
func faults() []fault {
	all := slices.Concat(toolFaults, nameFaults, typeFaults, enumFaults, missingFaults, formatFaults, listFaults, wrapFaults,
		refFaults(), expressionFaults, orderFaults, idFaults, answerFaults, shapeFaults, extraFaults, textFaults)
	var out []fault
	for _, f := range all {
		if len(out) > 0 && out[len(out)-1].family != f.family {
			out = append(out, furtherOf(out[len(out)-1].family)...)
		}
		out = append(out, f)
	}
	return append(out, furtherOf(out[len(out)-1].family)...)
}

func furtherOf(family string) []fault {
	return slices.DeleteFunc(slices.Clone(furtherFaults), func(f fault) bool { return f.family != family })
}

// Spellings of a name.

func camel(s string) string {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == '-' || r == ' ' || r == '.' })
	for i := range parts[1:] {
		parts[i+1] = strings.ToUpper(parts[i+1][:1]) + parts[i+1][1:]
	}
	return strings.Join(parts, "")
}

func joinedBy(sep string) func(string) string {
	return func(s string) string { return strings.NewReplacer("_", sep, "-", sep, " ", sep).Replace(s) }
}

// swapped changes two letters in the middle of a long word; the name itself where it has none.
func swapped(s string) string { return slip(s, func(a, b byte) string { return string([]byte{b, a}) }) }

// dropped leaves a letter out of a long word.
func dropped(s string) string { return slip(s, func(a, _ byte) string { return string(a) }) }

// smallLetters reports whether a word has nothing but bytes that can be changed one by one, and no capital letters.
func smallLetters(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return r > unicode.MaxASCII || unicode.IsUpper(r) })
}

func slip(s string, change func(a, b byte) string) string {
	at := 0
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == '-' || r == ' ' || r == '.' }) {
		from := strings.Index(s[at:], word) + at
		at = from + len(word)
		if len(word) < 6 || !smallLetters(word) {
			continue
		}
		for i := from + 2; i+1 < at; i++ {
			if s[i] != s[i+1] {
				return s[:i] + change(s[i], s[i+1]) + s[i+2:]
			}
		}
	}
	return s
}

// renamedTool spells the name of a step's tool otherwise.
func renamedTool(destructive bool, to func(string) string) func(*maker) bool {
	return func(m *maker) bool {
		i := m.r.IntN(len(m.used))
		name := m.used[i].name
		m.step(i)["tool"] = to(name)
		return m.used[i].destructive == destructive && to(name) != name
	}
}

func prefixed(prefix string) func(string) string {
	return func(s string) string { return prefix + s }
}

var toolFaults = []fault{
	{"tool name", "camel case", Meant, renamedTool(false, camel)},
	{"tool name", "hyphens", Meant, renamedTool(false, joinedBy("-"))},
	{"tool name", "spaces", Meant, renamedTool(false, joinedBy(" "))},
	{"tool name", "capitals", Meant, renamedTool(false, strings.ToUpper)},
	{"tool name", "functions.", Meant, renamedTool(false, prefixed("functions."))},
	{"tool name", "mcp__server__", Meant, renamedTool(false, prefixed("mcp__crm__"))},
	{"tool name", "server/", Meant, renamedTool(false, prefixed("crm/"))},
	{"tool name", "letters swapped", Meant, renamedTool(false, swapped)},
	{"tool name", "letter dropped", Meant, renamedTool(false, dropped)},
	{"tool name", "brackets", Meant, renamedTool(false, func(s string) string { return s + "()" })},
	{"tool name", "slip in a destructive one", Refused, renamedTool(true, swapped)},
	{"tool name", "another verb", Refused, renamedTool(false, func(s string) string { _, rest, _ := strings.Cut(s, "_"); return "purge_" + rest })},
	{"tool name", "no such tool", Refused, renamedTool(false, func(string) string { return "python_repl" })},
}

// renamed spells the name of an argument otherwise.
func renamed(to func(string) string) func(*maker) bool {
	return func(m *maker) bool {
		p, ok := m.find(func(p place) bool { return to(p.field.name) != p.field.name })
		if !ok {
			return false
		}
		p.in[to(p.field.name)] = p.value()
		delete(p.in, p.field.name)
		return true
	}
}

// beside adds an argument to a step.
func beside(name string, value any) func(*maker) bool {
	return func(m *maker) bool {
		m.args(m.r.IntN(len(m.used)))[name] = value
		return true
	}
}

var nameFaults = []fault{
	{"argument name", "camel case", Meant, renamed(camel)},
	{"argument name", "hyphens", Meant, renamed(joinedBy("-"))},
	{"argument name", "spaces", Meant, renamed(joinedBy(" "))},
	{"argument name", "capitals", Meant, renamed(strings.ToUpper)},
	{"argument name", "plural", Meant, renamed(func(s string) string { return strings.TrimSuffix(s, "s") + "s" })},
	{"argument name", "singular", Meant, renamed(func(s string) string {
		if strings.HasSuffix(s, "ss") || len(s) < 5 {
			return s
		}
		return strings.TrimSuffix(s, "s")
	})},
	{"argument name", "letters swapped", Meant, renamed(swapped)},
	{"argument name", "letter dropped", Meant, renamed(dropped)},
	{"argument name", "a word more", Either, renamed(func(s string) string { return s + "_value" })},
	{"argument name", "a word before", Either, renamed(prefixed("input_"))},
	{"argument name", "another word", Refused, renamed(func(string) string { return "zzyzx" })},
	{"argument name", "one that is not declared", Refused, beside("verbosity_level", 3)},
	{"argument name", "two spellings, two values", Refused, func(m *maker) bool {
		p, ok := m.find(func(p place) bool { return camel(p.field.name) != p.field.name })
		if ok {
			p.in[camel(p.field.name)] = "something else"
		}
		return ok
	}},
}

// enumOf fits arguments with an enum.
func enumOf(p place) bool {
	_, word := p.value().(string)
	return word && p.field.enum != nil
}

// word respells an enum's word; nil where that is a word of the enum itself.
func word(to func(string) string) func(*maker) bool {
	return wordWhere(func(*maker, place) bool { return true }, to)
}

// readOnlyWord respells one that is given to a tool which changes nothing.
func readOnlyWord(to func(string) string) func(*maker) bool {
	return wordWhere(func(m *maker, p place) bool { return !m.used[p.step].destructive }, to)
}

func wordWhere(where func(*maker, place) bool, to func(string) string) func(*maker) bool {
	return set(enumOf, func(m *maker, p place) any {
		s := to(p.value().(string))
		if slices.Contains(p.field.enum, s) || s == "" || plain(s) != plain(p.value().(string)) && apartFrom(p) < 3 || !where(m, p) {
			return nil
		}
		return s
	})
}

// apartFrom is how far the word of an argument is from the others of its enum.
func apartFrom(p place) int {
	least := 99
	for _, e := range p.field.enum {
		if e != p.value() {
			least = min(least, edits(plain(e), plain(p.value().(string))))
		}
	}
	return least
}

var enumFaults = []fault{
	{"enum", "capitals", Meant, word(strings.ToUpper)},
	{"enum", "lower case", Meant, word(strings.ToLower)},
	{"enum", "spaces around", Meant, word(func(s string) string { return "  " + s + " " })},
	{"enum", "other separators", Meant, word(func(s string) string { return strings.NewReplacer("_", "-", "-", " ", " ", "_").Replace(s) })},
	{"enum", "letters swapped", Meant, readOnlyWord(swapped)},
	{"enum", "letter dropped", Meant, readOnlyWord(dropped)},
	{"enum", "quotes inside", Either, word(func(s string) string { return `"` + s + `"` })},
	{"enum", "full stop", Either, word(func(s string) string { return s + "." })},
	{"enum", "another word", Refused, word(func(string) string { return "quuxish" })},
	{"enum", "two of them", Refused, set(enumOf, func(_ *maker, p place) any {
		if len(p.field.enum) < 2 {
			return nil
		}
		return p.field.enum[0] + "|" + p.field.enum[1]
	})},
	{"enum", "its place", Refused, set(enumOf, func(*maker, place) any { return 1 })},
}
