package offline

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"catena/planner/plan"
)

// numberStyle says what a comma between digits is where the digits alone do not tell.
type numberStyle struct {
	comma bool   // it is a decimal point, and points and spaces part thousands
	why   string // in words; "" where nothing is known and English is supposed
}

// commaLanguages write a decimal comma (CLDR 41), in all countries but those of pointCountries.
var (
	commaLanguages = plan.WordSet("de fr es it nl pt pl cs sk sl hr sr bs bg ru uk be ro hu sv nb no nn da fi is et lv lt el tr id vi ca eu gl sq mk kk az hy ka af")
	pointCountries = plan.WordSet("de-ch de-li it-ch es-mx es-us es-gt es-hn es-ni es-pa es-do es-pr es-sv es-pe es-419")
)

// styleOf is the way of the request's locale, else that of the data: of what came with the message, where something did.
func styleOf(req plan.Request) numberStyle {
	if req.Locale != "" {
		low := strings.ToLower(strings.ReplaceAll(req.Locale, "_", "-"))
		lang, _, _ := strings.Cut(low, "-")
		return numberStyle{commaLanguages[lang] && !pointCountries[low], "as locale " + req.Locale + " writes numbers"}
	}
	tables := req.Tables
	if slices.ContainsFunc(tables, func(t plan.TableInfo) bool { return t.Attached }) {
		tables = slices.DeleteFunc(slices.Clone(tables), func(t plan.TableInfo) bool { return !t.Attached })
	}
	if slices.ContainsFunc(tables, func(t plan.TableInfo) bool { return t.DecimalComma }) {
		return numberStyle{true, "as the data write numbers"}
	}
	return numberStyle{}
}

// restyle writes the numbers of the messages the English way, which the rest of the planner reads, and says how it read those that could
// be something else. Texts in quotes stay.
func (s *session) restyle(toks []token) []token {
	if s.restyled {
		return toks
	}
	s.restyled = true
	style := styleOf(s.req)
	message, notes := style.rewrite(s.english(s.req.Message))
	s.notes = append(s.notes, notes...)
	s.req.History = slices.Clone(s.req.History)
	for i := range s.req.History {
		s.req.History[i].Message, _ = style.rewrite(s.req.History[i].Message)
	}
	if message == s.req.Message {
		return toks
	}
	s.req.Message = message
	return tokenize(message)
}

func (n numberStyle) rewrite(message string) (string, []string) {
	var b strings.Builder
	var notes []string
	quoted := false
	for i := 0; i < len(message); {
		c := message[i]
		if r, _ := utf8.DecodeRuneInString(message[i:]); r != '"' && !quoted {
			if end := quoteEnd(message, i, r); end > 0 {
				end += closing(message, end)
				b.WriteString(message[i:end])
				i = end
				continue
			}
		}
		quoted = quoted != (c == '"')
		if quoted || c < '0' || c > '9' || i > 0 && (wordByte(message[i-1]) || message[i-1] == '.' || message[i-1] == ',') {
			b.WriteByte(c)
			i++
			continue
		}
		lit := literalAt(message[i:])
		plain, sure := n.plain(lit)
		b.WriteString(plain)
		if !sure {
			notes = append(notes, strings.TrimSpace(fmt.Sprintf("“%s” was read as %s, %s", lit.text, plain, n.reason())))
		}
		i += len(lit.text)
	}
	return b.String(), notes
}

func (n numberStyle) reason() string {
	if n.why == "" {
		return "with a decimal point."
	}
	return n.why + "."
}

// literal is a number as written: its groups of digits, and what stands between them.
type literal struct {
	text   string
	groups []string
	seps   []string
}

// literalAt reads the number that a text begins with. A space belongs to it only where three digits follow, and no more.
func literalAt(s string) literal {
	var l literal
	end := 0
	for {
		from := end
		for digitAt(s, end) {
			end++
		}
		l.groups = append(l.groups, s[from:end])
		sep := separatorAt(s[end:])
		next := end + len(sep)
		if sep == "" || !digitAt(s, next) {
			break
		}
		three := digitAt(s, next+1) && digitAt(s, next+2) && !digitAt(s, next+3) && !(next+3 < len(s) && wordByte(s[next+3]) && s[next+3] < 0x80 && s[next+3] != ')')
		if sep != "." && sep != "," && (!three || len(l.groups[0]) > 3) {
			break
		}
		l.seps, end = append(l.seps, sep), next
	}
	l.text = s[:end]
	return l
}

func separatorAt(s string) string {
	for _, sep := range []string{".", ",", " ", "'", "’", "\u00a0", "\u202f"} {
		if strings.HasPrefix(s, sep) {
			return sep
		}
	}
	return ""
}

// plain is a number in digits with at most a point, or as it was where it is none or English already. It is not sure where the other
// style would read another number.
func (n numberStyle) plain(l literal) (text string, sure bool) {
	last := len(l.seps) - 1
	if last < 0 {
		return l.text, true
	}
	thousands := len(l.groups[0]) <= 3 && l.groups[0][0] != '0'
	for _, g := range l.groups[1:] {
		thousands = thousands && len(g) == 3
	}
	grouping, point := l.seps[0], l.seps[last]
	alike := !slices.ContainsFunc(l.seps[:last], func(s string) bool { return s != grouping })
	whole := strings.Join(l.groups[:last+1], "")
	switch {
	case last > 0 && alike && grouping != point && (point == "," || point == ".") && len(l.groups[0]) <= 3 &&
		!slices.ContainsFunc(l.groups[1:last+1], func(g string) bool { return len(g) != 3 }): // 1.000,00 and 1 000.00
		return whole + "." + l.groups[last+1], true
	case !alike || grouping != point:
		return l.text, true
	case grouping == " ":
		if !thousands || !n.comma && l.groups[last+1][0] != '0' {
			return l.text, true
		}
		return whole + l.groups[last+1], true
	case grouping != "." && grouping != ",":
		if !thousands {
			return l.text, true
		}
		return whole + l.groups[last+1], true
	case last > 0:
		if grouping == "." && thousands { // 1.000.000
			return whole + l.groups[last+1], true
		}
		return l.text, true
	case grouping == "." && n.comma && thousands:
		return whole + l.groups[1], false
	case grouping == ".":
		return l.text, !thousands || n.why != ""
	case n.comma:
		return whole + "." + l.groups[1], !thousands
	}
	return l.text, true
}

// looseLimit finds a limit such as "top 1 k", which may be a thousand or a column k; "" for all other messages.
func looseLimit(message string, toks []token) string {
	for i, t := range toks[:max(0, len(toks)-1)] {
		n := toks[i+1]
		if t.low != "top" && t.low != "bottom" && t.low != "first" || n.kind != numberToken || n.end > len(message) {
			continue
		}
		if written := message[n.start:n.end]; strings.HasSuffix(strings.ToLower(written), " k") {
			return t.text + " " + written
		}
	}
	return ""
}
