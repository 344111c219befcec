package link

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/planner/plan"
)

// Bounds of looking for values.
const (
	maxValueTokens = 6
	maxFinds       = 96 // stretches of one message that are looked for
	maxValueBytes  = 200
)

const digits = "0123456789"

// hows are the ways in which values are found.
var hows = map[plan.Match]string{
	plan.Exact: HowExact, plan.Synonym: HowSynonym, plan.Prefix: HowPrefix, plan.Word: HowInside,
	plan.Stem: HowStem, plan.Fuzzy: HowFuzzy,
}

// values looks for stretches of the message among the values of the tables, the longest first. Within a stretch that is
// a whole value, no shorter one is looked for.
func (l *linker) values(ctx context.Context, values plan.Values) {
	whole := make([]bool, len(l.toks))
	finds := 0
	for width := maxValueTokens; width > 0; width-- {
		for from := 0; from+width <= len(l.toks); from++ {
			to := from + width
			if !l.valueLike(from, to) || inside(whole, from, to) {
				continue
			}
			if finds++; finds > maxFinds || ctx.Err() != nil {
				return
			}
			if l.find(ctx, values, from, to) && width > 1 {
				for k := from; k < to; k++ {
					whole[k] = true
				}
			}
		}
	}
}

func inside(whole []bool, from, to int) bool {
	for k := from; k < to; k++ {
		if !whole[k] {
			return false
		}
	}
	return true
}

// spelled takes what stands behind a word for how a text is spelled as that text, where it is no quotation.
func (l *linker) spelled() {
	for _, list := range l.hits {
		for _, h := range list {
			if h.cat != catHolds {
				continue
			}
			at := h.to
			if said, ok := l.datum(at, catSaid); ok {
				at = said.to
			}
			if at < len(l.toks) && l.plain(at) {
				l.add(
					Span{From: at, To: at + 1, Category: CatText, Score: 1, How: HowForm, Meaning: l.phrase(at, at+1)},
				)
			}
		}
	}
}

// plain reports whether a token is a word or a number that no lexicon knows.
func (l *linker) plain(i int) bool {
	return l.toks[i].kind != markToken && l.toks[i].kind != quotedToken &&
		!slices.ContainsFunc(l.hits[i], func(h hit) bool { return !strings.HasPrefix(string(h.cat), catDatum) })
}

// valueLike reports whether a stretch may be a value: it neither begins nor ends with a mark or a small word, and no
// mark lies in it but those that names have.
func (l *linker) valueLike(from, to int) bool {
	if to-from == 1 && l.toks[from].kind == quotedToken {
		return true
	}
	for k := from; k < to; k++ {
		t := l.toks[k]
		if t.kind == quotedToken || t.kind == markToken && !strings.Contains(",.-&'/#+", t.Text) {
			return false
		}
	}
	return l.edge(from, from) && l.edge(to-1, from)
}

// edge reports whether a value that begins at from may begin or end with a token. A small word may where it has a
// capital and does not begin the message.
func (l *linker) edge(k, from int) bool {
	t := l.toks[k]
	if t.kind == markToken {
		return false
	}
	r, _ := utf8.DecodeRuneInString(t.Text)
	return !l.function(k) || unicode.IsUpper(r) && (k > 0 || from < k)
}

// find adds the values that a stretch names, and reports whether it is a whole one.
func (l *linker) find(ctx context.Context, values plan.Values, from, to int) bool {
	phrase := l.phrase(from, to)
	quoted := l.toks[from].kind == quotedToken
	if quoted {
		l.add(Span{From: from, To: to, Category: CatText, Score: 1, How: HowForm, Meaning: phrase})
	}
	if values == nil || len(phrase) > maxValueBytes {
		return false
	}
	whole, numeral := false, to-from == 1 && strings.Trim(l.toks[from].Text, digits) == ""
	for _, h := range values.Find(ctx, phrase) {
		ref, ok := l.index.columns[nameOfColumn(h.Table, h.Column)]
		if !ok || numeral && (h.Match == plan.Prefix || h.Match == plan.Word) {
			continue // a number is not whatever holds it
		}
		if h.Match == plan.Fuzzy && to == from+1 && l.fixed(from) {
			continue // the word is written right: it is no slip
		}
		whole = whole || h.Match == plan.Exact || h.Match == plan.Synonym
		is, several := []string{h.Value}, max(h.Values, 1)
		if len(h.Same) > 0 {
			is, several = h.Same, 1
		}
		l.add(Span{From: from, To: to, Category: CatValue, Score: h.Score, How: hows[h.Match],
			Meaning: ValueRef{Field: ref, Values: is, Several: several, Phrase: phrase}})
	}
	return whole
}

// fixed reports whether a token is a word of the language that changes a question.
func (l *linker) fixed(i int) bool {
	return slices.ContainsFunc(l.hits[i], func(h hit) bool { return h.fixed && h.score > fitsPart })
}

// phrase is a stretch as it was written, without quotation marks.
func (l *linker) phrase(from, to int) string {
	if to-from == 1 {
		return l.toks[from].Text
	}
	var b strings.Builder
	for k := from; k < to; k++ {
		if k > from && l.toks[k].Start > l.toks[k-1].End {
			b.WriteByte(' ')
		}
		b.WriteString(l.toks[k].Text)
	}
	return b.String()
}
