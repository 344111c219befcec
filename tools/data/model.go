package data

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"catena/internal/access"
	"catena/planner/plan"
	"catena/query"
	"catena/query/run"
	"catena/query/semantic"
	"catena/table"
	"catena/tools/data/pipeline"
)

// maxModelTables bounds the tables that a model is made of: the first ones that are listed.
const maxModelTables = 500

// maxModels is how many models are kept: callers with uploads have one each.
const maxModels = 16

// modelCache keeps the latest models, by what their tables are called and hold. It keeps no table alive.
type modelCache struct {
	mu      sync.Mutex
	entries []*modelEntry // the latest first
}

type modelEntry struct {
	key   string
	mu    sync.Mutex
	model *semantic.Model // nil until it is made
}

// at gives what is kept under a key, making room for it.
func (c *modelCache) at(key string) *modelEntry {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.IndexFunc(c.entries, func(e *modelEntry) bool { return e.key == key })
	e := &modelEntry{key: key}
	if at >= 0 {
		e = c.entries[at]
		c.entries = slices.Delete(c.entries, at, at+1)
	}
	c.entries = slices.Insert(c.entries, 0, e)
	c.entries = c.entries[:min(len(c.entries), maxModels)]
	return e
}

// model says what the tables mean that a caller may read: made when it is first asked for, and kept until they change.
func (k *Toolkit) model(ctx context.Context, c access.Caller, session string) (*semantic.Model, error) {
	list := k.list(c, session)
	list = list[:min(len(list), maxModelTables)]
	var key strings.Builder
	for _, t := range list {
		fmt.Fprintf(&key, "%s\x00%s\x00%q\x00", t.Name, t.Table.Fingerprint(), t.input().Declared)
	}
	e := k.models.at(key.String())
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.model != nil {
		return e.model, nil
	}
	inputs := make([]semantic.Input, len(list))
	for i, t := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		inputs[i] = t.input()
		inputs[i].Columns = k.describe(ctx, t)
	}
	m, err := semantic.Infer(ctx, inputs)
	if err != nil {
		return nil, err
	}
	uploaded := map[string]bool{}
	for _, t := range list {
		uploaded[t.Name] = t.Source == sourceUpload
	}
	e.model = k.opt.Sources.said(m, func(table string) bool { return !uploaded[table] })
	return e.model, nil
}

// said is a model with what the operator's model files say of the tables that own allows.
func (s *Sources) said(m *semantic.Model, own func(table string) bool) *semantic.Model {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, f := range s.models {
		m = m.With(f, own)
	}
	return m
}

// loadModel reads a model file of the operator's.
func (s *Sources) loadModel(path string) error {
	d, notes, err := ReadModel(path)
	if err != nil {
		return err
	}
	if found := d.Check(nil); len(found) > 0 {
		return &table.FormatError{Source: path, Reason: found[0].String(), Hint: "catena model check tells all that is wrong with it"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = append(s.models, d)
	if len(notes) > 0 {
		return &table.FormatError{Source: path, Reason: notes[0], Hint: "the rest of the file is used"}
	}
	return nil
}

// ReadModel reads a model file, in Ossie's form or dbt's; see semantic.Read. The error is a *table.FormatError.
func ReadModel(path string) (d *semantic.Document, notes []string, err error) {
	const most = 4 << 20 // bytes, as semantic.Read has it
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, &table.FormatError{Source: path, Reason: "the file cannot be read", Hint: "check the path and its permissions", Err: err}
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil {
		d, notes, err = semantic.Read(text)
	}
	if err != nil {
		return nil, nil, &table.FormatError{Source: path, Reason: err.Error(), Hint: "docs/data.md shows the form", Err: err}
	}
	return d, notes, nil
}

// Meaning is the model of the tables that everybody may ask about.
func (s *Sources) Meaning(ctx context.Context) (*semantic.Model, error) {
	list := s.List(access.Caller{}, "")
	inputs := make([]semantic.Input, min(len(list), maxModelTables))
	for i := range inputs {
		inputs[i] = list[i].input()
	}
	m, err := semantic.Infer(ctx, inputs)
	if err != nil {
		return nil, err
	}
	return s.said(m, nil), nil
}

// input is what a model is made of: the table, and the keys that its file or database declares.
func (t SourceTable) input() semantic.Input {
	in := semantic.Input{Name: t.Name, Table: t.Table, Sample: t.Remote != nil && t.Table.NumRows() < t.Remote.Rows}
	if t.Declared != nil {
		in.Declared = *t.Declared
	}
	return in
}

// references says what columns of a table refer to, by the sure relationships of a model.
func references(m *semantic.Model, table string) map[string]string {
	out := map[string]string{}
	for _, r := range m.Of(table) {
		if !r.Usable() || !strings.EqualFold(r.Left, table) {
			continue
		}
		for i, c := range r.LeftColumns {
			out[c] = r.Right + "." + r.RightColumns[i]
		}
	}
	return out
}

// relatedTables says which columns of a table refer to which of others, in a line.
func relatedTables(m *semantic.Model, table string) string {
	var parts []string
	for _, r := range m.Of(table) {
		if r.Usable() && strings.EqualFold(r.Left, table) {
			parts = append(parts, strings.Join(r.LeftColumns, ", ")+" -> "+r.Right+"."+strings.Join(r.RightColumns, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// meaningNotes say what a row of a table is, and which tables refer to it or may do so.
func meaningNotes(m *semantic.Model, table string) []string {
	e, ok := m.Entity(table)
	if !ok {
		return nil
	}
	var out []string
	if len(e.Key) > 0 {
		note := "A row is one " + e.Singular + ", identified by " + strings.Join(e.Key, " and ")
		if e.Name != "" && !slices.Contains(e.Key, e.Name) {
			note += " and called by " + e.Name
		}
		out = append(out, note+".")
	}
	for _, r := range m.Of(table) {
		switch {
		case !r.Usable():
			out = append(out, "Perhaps related, which nothing is joined by unasked: "+r.String()+".")
		case strings.EqualFold(r.Right, table) && !strings.EqualFold(r.Left, table):
			out = append(out, "Referred to by "+r.Left+"."+strings.Join(r.LeftColumns, ", ")+".")
		}
	}
	return out
}

// addsUp says how a column's values are put together; "" where that is not known.
func addsUp(e semantic.Entity, column string) string {
	f, _ := e.Field(column)
	return string(f.Adds)
}

// Bounds of a query that is run for the shape of its result alone.
const (
	maxShapeRows  = 200_000 // of a table that it reads, or of a result
	maxShapePairs = 2_000_000
	maxShapeTime  = 100 * time.Millisecond
)

// known is what planners may find out about the tables that a caller may read: where values are, what the tables mean,
// and what a query would give. It implements plan.Values and planner/reader.Tables.
type known struct {
	*Index
	k       *Toolkit
	caller  access.Caller
	session string
	tables  []SourceTable
}

// Model says what the tables mean.
func (v known) Model(ctx context.Context) (*semantic.Model, error) {
	return v.k.model(ctx, v.caller, v.session)
}

// Shape runs a query and tells no cell of its result. Of tables that are elsewhere, or too large, nothing is known.
func (v known) Shape(ctx context.Context, q query.Query) plan.ResultShape {
	ctx, cancel := context.WithTimeout(ctx, maxShapeTime)
	defer cancel()
	out, err := run.Run(ctx, q, v, run.WithLimits(run.Limits{Pairs: maxShapePairs, Rows: maxShapeRows}))
	if err != nil {
		var wrong *run.Error
		return plan.ResultShape{Fails: errors.As(err, &wrong) && wrong.Err == nil}
	}
	return shapeOf(out.Table)
}

// Answers runs a plan's query of one table, as Shape does.
func (v known) Answers(ctx context.Context, q plan.Query) plan.ResultShape {
	ctx, cancel := context.WithTimeout(ctx, maxShapeTime)
	defer cancel()
	resolve := func(name string) (*table.Table, error) { return v.Table(ctx, name) }
	out, _, _, err := pipeline.Run(ctx, q, resolve, nil)
	if err != nil {
		return plan.ResultShape{}
	}
	return shapeOf(out)
}

// Table implements run.Tables, for Shape.
func (v known) Table(ctx context.Context, name string) (*table.Table, error) {
	for _, t := range v.tables {
		if !strings.EqualFold(t.Name, name) {
			continue
		}
		if t.Remote != nil || t.Table.NumRows() > maxShapeRows {
			return nil, pipeline.Errorf("%s is not here, or too large", t.Name)
		}
		return t.Table.In(ctx), nil
	}
	return nil, pipeline.Errorf("there is no table %s", name)
}

// shapeOf counts what a table holds.
func shapeOf(t *table.Table) plan.ResultShape {
	s := plan.ResultShape{Known: true, Rows: t.NumRows(), Columns: t.NumCols()}
	numbers, said := 0, 0
	for i := range t.NumCols() {
		nulls := t.Array(i).NullN()
		s.Nulls += nulls
		if t.Column(i).Type.Numeric() {
			numbers++
			said += s.Rows - nulls
		}
	}
	s.NoNumber = s.Rows > 0 && numbers > 0 && said == 0
	if s.Columns > 0 {
		s.First = differing(t)
	}
	s.Digest, s.Content = digestOf(t), contentOf(t)
	return s
}

var digestSeed = maphash.MakeSeed()

// maxDigested bounds the cells of a result that is compared with others.
const maxDigested = 20_000

// digestOf is a hash of all cells, row by row; 0 where there are none, or too many.
func digestOf(t *table.Table) uint64 {
	if n := t.NumRows() * t.NumCols(); n == 0 || n > maxDigested {
		return 0
	}
	var h maphash.Hash
	h.SetSeed(digestSeed)
	var cell []byte
	for row := range t.NumRows() {
		for col := range t.NumCols() {
			v := t.Value(row, col)
			cell = append(v.AppendText(cell[:0]), 0)
			if v.IsNull() {
				cell = append(cell, 1) // not an empty text
			}
			_, _ = h.Write(cell)
		}
		_ = h.WriteByte(2)
	}
	return max(h.Sum64(), 1)
}

// contentOf is a hash of all cells in whatever order rows and columns have; 0 where there are none, or too many.
func contentOf(t *table.Table) uint64 {
	if n := t.NumRows() * t.NumCols(); n == 0 || n > maxDigested {
		return 0
	}
	var all uint64
	var text []byte
	for row := range t.NumRows() {
		var cells uint64
		for col := range t.NumCols() {
			text = t.Value(row, col).AppendText(text[:0])
			cells += maphash.Bytes(digestSeed, text)
		}
		text = binary.LittleEndian.AppendUint64(text[:0], cells)
		all += maphash.Bytes(digestSeed, text)
	}
	return max(all, 1)
}

// differing is how many different values the first column has.
func differing(t *table.Table) int {
	first, err := t.Select(t.Column(0).Name)
	if err == nil {
		first, err = first.Distinct()
	}
	if err != nil {
		return t.NumRows()
	}
	return first.NumRows()
}
