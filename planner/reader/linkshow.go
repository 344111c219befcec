package reader

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// show writes spans for people: one a line, as the tests compare them.
func (s *scope) show(toks []token, spans []span) string {
	var b strings.Builder
	for _, sp := range spans {
		words := make([]string, 0, sp.to-sp.from)
		for _, t := range toks[sp.from:sp.to] {
			words = append(words, t.text)
		}
		fmt.Fprintf(&b, "%s = %s", strings.Join(words, " "), strings.TrimSpace(string(sp.cat)+" "+sp.sense))
		if sp.mean != nil {
			b.WriteString(" " + s.showMeaning(sp.mean))
		}
		if sp.how != howWord {
			b.WriteString(", " + sp.how)
		}
		if sp.score < 1 {
			b.WriteString(" " + strconv.FormatFloat(sp.score, 'f', 2, 64))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (s *scope) showMeaning(m meaning) string {
	switch r := m.(type) {
	case entityRef:
		return s.entity(r.table).Table
	case fieldRef:
		return s.entity(r.table).Table + "." + s.field(r).Name
	case valueRef:
		out := s.showMeaning(r.field) + "=" + strings.Join(r.values, "|")
		if r.several > 1 {
			out += " x" + strconv.Itoa(r.several)
		}
		return out
	case numberRef:
		out := r.value.String()
		if r.ordinal {
			out += "."
		}
		return strings.TrimSpace(out + " " + r.unit)
	case periodRef:
		return r.show()
	}
	return fmt.Sprint(m)
}

func (p periodRef) show() string {
	switch {
	case p.cycle != "":
		return p.cycle + fmt.Sprint(p.parts)
	case p.last > 0:
		return fmt.Sprintf("-%d %s", p.last, p.grain)
	}
	end := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.Format(time.DateOnly)
	}
	return p.grain + " " + end(p.from) + ".." + end(p.to)
}
