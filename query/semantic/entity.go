package semantic

import (
	"slices"
	"strings"

	"catena/internal/text"
	"catena/profiler"
	"catena/query"
	"catena/table"
)

// entity says what the rows of a table are. of are the relationships that it has.
func (n *inference) entity(i int, of []Relationship) Entity {
	in := n.inputs[i]
	e := Entity{Table: in.Name}
	e.Singular, e.Plural = nouns(in.Name, n.shared)
	e.Key = n.key(i, of)
	if noun := n.keyNoun(i, e, of); noun != "" {
		e.Synonyms = append(e.Synonyms, noun)
	}
	e.Fields = n.fields(i)
	identify(e, of)
	e.Name = n.nameColumn(i, e.Key, of)
	e.Time = timeColumn(in, e)
	return e
}

// identify has numbers that refer to rows, and those that are referred to, be no amounts.
func identify(e Entity, of []Relationship) {
	for i := range e.Fields {
		f := &e.Fields[i]
		refers := slices.ContainsFunc(of, func(r Relationship) bool {
			left := r.Left == e.Table && slices.Contains(r.LeftColumns, f.Name)
			right := r.Right == e.Table && slices.Contains(r.RightColumns, f.Name)
			return r.Usable() && (left || right)
		})
		if refers && f.Role == Measure {
			f.Role, f.Adds = Identifier, query.AddsIdentifier
		}
	}
}

// keyNoun is what a row is called by its key: a visit, of visit_id, in a table gym. "" where the key says what the
// table's name says, what another table's rows are, or which row of another table it refers to.
func (n *inference) keyNoun(i int, e Entity, of []Relationship) string {
	if len(e.Key) != 1 {
		return ""
	}
	c := n.inputs[i].Table.Index(e.Key[0])
	if c < 0 || n.columns[i][c].read.end != idTail || len(n.columns[i][c].read.heads) == 0 {
		return ""
	}
	refers := func(r Relationship) bool { return r.Left == e.Table && slices.Contains(r.LeftColumns, e.Key[0]) }
	noun := text.Singular(strings.Join(n.columns[i][c].read.heads, " "))
	if noun == e.Singular || slices.ContainsFunc(of, refers) {
		return ""
	}
	for _, in := range n.inputs {
		if one, _ := nouns(in.Name, n.shared); one == noun {
			return ""
		}
	}
	return noun
}

// nouns are what one row and several are called, by the table's name.
func nouns(name, shared string) (singular, plural string) {
	words := text.Words(name)
	for len(words) > 1 && (layerWords[words[0]] || words[0] == shared) {
		words = words[1:]
	}
	if len(words) == 0 {
		return "row", "rows"
	}
	last := len(words) - 1
	one := text.Singular(words[last])
	before := strings.Join(words[:last], " ")
	return strings.TrimSpace(before + " " + one), strings.TrimSpace(before + " " + text.Plural(one))
}

// key are the columns that identify a row: declared ones, a unique column that is named like a key, or the fewest
// columns of identifiers, references and times that no two rows agree in.
func (n *inference) key(i int, of []Relationship) []string {
	in := n.inputs[i]
	if len(in.Declared.Keys) > 0 {
		if key, ok := n.named(i, in.Declared.Keys[0]); ok {
			return key
		}
	}
	best := -1
	for c := range n.columns[i] {
		col := &n.columns[i][c]
		fits := col.keyed >= keyFits && (col.read.end == idTail || col.keyed >= 0.9)
		if col.unique && fits && (best < 0 || col.keyed > n.columns[i][best].keyed) {
			best = c
		}
	}
	if best >= 0 {
		return []string{in.Table.Column(best).Name}
	}
	if in.Sample {
		return nil
	}
	return n.compositeKey(i, of)
}

// compositeKey looks for two or three columns that identify a row together.
func (n *inference) compositeKey(i int, of []Relationship) []string {
	const most = 6 // columns that are tried
	in := n.inputs[i]
	var parts []string
	for c, m := range in.Columns {
		name := in.Table.Column(c).Name
		refers := slices.ContainsFunc(of, func(r Relationship) bool { return r.Left == in.Name && slices.Contains(r.LeftColumns, name) })
		if m.NullCount == 0 && len(parts) < most && (refers || m.Role == profiler.RoleIdentifier || m.Role == profiler.RoleTime) {
			parts = append(parts, name)
		}
	}
	for a := range parts {
		for b := a + 1; b < len(parts); b++ {
			if key := []string{parts[a], parts[b]}; distinctRows(in.Table, key) {
				return key
			}
		}
	}
	for last := 2; last < len(parts); last++ {
		if key := parts[:last+1]; distinctRows(in.Table, key) {
			return slices.Clone(key)
		}
	}
	return nil
}

// distinctRows reports whether no two rows agree in the columns. Of large tables it looks at the first rows: two that
// agree are mostly near each other, and a key that is wrongly taken joins nothing by itself.
func distinctRows(t *table.Table, columns []string) bool {
	const most = 10_000 // rows
	at := make([]int, len(columns))
	for i, c := range columns {
		at[i] = t.Index(c)
	}
	seen := map[uint64]bool{}
	for row := range min(t.NumRows(), most) {
		h := uint64(0)
		for _, c := range at {
			v := t.Value(row, c)
			one, ok := hashOf(v)
			if !ok {
				one, ok = hashOf(table.TextValue(v.Text()))
			}
			if !ok || v.IsNull() {
				return false
			}
			h = mix(h ^ one)
		}
		if seen[h] {
			return false
		}
		seen[h] = true
	}
	return t.NumRows() > 0
}

// Counts reports whether a column says how many there are of something.
func (f *Field) Counts() bool {
	return f.Amounts() && f.Kind != Money
}

// Amounts reports whether a column holds numbers of a row that may add up: no rate, and nothing that names it.
func (f *Field) Amounts() bool {
	switch {
	case f.Role != Measure || !f.Type.Numeric() || f.Expression != "":
		return false
	case f.Adds == query.AddsRate:
		return false
	}
	return f.Adds != query.AddsIdentifier && f.Adds != query.AddsTime
}

// PricesOne reports whether a column says what one of something costs.
func (f *Field) PricesOne() bool {
	costs := f.Kind == Money && f.Adds == query.AddsRate
	return costs && f.Type.Numeric() && f.Expression == ""
}

// Money is the Kind of amounts of money.
const Money = profiler.Currency

// YesNo is the Kind of fields that say yes or no, whatever their type is.
const YesNo = profiler.Boolean

// roles are those of the profiler's.
var roles = map[string]Role{
	profiler.RoleDimension: Dimension, profiler.RoleMeasure: Measure, profiler.RoleIdentifier: Identifier, profiler.RoleTime: Time,
}

// fields are the columns with the profiler's facts.
func (n *inference) fields(i int) []Field {
	in := n.inputs[i]
	out := make([]Field, min(in.Table.NumCols(), len(in.Columns)))
	const rows = 2000 // the first, which tell whether a level is observed again and again
	levels := profiler.LevelsOf(in.Table.Slice(0, min(rows, in.Table.NumRows())), in.Columns)
	read := profiler.ReadNames(in.Name, in.Table.Names()) // as for a profile, so they are mostly known
	for c := range out {
		m := in.Columns[c]
		col := in.Table.Column(c)
		out[c] = Field{
			Name: col.Name, Type: col.Type, Label: m.CleanedName, Description: col.About,
			Role: roles[m.Role], Kind: m.SemanticType, Unit: m.Units, Adds: AddsOf(m, col.Type),
		}
		if out[c].Adds == query.AddsFlow {
			if _, _, over := levels.Of(c); over {
				out[c].Adds = query.AddsLevel
			}
		}
		if words := strings.Join(read[c].Words, " "); words != strings.Join(text.Words(col.Name), " ") {
			out[c].Synonyms = []string{words}
		}
	}
	return out
}

// AddsOf is how a column adds up, by what the profiler says of it.
func AddsOf(m profiler.ColumnMetadata, t table.Type) query.Adds {
	switch {
	case m.Role == profiler.RoleIdentifier:
		return query.AddsIdentifier
	case !t.Numeric():
		return ""
	case m.Role == profiler.RoleTime:
		return query.AddsTime
	case m.Aggregation == profiler.AggregateMean:
		return query.AddsRate
	case m.Aggregation == profiler.AggregateSum:
		return query.AddsFlow
	}
	return ""
}

// nameColumn is what people call a row by: a column that is named name or title, or after the table, before others of
// mostly different texts. "" where nothing is.
func (n *inference) nameColumn(i int, key []string, of []Relationship) string {
	in := n.inputs[i]
	best, most := "", 0.0
	for c := range n.columns[i] {
		name := in.Table.Column(c).Name
		refers := slices.ContainsFunc(of, func(r Relationship) bool {
			return r.Usable() && r.Left == in.Name && slices.Contains(r.LeftColumns, name)
		})
		if refers {
			continue
		}
		if fit := n.columns[i][c].calls(slices.Equal(key, []string{name})); fit > most {
			best, most = name, fit
		}
	}
	return best
}

// plainText are the types of texts that may be names, where nothing says what they are.
var plainText = map[string]bool{profiler.Text: true, profiler.Category: true}

// calls says how much a column is what people call a row by.
func (k *column) calls(key bool) float64 {
	m := k.meta
	if k.in.Column(k.at).Type != table.Text || m.Role == profiler.RoleIdentifier && !key || m.Count == m.NullCount || noReference[m.SemanticType] {
		return 0
	}
	varied := float64(m.DistinctCount) / float64(m.Count-m.NullCount)
	own := len(k.read.stems) == 0 || strings.Join(k.read.stems, "") == strings.Join(k.noun, "") || abbreviates(k.read.stems, k.noun) > 0
	const mostly = 0.5
	switch {
	case k.read.end == nameTail && own:
		return 3 + varied
	case k.read.end == noTail && own && varied > mostly:
		return 2 + varied
	case k.read.end == nameTail && varied > mostly:
		return 1 + varied
	case k.unique && k.read.end == noTail && plainText[m.SemanticType]:
		return varied // nothing is called a name: the first text that no two rows share
	}
	return 0
}

// timeColumn is the time that a row speaks of: the column of dates with the fewest gaps. Of several that have as few it
// is the one that says what the rows are and nothing else: the appointment date of appointments. "" where none is.
func timeColumn(in Input, e Entity) string {
	var best []int
	for c, m := range in.Columns {
		if m.Role != profiler.RoleTime || !in.Table.Column(c).Type.Temporal() {
			continue
		}
		switch {
		case len(best) == 0 || m.NullCount < in.Columns[best[0]].NullCount:
			best = []int{c}
		case m.NullCount == in.Columns[best[0]].NullCount:
			best = append(best, c)
		}
	}
	if len(best) > 1 {
		read := profiler.ReadNames(in.Name, in.Table.Names())
		best = slices.DeleteFunc(best, func(c int) bool { return !e.saidBy(read[c].Words) })
	}
	if len(best) != 1 {
		return ""
	}
	return in.Table.Column(best[0]).Name
}

// timeNouns are the words that say of a name that it is a time, and no more.
var timeNouns = text.Set("date|day|time|datetime|timestamp|on|at|datum|tag|zeit|zeitpunkt|am")

// saidBy reports whether words say that something is a time, and besides what the rows are at most.
func (e Entity) saidBy(words []string) bool {
	time := false
	for _, w := range words {
		w = strings.ToLower(w)
		if timeNouns[w] {
			time = true
			continue
		}
		if text.Stem(w) != text.Stem(e.Singular) {
			return false
		}
	}
	return time
}

// roleOf says what a reference is for by the words of its column.
func roleOf(r Relationship) string {
	words := text.Words(strings.Join(r.LeftColumns, "_"))
	for len(words) > 1 && tailWords[words[len(words)-1]] != noTail {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}
