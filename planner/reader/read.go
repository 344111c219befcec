package reader

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/planner/reader/link"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// maxReadings is how many readings of a message are given.
const maxReadings = 50

// maxRealized bounds the nodes that are made queries of.
const maxRealized = 200

// Readings are the ways to understand a message as a query over the tables of a model, best first; none where it makes
// no sense of it. The error is the context's, or says that the embedded grammar cannot be read.
func (r *Reader) Readings(ctx context.Context, req plan.Request, model *semantic.Model) ([]Reading, error) {
	g, err := theGrammar()
	if err != nil {
		return nil, err
	}
	s := scopeOf(model, req.Tables)
	s.Now = req.Now
	toks := link.Tokenize(req.Message)
	if len(toks) == 0 || len(toks) > maxTokens || len(model.Entities) == 0 {
		return nil, ctx.Err()
	}
	spans := s.Spans(ctx, toks, req.Values)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	spans = begun(s.scales(several(toks, spans)))
	kinds := link.Skips(toks, spans)
	spans = s.heldNumbers(alone(spans, kinds))
	c := &chart{g: g, scope: s, weigh: remembered(r.weights.of), toks: toks, skip: make([]float64, len(toks)+1)}
	for i, k := range kinds {
		c.skip[i+1] = c.skip[i] + r.weights.of(featSkip+k)
	}
	if s.earlier, err = r.before(ctx, req, model); err != nil {
		return nil, err
	}
	c.parse(spans)
	return r.readings(s, append(c.roots(catQuery), c.changed(s.earlier)...), toks, kinds, spans), ctx.Err()
}

// readings makes queries of whole nodes. Of several that come to one query the best stays.
func (r *Reader) readings(s *scope, roots []*node, toks []link.Token, kinds []string, spans []link.Span) []Reading {
	var out []Reading
	seen, others, before := map[string]bool{}, besides(spans), places(kinds, spans)
	for _, n := range roots[:min(len(roots), maxRealized)] {
		a, ok := n.mean.(*answer)
		if !ok {
			continue
		}
		s.left = nil
		q, err := s.realize(a)
		if err != nil {
			continue
		}
		doubts, ok := s.checked(q)
		if !ok {
			continue
		}
		key, err := json.Marshal(query.Normal(q))
		if err != nil || seen[string(key)] {
			continue
		}
		seen[string(key)] = true
		list, skipped := gather(n, kinds)
		list = append(append(list, doubts...), asked(spans, n)...)
		list = append(append(list, s.echoes(a)...), s.echoesTime(a)...)
		list = append(list, lost(skipped, kinds, before)...)
		used, said := s.usedSpans(n, others)
		list = append(append(list, used...), s.queryFeatures(q, said, askedBy(spans), len(skipped))...)
		list = append(append(list, s.bestOfRepeated(a)...), a.sharesOfSome()...)
		list = append(append(list, s.notOfRepeated(a, askedBy(spans))...), s.nobody(a, askedBy(spans))...)
		list = append(append(list, s.listsAll(a)...), a.measuresGroups()...)
		list = append(append(list, s.clipped(a, n)...), s.takenForGranted(a, n, others)...)
		list = append(list, s.behind(list)...)
		rd := Reading{
			Query: s.inContext(a, q), ranked: q, Features: list, Derivation: derivation(n, toks, 0),
			answer: a, left: s.left, bare: s.bare(a),
		}
		rd.Score = r.weights.score(list)
		for _, i := range skipped {
			rd.Skipped = append(rd.Skipped, toks[i].Text)
		}
		out = append(out, rd)
	}
	slices.SortStableFunc(out, func(a, b Reading) int { return cmp.Compare(b.Score, a.Score) })
	return out[:min(len(out), maxReadings)]
}

// alone marks numbers behind which nothing says of what they are: over 65, and not over 65 kilos or over 65 visits.
func alone(spans []link.Span, kinds []string) []link.Span {
	out := spans
	for _, sp := range spans {
		if sp.Category != link.CatNumber || sp.To < len(kinds) && contentKinds[kinds[sp.To]] {
			continue
		}
		sp.Category = catAlone
		out = append(out, sp)
	}
	return out
}

// fewRows is how many of the top clients are meant where nobody says it.
const fewRows = 10

// several marks words for what comes first before a plural: the top clients are several, whose number is not said, and
// not the first of all.
func several(toks []link.Token, spans []link.Span) []link.Span {
	var few []link.Span
	for _, sp := range spans {
		if sp.Category == catTop && sp.Sense == "top" && pluralAt(toks, spans, sp.To) {
			sp.Category, sp.Sense = catFew, ""
			sp.Meaning = link.NumberRef{Value: table.IntValue(fewRows)}
			few = append(few, sp)
		}
	}
	if len(few) == 0 {
		return spans
	}
	others := slices.DeleteFunc(slices.Clone(spans), func(sp link.Span) bool {
		return slices.ContainsFunc(few, func(f link.Span) bool { return f.From == sp.From && f.To == sp.To })
	})
	return append(others, few...)
}

// pluralAt reports whether a table or a column is named from a token on, in the plural.
func pluralAt(toks []link.Token, spans []link.Span, at int) bool {
	return slices.ContainsFunc(spans, func(sp link.Span) bool {
		named := sp.Category == link.CatEntity || sp.Category == link.CatField
		return named && sp.From == at && toks[sp.To-1].Plural()
	})
}

// contentKinds are the kinds of tokens that say of what a number before them is.
var contentKinds = map[string]bool{link.SkipUnknown: true, link.SkipNamed: true, link.SkipLinked: true}

// begun marks an auxiliary that begins the message: it asks whether something is so.
func begun(spans []link.Span) []link.Span {
	out := spans
	for _, sp := range spans {
		if sp.From == 0 && sp.Category == "be" {
			sp.Category, sp.Sense = "begin", ""
			out = append(out, sp)
		}
	}
	return out
}

// echoes is a feature of answers that show only columns whose values the message says: they tell nothing.
func (s *scope) echoes(a *answer) []Feature {
	if a.of == nil || a.of.take > 0 || a.exists || len(a.measures)+len(a.groups) > 0 {
		return nil
	}
	show := s.shown(a)
	for _, c := range show {
		if !slices.ContainsFunc(a.of.where, func(w *condition) bool { return w.op == opAmong && w.of == c }) {
			return nil
		}
	}
	if len(show) == 0 {
		return nil
	}
	return []Feature{fact(featEchoes)}
}

// echoesTime is a feature of answers that show nothing but a time which the message limits, of rows that have a name:
// films released after 2010 are films.
func (s *scope) echoesTime(a *answer) []Feature {
	if a.of == nil || a.of.take > 0 || len(a.measures)+len(a.groups) > 0 || len(a.show) != 1 {
		return nil
	}
	c, e := a.show[0], s.Entity(a.of.table)
	if c.Table != a.of.table || e.Name == "" && len(e.Key) == 0 || s.callsRows(c) {
		return nil
	}
	for _, w := range a.of.where {
		if w.op == opDuring && (w.of == c || w.of.Table == anyTable && link.IsTime(s.Field(c.FieldRef))) {
			return []Feature{fact("echoes time")}
		}
	}
	return nil
}

// asked is how a question begins, by the first word that asks, and what the reading makes of it.
func asked(spans []link.Span, root *node) []Feature {
	word := askedBy(spans)
	return []Feature{fact("asks:" + word), fact("asks " + word + " " + root.rule.id)}
}

// askedBy is the first word that asks.
func askedBy(spans []link.Span) string {
	for _, s := range spans {
		if s.Category == "ask" || s.Category == "count" || s.Category == "show" {
			return string(s.Category) + s.Sense
		}
	}
	return "nothing"
}

// checked reports whether a query can run; what is doubtful of it are features.
func (s *scope) checked(q query.Query) ([]Feature, bool) {
	_, found := query.Check(q, s)
	var out []Feature
	for _, f := range found {
		if !f.Doubt {
			return nil, false
		}
		out = append(out, fact("doubt "+f.Code))
	}
	return out, true
}

// scopeOf puts the tables beside the entities of a model.
func scopeOf(model *semantic.Model, tables []plan.TableInfo) *scope {
	s := &scope{
		Scope:  link.Scope{Model: model},
		tables: make([]plan.TableInfo, len(model.Entities)), paths: map[[2]int]pathFound{},
	}
	for i := range model.Entities {
		for _, t := range tables {
			if t.Name == model.Entities[i].Table {
				s.tables[i] = t
				s.DecimalComma = s.DecimalComma || t.DecimalComma
			}
		}
	}
	return s
}

// roles are the fields that a word says the part of: of a flight, from is the origin.
func (s *scope) roles(sp link.Span, as link.Category) []link.Span {
	var out []link.Span
	for _, f := range s.CalledBy(strings.Split(sp.Sense, ","), s.playsPart) {
		made := sp
		made.Category, made.Sense, made.How, made.Meaning, made.Fixed = as, "", f.How, f.Meaning, false
		out = append(out, made)
	}
	return out
}

// playsPart reports whether a column's values are texts, or refer to rows.
func (s *scope) playsPart(f link.FieldRef) bool {
	_, refers := s.reference(f)
	return refers || s.Field(f).Type == table.Text
}

// scales makes fields of adjectives that say what is measured: longest, older than, cheap.
func (s *scope) scales(spans []link.Span) []link.Span {
	cats := map[link.Category]link.Category{"superadj": "Super", "comparative": "Comp", "scale": "Scale"}
	out := slices.Clone(spans)
	for _, sp := range spans {
		switch sp.Category {
		case catRole:
			out = append(out, s.roles(sp, catPlays)...)
			continue
		case catRoleName:
			out = append(append(out, s.roles(sp, catPlays)...), s.roles(sp, catPart)...)
			continue
		case catElapsed:
			out = append(out, s.took(sp)...)
			continue
		}
		cat, ok := cats[sp.Category]
		if !ok {
			continue
		}
		op, names, _ := strings.Cut(sp.Sense, ":")
		lasts := slices.Contains(strings.Split(names, ","), lasting)
		if lasts {
			for _, made := range s.took(sp) {
				of, _ := made.Meaning.(column)
				made.Category, made.Meaning = cat, scaled{of: of, op: op}
				out = append(out, made)
			}
		}
		for _, f := range s.measuredBy(strings.Split(names, ",")) {
			of, ok := f.Meaning.(link.FieldRef)
			if !ok || !s.numeric(of) && !link.IsTime(s.Field(of)) {
				continue
			}
			if lasts && (!s.numeric(of) || s.Field(of).Adds == query.AddsTime) { // no time is longer than another
				continue
			}
			made := sp
			made.Category, made.Sense, made.How, made.Score = cat, "", f.How, f.Score
			made.Meaning = scaled{of: column{FieldRef: of}, op: op}
			out = append(out, made)
		}
	}
	return out
}

// bare reports whether an answer lists numbers alone.
func (s *scope) bare(a *answer) bool {
	if a.of == nil || a.of.take > 0 || a.exists || len(a.show) == 0 || len(a.measures)+len(a.groups) > 0 {
		return false
	}
	return !slices.ContainsFunc(a.show, func(c column) bool {
		return c.Table == anyTable || c.grain != "" || s.Field(c.FieldRef).Role != semantic.Measure
	})
}

// bestOfRepeated is a doubt of answers that say which thing comes first by a number that adds up, where that thing
// stands in many rows: the shop of the largest sale, and not that of the most sales together.
func (s *scope) bestOfRepeated(a *answer) []Feature {
	if a.of == nil || !a.of.best() || len(a.per)+len(a.measures)+len(a.groups) > 0 {
		return nil
	}
	by, first := a.of.order[0].by, s.shown(a)
	if by.Table == anyTable || by.op != "" || len(first) == 0 || first[0].Table != a.of.table ||
		!s.repeated(first[0].FieldRef) {
		return nil
	}
	made, _ := amountOf(s, []meaning{by.FieldRef}, nil)
	if m, ok := made.(*measure); !ok || m.agg != aggSum {
		return []Feature{fact("best rate of repeated")}
	}
	return []Feature{fact("doubt best of repeated")}
}

// notOfRepeated is a doubt of answers to which and who that list the values of a column that stand in many rows, of
// those rows for which something does not hold: a country that has one site of another kind may have many of that kind.
func (s *scope) notOfRepeated(a *answer, asks string) []Feature {
	if asks != asksWho && asks != asksWhich {
		return nil
	}
	if a.of == nil || len(a.show) != 1 || len(a.measures)+len(a.groups) > 0 {
		return nil
	}
	first := a.show[0]
	if first.Table != a.of.table || !s.repeated(first.FieldRef) {
		return nil
	}
	denied := slices.ContainsFunc(a.of.where, func(c *condition) bool {
		return c.op == opNot && len(c.parts[0].values) > 0 && c.parts[0].of != first
	})
	if !denied {
		return nil
	}
	return []Feature{fact(doubtNot)}
}

// repeated reports whether each value of a column stands in two rows and more, taken together.
func (s *scope) repeated(f link.FieldRef) bool {
	if f.Field < 0 || s.Field(f).Role != semantic.Dimension {
		return false
	}
	return slices.ContainsFunc(s.tables[f.Table].Columns, func(c plan.ColumnInfo) bool {
		return c.Name == s.Field(f).Name && c.Distinct > 0 && s.tables[f.Table].Rows >= 2*c.Distinct
	})
}

// sharesOfSome is a doubt of what each group has of a whole that a condition cuts: the share of tickets that were
// opened again, of each product, is one of that product's tickets.
func (a *answer) sharesOfSome() []Feature {
	if !a.shares || a.of == nil {
		return nil
	}
	if !slices.ContainsFunc(a.of.where, func(c *condition) bool { return c.op != opDuring }) {
		return nil
	}
	return []Feature{fact("shares of some")}
}

// nobody is a doubt of answers to who that show no person, where a table or a column holds people.
func (s *scope) nobody(a *answer, asks string) []Feature {
	if asks != asksWho {
		return nil
	}
	people, _ := s.People()
	if len(people) == 0 {
		return nil
	}
	cols := slices.Clone(a.groups)
	if a.lists() {
		cols = append(cols, s.shown(a)...)
	}
	for _, c := range cols {
		if people[c.FieldRef] || people[link.EntityRef{Table: c.Table}] {
			return nil
		}
	}
	return []Feature{fact(doubtNobody)}
}

// listsAll is a feature of numbers of rows that a list of values chooses which holds all that there are: the age of men
// and women is that of each.
func (s *scope) listsAll(a *answer) []Feature {
	if a.of == nil || len(a.measures) == 0 {
		return nil
	}
	for _, c := range a.of.where {
		if c.op != opAmong || len(c.values) < 2 || slices.Contains(a.groups, c.of) {
			continue
		}
		if s.statistics(c.of.FieldRef).Distinct == len(c.values) {
			return []Feature{fact("lists all")}
		}
	}
	return nil
}

// measuresGroups is a feature of a number that is put together for each of its own values.
func (a *answer) measuresGroups() []Feature {
	for _, m := range a.measures {
		if m.op == "" && m.agg != aggCount && slices.Contains(a.groups, m.of) {
			return []Feature{fact("measures its groups")}
		}
	}
	return nil
}
