package offline

import (
	"slices"
	"strings"
)

// fillID takes a token that has the shape of the argument's ids.
func (s *filling) fillID(p param) {
	shape := p.shape
	if shape == nil {
		shape = s.c.cat.shapeOf(p.entity)
	}
	if shape == nil {
		s.fillCoined(p)
		return
	}
	var found []any
	for i, t := range s.toks {
		if shape.fits(t.text) {
			s.mark(i, i+1)
			s.literal = s.literal || p.entity == s.f.entity
			found = append(found, t.text)
		}
	}
	switch {
	case len(found) == 0:
	case p.typ == "array":
		s.args[p.name] = found
	case len(found) == 1:
		s.args[p.name] = found[0]
	}
}

// fillCoined takes a word that is an id by its letters and digits, where nothing says what the argument's ids look like.
func (s *filling) fillCoined(p param) {
	message := s.c.s.req.Message
	for _, id := range idsIn(message, s.toks, p) {
		from := strings.Index(message, id)
		if from < 0 || s.c.isID(id) || p.typ == "array" {
			continue
		}
		i := slices.IndexFunc(s.toks, func(t token) bool { return t.start >= from })
		j := max(i, 0)
		for j < len(s.toks) && s.toks[j].end <= from+len(id) {
			j++
		}
		if i >= 0 && j > i && !s.said[i] {
			s.args[p.name] = id
			s.literal = s.literal || p.entity == s.f.entity
			s.mark(i, j)
			return
		}
	}
}

// takesDate reports whether an argument takes a date.
func (p *param) takesDate() bool {
	return p.format == "date" || p.format == "date-time" || strings.Contains(p.desc, "YYYY-MM-DD") || p.name == "date" || p.name == "since" || p.name == "until"
}

func (s *filling) fillDate(p param) {
	key := stretchOf(s.toks)
	refs, ok := s.c.s.made.dates[key]
	if !ok {
		d := dateReader{toks: s.toks, now: s.c.s.req.Now}
		refs = d.read(true)
		s.c.s.made.dates[key] = refs
	}
	for _, ref := range refs {
		if len(ref.from) == 10 || p.name != "date" && len(ref.from) >= 4 && ref.op != "last" {
			text := ref.from
			if len(text) == 4 {
				text += "-01-01"
			} else if len(text) == 7 && text[5] != 'Q' {
				text += "-01"
			}
			s.args[p.name] = text
			s.mark(ref.i, ref.j)
			return
		}
	}
}
