package semantic

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"catena/internal/parallel"
	"catena/profiler"
	"catena/table"
)

// Input is a table that a model is made of.
type Input struct {
	// Name is the table's, as the catalogue knows it.
	Name  string
	Table *table.Table
	// Columns are the profiler's facts, one for each column; nil has them made.
	Columns []profiler.ColumnMetadata
	// Sample says that Table holds some of the rows: only declared keys are keys then, and whether values are those of a
	// key is not looked at.
	Sample bool
	// Declared are keys and references that the source declares. A key is one only where the rows keep to it, as far as
	// they are there.
	Declared table.Declared
}

// Bounds of inference.
const (
	maxTables     = 500
	maxKeys       = 8   // columns of a table that others may refer to
	maxCandidates = 400 // columns that may refer to one key
)

// column is a column while relationships are looked for.
type column struct {
	table, at int // numbers of the input and of the column in it
	in        *table.Table
	noun      []string
	read      reading
	meta      *profiler.ColumnMetadata
	family    family
	unique    bool
	keyed     float64 // how much its name is that of a key, of unique ones
	taken     bool    // its reference is declared
	people    bool    // its table is the only one of people
	sampled   bool    // its table holds some of the rows
	low, high int64
	bounded   bool
	sample    []uint64
	numbers   []int64
}

// candidate is a reference that there may be.
type candidate struct {
	from, key *column
	fit       float64 // of the names
	role      []string
	found     int // sampled values that are the key's
	score     float64
}

// inference is one call of Infer.
type inference struct {
	inputs  []Input
	columns [][]column // by input
	shared  string     // the first word of all tables' names
	nouns   [][]string
}

// Infer says what tables mean, from their columns' facts, names and values. The work is bounded: some values of each
// column are compared with all of a key's. Tables beyond maxTables have entities but no inferred relationships. The
// result depends on the inputs and their order alone. The error is the context's.
func Infer(ctx context.Context, inputs []Input) (*Model, error) {
	inputs = slices.Clone(inputs)
	parallel.Each(len(inputs), func(i int) {
		if inputs[i].Columns == nil {
			inputs[i].Columns = profiler.ProfileWith(ctx, inputs[i].Table, profiler.Options{Title: inputs[i].Name, Light: true})
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n := &inference{inputs: inputs}
	n.read(ctx)
	m := &Model{Relationships: n.declared()}
	m.Relationships = append(m.Relationships, n.relationships(ctx)...)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	nameRoles(m.Relationships)
	m.Entities = make([]Entity, len(inputs))
	parallel.Each(len(inputs), func(i int) {
		if ctx.Err() == nil {
			m.Entities[i] = n.entity(i, m.Of(inputs[i].Name))
		}
	})
	n.copies(m)
	return m, ctx.Err()
}

// read prepares the columns of all tables.
func (n *inference) read(ctx context.Context) {
	names := make([]string, len(n.inputs))
	for i, in := range n.inputs {
		names[i] = in.Name
		n.inputs[i].Declared = table.Declared{Keys: in.keys(), References: n.references(i)}
	}
	n.nouns, n.shared = readTables(names)
	people := onlyPeople(n.nouns)
	n.columns = make([][]column, len(n.inputs))
	parallel.Each(len(n.inputs), func(i int) {
		if ctx.Err() != nil {
			return
		}
		in := n.inputs[i]
		readings := readColumns(in.Table.Names())
		list := make([]column, min(in.Table.NumCols(), len(in.Columns)))
		for c := range list {
			list[c] = column{table: i, at: c, in: in.Table, noun: n.nouns[i], read: readings[c], meta: &in.Columns[c]}
			list[c].people = i == people
			list[c].judge(in)
			if list[c].family != apart {
				list[c].sample, list[c].numbers = sampleOf(in.Table, c)
			}
		}
		n.columns[i] = list
	})
	n.plainKeys()
}

// plainKeys finds names that the keys of several tables have, though they are that of none: they say no more than id.
func (n *inference) plainKeys() {
	const several, own = 3, 0.75
	tables, named := map[string]int{}, map[string]float64{}
	for _, list := range n.columns {
		for c := range list {
			name := list[c].read.joined
			named[name] = max(named[name], list[c].keyed)
			if c == 0 && list[c].unique && list[c].read.end == idTail {
				tables[name]++
			}
		}
	}
	for i := range n.columns {
		for c := range n.columns[i] {
			col := &n.columns[i][c]
			if tables[col.read.joined] < several || named[col.read.joined] >= own {
				continue
			}
			col.read.stems, col.read.heads = nil, nil
			if col.unique {
				col.keyed = 1
			}
		}
	}
}

// judge says what a column may serve for in a reference.
func (k *column) judge(in Input) {
	m, name := k.meta, in.Table.Column(k.at).Name
	k.family = familyOf(in.Table.Column(k.at).Type, m)
	whole := m.NullCount == 0 && m.DistinctError == 0 && m.DistinctCount == m.Count
	k.sampled = in.Sample
	k.unique = m.Count > 0 && whole && !in.Sample
	if k.family == integers {
		k.readRange()
	}
	for _, one := range in.Declared.Keys {
		if len(one) == 1 && strings.EqualFold(one[0], name) {
			k.unique, k.keyed = true, 1
		}
	}
	if k.unique {
		k.keyed = max(k.keyed, keyNamed(k))
	}
	for _, f := range in.Declared.References {
		k.taken = k.taken || slices.ContainsFunc(f.Columns, func(x string) bool { return strings.EqualFold(x, name) })
	}
}

// noReference are the meanings of columns that refer to nothing.
var noReference = map[string]bool{
	profiler.Currency: true, profiler.Percentage: true, profiler.Date: true, profiler.DateTime: true, profiler.Time: true,
	profiler.Duration: true, profiler.Boolean: true, profiler.URL: true, profiler.Latitude: true, profiler.Longitude: true,
	profiler.Geo: true, profiler.JSON: true, profiler.List: true,
}

func familyOf(t table.Type, m *profiler.ColumnMetadata) family {
	switch {
	case t == table.Int && m.SemanticType == profiler.Date:
		return integers // keys of four digits look like years
	case noReference[m.SemanticType]:
		return apart
	case t == table.Int:
		return integers
	case t == table.Text:
		return texts
	}
	return apart
}

// relationships finds references by names and values.
func (n *inference) relationships(ctx context.Context) []Relationship {
	byKey := n.candidates(ctx)
	parallel.Each(len(byKey), func(i int) {
		if ctx.Err() == nil {
			byKey[i][0].key.contained(ctx, byKey[i])
		}
	})
	if ctx.Err() != nil {
		return nil
	}
	best := map[*column]*candidate{}
	for _, list := range byKey {
		for _, c := range list {
			if c.weigh(); c.score > 0 && (best[c.from] == nil || c.better(best[c.from])) {
				best[c.from] = c
			}
		}
	}
	var out []Relationship
	for i := range n.columns {
		for c := range n.columns[i] {
			if found := best[&n.columns[i][c]]; found != nil {
				out = append(out, n.relationship(found))
			}
		}
	}
	return out
}

func (n *inference) relationship(c *candidate) Relationship {
	left, right := n.inputs[c.from.table], n.inputs[c.key.table]
	r := Relationship{Left: left.Name, LeftColumns: []string{left.Table.Column(c.from.at).Name}, Right: right.Name,
		RightColumns: []string{right.Table.Column(c.key.at).Name}, Role: strings.Join(c.role, " "),
		Cardinality: ManyToOne, Known: Inferred, Score: c.score}
	if c.from.unique {
		r.Cardinality = OneToOne
	}
	return r
}

// candidates are the pairs that names or kinds allow, by key.
func (n *inference) candidates(ctx context.Context) [][]*candidate {
	keys := n.keys()
	byKey := make([][]*candidate, len(keys))
	parallel.Each(len(keys), func(i int) {
		if ctx.Err() == nil {
			byKey[i] = n.referring(keys[i])
		}
	})
	return slices.DeleteFunc(byKey, func(list []*candidate) bool { return len(list) == 0 })
}

// keyFits is how much a column's name must be that of a key for others to refer to it.
const keyFits = 0.6

// keys are the columns that others may refer to.
func (n *inference) keys() []*column {
	var out []*column
	for i := range min(len(n.columns), maxTables) {
		var own []*column
		for c := range n.columns[i] {
			col := &n.columns[i][c]
			named := col.keyed >= keyFits || col.meta.Role == profiler.RoleIdentifier && col.read.end == idTail
			if col.unique && col.family != apart && named {
				own = append(own, col)
			}
		}
		slices.SortStableFunc(own, func(a, b *column) int { return cmp.Compare(b.keyed, a.keyed) })
		out = append(out, own[:min(len(own), maxKeys)]...)
	}
	return out
}

// referring are the columns that may refer to a key.
func (n *inference) referring(k *column) []*candidate {
	var out []*candidate
	for i := range min(len(n.columns), maxTables) {
		for c := range n.columns[i] {
			f := &n.columns[i][c]
			if f == k || f.taken || f.family != k.family {
				continue
			}
			fit, role := namesKey(f, k)
			if fit < nameFits && !speaks(f, k) {
				continue
			}
			if len(out) < maxCandidates && refers(f, k, fit) {
				out = append(out, &candidate{from: f, key: k, fit: fit, role: role})
			}
		}
	}
	return out
}

// refers reports whether the direction is from f to k: of two keys of their tables the one that is named less like one,
// and of equals that of the smaller or later table, refers to the other.
func refers(f, k *column, fit float64) bool {
	if !f.unique || f.table == k.table {
		return true
	}
	if fit < nameFits && f.keyed >= keyFits && f.at == 0 && len(f.read.stems) > 0 {
		return f.keyed < k.keyed
	}
	back, _ := namesKey(k, f)
	if back < nameFits {
		return true
	}
	order := cmp.Or(cmp.Compare(k.keyed, f.keyed), cmp.Compare(k.meta.Count, f.meta.Count), cmp.Compare(f.table, k.table))
	return order > 0
}

// speaks reports whether values alone could say that f refers to k: texts, several of them, of the names by which people
// call the rows of a table. Codes of one table are those of another too often.
func speaks(f, k *column) bool {
	const several = 6 // different values
	if f.family != texts || f.table == k.table || k.keyed < 0.9 || k.read.end == idTail || k.meta.DistinctCount < several {
		return false
	}
	return f.meta.DistinctCount >= several && f.meta.Role != profiler.RoleMeasure
}
