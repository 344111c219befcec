package pipeline

import (
	"slices"
	"strings"
	"unicode"

	"catena/planner/plan"
	"catena/profiler"
	"catena/query"
	"catena/table"
	"catena/table/infer"
)

// NeedsOneUnit reports whether an aggregate combines numbers: it means nothing across currencies and units.
func NeedsOneUnit(aggregate string) bool {
	switch aggregate {
	case "sum", "mean", "median", "stddev", "share", "min", "max":
		return true
	}
	return false
}

// separate keeps amounts of different currencies and numbers of different units apart: what the query folds is
// grouped by them too, and a note says so. A query that goes on to compare its groups is refused, with the way to ask
// instead.
func (p *pipeline) separate() error {
	for _, s := range p.q.Select {
		if !NeedsOneUnit(s.Expr) || s.Column == "" || s.Column == "*" {
			continue
		}
		by, kinds, err := p.unitsOf(s)
		if err != nil {
			return err
		}
		if len(kinds) < 2 {
			continue
		}
		if err := p.splitBy(s, by, kinds); err != nil {
			return err
		}
	}
	return nil
}

// unitsOf gives the column that tells the units of a folded column apart, and the different units. A column of text
// whose cells say their units gets one beside it, which by names.
func (p *pipeline) unitsOf(s plan.Select) (by string, kinds []string, err error) {
	f, err := p.field(s.Column)
	if err != nil {
		return "", nil, err
	}
	if by = p.apart[strings.ToLower(f.Name)]; by == "" && f.Type != table.Text {
		return "", nil, nil
	}
	where, err := p.where("select.filter", s.Filter)
	if err != nil {
		return "", nil, err
	}
	counts := []query.Expr{notNull(query.Col(f.Name))}
	if where != nil {
		counts = append(counts, where)
	}
	if by != "" {
		kinds, err = p.kindsIn(by, query.Conjunction(counts))
		return by, kinds, err
	}
	t, err := p.table()
	if err != nil {
		return "", nil, err
	}
	units, kinds := cellUnits(t, t.Index(f.Name))
	if len(kinds) < 2 {
		return "", nil, nil
	}
	if by = p.units[s.Column]; by == "" {
		name := "unit"
		if !slices.ContainsFunc(kinds, func(k string) bool { return !profiler.IsCurrency(k) }) {
			name = "currency"
		}
		by = FreeName(name, func(n string) bool { return p.schema.Index(n) >= 0 })
		p.units[s.Column] = by
		if _, err := p.prepared(by, table.Column{Type: table.Text}, units); err != nil {
			return "", nil, err
		}
	}
	if where == nil {
		return by, kinds, nil
	}
	kinds, err = p.kindsIn(by, query.Conjunction(counts))
	return by, kinds, err
}

// splitBy adds the column of units to the keys, unless the query is grouped by it already.
func (p *pipeline) splitBy(s plan.Select, by string, kinds []string) error {
	if slices.ContainsFunc(p.q.GroupBy, func(k plan.GroupKey) bool { return strings.EqualFold(k.Column, by) }) {
		return nil
	}
	what := several(by, kinds)
	slices.Sort(kinds)
	shown := slices.Clone(kinds)
	if shown[0] == "" {
		shown = append(shown[1:], "none")
	}
	list := strings.Join(shown[:min(5, len(shown))], ", ")
	q := p.q
	ranks := q.ShareOfTotal != "" || q.RankBy != "" || q.Change != nil
	chooses := q.Limit > 0 && len(q.GroupBy) > 0 || len(q.Having) > 0
	if parts := s.Expr == "share" || len(s.Filter) > 0; ranks || chooses || parts {
		const told = "%[1]s is in several %[2]s (%[3]s), which cannot be added, averaged or compared. " +
			"Ask for the total of %[1]s by %[4]s, or for one of the %[2]s"
		return Errorf(told, s.Column, what, list, by)
	}
	if len(q.GroupBy) == 0 {
		p.q.Limit = 0 // of a total's one row
	}
	p.q.GroupBy = append(slices.Clone(q.GroupBy), plan.GroupKey{Column: by})
	p.q.Select = append([]plan.Select{{Column: by}}, q.Select...)
	cannot := "do not add up"
	if s.Expr == "min" || s.Expr == "max" {
		cannot = "do not compare"
	}
	p.note("%s is in several %s (%s), which %s, so each is shown by itself.", s.Column, what, list, cannot)
	return nil
}

// besideOf gives the column of currencies or units that has to stand by a plain column of numbers, "" for others.
func (p *pipeline) besideOf(column string) string {
	by := p.apart[strings.ToLower(column)]
	if by == "" || p.schema.Index(by) < 0 {
		return ""
	}
	for _, o := range p.q.OrderBy {
		if strings.EqualFold(o.Column, column) {
			const enough = 5
			const told = "%s is in several %s, so its order says nothing of what is worth more."
			if kinds, err := p.kindsIn(by, notNull(query.Col(by))); err == nil {
				p.note(told, column, several(by, kinds[:min(enough, len(kinds))]))
			}
		}
	}
	return by
}

// kindsIn gives the different units that a column names in the rows that count; "" is a row without one.
func (p *pipeline) kindsIn(by string, counts query.Expr) (kinds []string, err error) {
	i := p.schema.Index(by)
	if i < 0 {
		return nil, nil
	}
	t, err := p.run(p.query().With(query.Filter{Where: counts}, query.Group{Keys: named([]string{p.schema[i].Name})}))
	if err != nil {
		return nil, err
	}
	for row := range t.Rows() {
		kinds = append(kinds, t.Value(row, 0).Text())
	}
	return kinds, nil
}

// cellUnits reads the units of a text column of numbers, null where a cell holds none, and the different ones. A number
// without a unit is of a kind of its own beside percentages only: elsewhere it is most often a unit left out.
func cellUnits(t *table.Table, c int) (units []table.Value, kinds []string) {
	if _, _, ok := NumbersOf(t, c); !ok {
		return nil, nil
	}
	units = t.NewValues()
	bare, unknown, point := false, false, decimalPoint(t, c)
	for row := range t.Rows() {
		v := t.Value(row, c)
		if Blank(v) {
			continue
		}
		if _, is := textNumber(v.Text(), point); !is {
			continue
		}
		unit := cellUnit(v.Text())
		if unit == "" {
			if unit = unitWord(v.Text()); unit == "" {
				bare = true
				continue
			}
			unknown = true
		}
		units[row] = table.TextValue(unit)
		if !slices.Contains(kinds, unit) {
			kinds = append(kinds, unit)
		}
	}
	if bare && unknown { // words beside some of the numbers may be remarks
		return nil, nil
	}
	if bare && slices.Contains(kinds, "%") {
		kinds = append(kinds, "")
	}
	return units, kinds
}

// cellUnit is the unit that one cell writes beside its number: EUR, kg, %; "" when it writes none that is known.
func cellUnit(s string) string {
	if unit := infer.ReadValue(s).Unit; unit != "" {
		return unit
	}
	if _, scaled := infer.ReadScaled(s); scaled { // the M of 1.2M is in its number already
		return ""
	}
	rest := strings.TrimLeftFunc(s, func(r rune) bool { return !unicode.IsDigit(r) })
	rest = strings.TrimLeftFunc(
		rest,
		func(r rune) bool { return unicode.IsDigit(r) || r == '.' || r == ',' || unicode.IsSpace(r) },
	)
	if rest = strings.TrimSpace(rest); rest == "" || len(rest) > 8 {
		return ""
	}
	return profiler.UnitOf("value (" + rest + ")")
}

// unitWord is the word behind a number and a space, which may be a unit that nobody knows: 12 pcs, 3 boxes; in the
// singular, as 1 box and 3 boxes are of one kind. "" for others.
func unitWord(s string) string {
	const longest = 16
	number, word, _ := strings.Cut(strings.TrimSpace(s), " ")
	word = strings.ToLower(strings.TrimSuffix(strings.TrimSpace(word), "."))
	if _, scaled := infer.ReadScaled(s); scaled || len(word) < 2 || len(word) > longest {
		return ""
	}
	mark := func(r rune) bool { return !unicode.IsLetter(r) }
	if strings.ContainsFunc(word, mark) || strings.ContainsFunc(number, unicode.IsLetter) {
		return ""
	}
	for _, end := range []string{"xes", "ches", "shes", "sses"} {
		if stem, ok := strings.CutSuffix(word, end); ok {
			return stem + end[:len(end)-2]
		}
	}
	if strings.HasSuffix(word, "uses") && !strings.HasSuffix(word, "ouses") &&
		!strings.HasSuffix(word, "auses") { // buses, no houses
		return strings.TrimSuffix(word, "es")
	}
	if len(word) > 3 && !strings.HasSuffix(word, "ss") {
		word = strings.TrimSuffix(word, "s")
	}
	return word
}

// WithUnits gives amounts their currency where the profile found it in a column beside them, which a result need not
// have.
func WithUnits(t *table.Table, meta []profiler.ColumnMetadata) *table.Table {
	units := map[string]string{}
	for i, m := range meta {
		if i < t.NumCols() && m.UnitSource == profiler.UnitFromValues && profiler.IsCurrency(m.Units) &&
			t.Column(i).Unit == "" &&
			t.Column(i).Type.Numeric() {
			units[t.Column(i).Name] = m.Units
		}
	}
	return t.WithUnits(units)
}

// UnitColumns says which columns are in the currency or unit that another column names row by row, as the profile
// found them: none where all rows have the same.
func UnitColumns(t *table.Table, meta []profiler.ColumnMetadata) map[string]string {
	out := map[string]string{}
	for _, m := range meta {
		if m.UnitColumn != "" && t.Index(m.UnitColumn) >= 0 {
			out[strings.ToLower(m.OriginalName)] = m.UnitColumn
		}
	}
	return out
}

// several is what a column of units holds: "currencies", or "units".
func several(by string, kinds []string) string {
	if strings.Contains(strings.ToLower(by), "currency") {
		return "currencies"
	}
	for _, k := range kinds {
		if unit := profiler.UnitOf("value (" + k + ")"); profiler.IsCurrency(k) || profiler.IsCurrency(unit) {
			return "currencies"
		}
	}
	return "units"
}
