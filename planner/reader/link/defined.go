package link

import "slices"

// SignDivided is the mark between two things of which one is divided by the other, or either is meant.
const signDivided = "/"

// slashes takes the slash between two words for what it may say: a quotient, or one of the two.
func (l *linker) slashes() {
	for i := 1; i+1 < len(l.toks); i++ {
		if l.toks[i].Text != signDivided {
			continue
		}
		s := Span{From: i, To: i + 1, Score: fitsForm, How: HowWord, Fixed: true}
		s.Category, s.Sense = catArith, "div"
		l.add(s)
		s.Category, s.Sense = catOr, ""
		l.add(s)
	}
}

// defined passes over the name of a number whose formula stands behind it in brackets: of a click rate (clicks divided
// by impressions), the formula is what is asked, and the name, whatever else its words may be, says nothing more.
func (l *linker) defined() {
	for open, t := range l.toks {
		if t.Text != "(" {
			continue
		}
		end := slices.IndexFunc(l.toks[open:], func(t Token) bool { return t.Text == ")" })
		if end < 0 || !l.formula(open+1, open+end) {
			continue
		}
		from, ok := l.nameBefore(open)
		if !ok {
			continue
		}
		l.out = slices.DeleteFunc(l.out, func(s Span) bool { return s.From < open && s.To > from })
		for i := from; i < open; i++ {
			l.add(Span{From: i, To: i + 1, Category: SkipFiller, Score: fitsForm, How: HowWord})
		}
	}
}

// formula reports whether tokens compute one thing of others: some word of theirs does, and names stand on both sides.
func (l *linker) formula(from, to int) bool {
	for i := from + 1; i < to-1; i++ {
		_, computes := l.is(i, catArith)
		_, per := l.is(i, catBy, "per")
		if !computes && !per && l.toks[i].Text != signDivided {
			continue
		}
		if l.namesWithin(from, i) && l.namesWithin(i+1, to) {
			return true
		}
	}
	return false
}

// namesWithin reports whether something of the tables is named between two tokens.
func (l *linker) namesWithin(from, to int) bool {
	return slices.ContainsFunc(l.out, func(s Span) bool {
		names := s.Category == CatField || s.Category == CatEntity
		return names && s.From >= from && s.To <= to
	})
}

// nameBefore is where the name begins that ends at a token: behind the last word that cannot be of a name. There is
// none behind a word for groups, which are named there.
func (l *linker) nameBefore(end int) (from int, ok bool) {
	from = end
	for from > 0 && l.toks[from-1].kind == wordToken && !l.ends(from-1) {
		from--
	}
	if _, groups := l.is(from-1, catBy); groups {
		return 0, false
	}
	for from < end && l.binds(from) {
		from++
	}
	return from, from < end
}

// ends reports whether a word cannot be of a name: it asks, groups, or stands before a name.
func (l *linker) ends(i int) bool {
	return slices.ContainsFunc(l.hits[i], func(h hit) bool {
		return h.to == i+1 && beforeNames[h.cat] && h.score > fitsPart
	})
}

// binds reports whether a word binds others and is nothing by itself.
func (l *linker) binds(i int) bool {
	_, of := l.is(i, catOf)
	return of
}

// beforeNames are the categories of words that stand before the name of a number, and in none.
var beforeNames = map[Category]bool{
	"filler": true, catBy: true, "and": true, catOr: true, catAsk: true, catShow: true, "be": true, "agg": true,
	"poss": true,
}
