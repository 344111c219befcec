package link

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// show writes spans for people: one a line, as the tests compare them.
func (s *Scope) show(toks []Token, spans []Span) string {
	var b strings.Builder
	for _, sp := range spans {
		words := make([]string, 0, sp.To-sp.From)
		for _, t := range toks[sp.From:sp.To] {
			words = append(words, t.Text)
		}
		fmt.Fprintf(&b, "%s = %s", strings.Join(words, " "), strings.TrimSpace(string(sp.Category)+" "+sp.Sense))
		if sp.Meaning != nil {
			b.WriteString(" " + s.showMeaning(sp.Meaning))
		}
		if sp.How != HowWord {
			b.WriteString(", " + sp.How)
		}
		if sp.Score < 1 {
			b.WriteString(" " + strconv.FormatFloat(sp.Score, 'f', 2, 64))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (s *Scope) showMeaning(m any) string {
	switch r := m.(type) {
	case EntityRef:
		return s.Entity(r.Table).Table
	case FieldRef:
		return s.Entity(r.Table).Table + "." + s.Field(r).Name
	case ValueRef:
		out := s.showMeaning(r.Field) + "=" + strings.Join(r.Values, "|")
		if r.Several > 1 {
			out += " x" + strconv.Itoa(r.Several)
		}
		return out
	case NumberRef:
		out := r.Value.String()
		if r.Ordinal {
			out += "."
		}
		return strings.TrimSpace(out + " " + r.Unit)
	case PeriodRef:
		return r.show()
	}
	return fmt.Sprint(m)
}

func (p PeriodRef) show() string {
	switch {
	case p.Cycle != "":
		return p.Cycle + fmt.Sprint(p.Parts)
	case p.Last > 0:
		return fmt.Sprintf("-%d %s", p.Last, p.Grain)
	}
	end := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.Format(time.DateOnly)
	}
	return p.Grain + " " + end(p.From) + ".." + end(p.To)
}
