package data

import (
	"catena/planner/plan"
	"catena/query"
	"catena/query/run"
	"catena/query/semantic"
	"catena/table"
	"catena/tools/data/pipeline"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"
	"time"
)

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
	tables  []SourceTable
	content func() string // a hash of what the tables are called and hold, made once
}

// contentsOf is that hash.
func contentsOf(tables []SourceTable) string {
	h := sha256.New()
	for _, t := range tables {
		fmt.Fprintf(h, "%s\x00%s\x00", t.Name, t.Table.Fingerprint())
	}
	return string(h.Sum(nil))
}

// shapeKey is what a shape is kept by: its query, and the contents that it was found in. Cells are no part of it.
type shapeKey struct{ contents, query string }

const (
	maxShapes    = 2_000   // that are kept
	maxShapeText = 4 << 10 // bytes of a query's JSON whose shape is kept
)

// Model says what the tables mean.
func (v known) Model(ctx context.Context) (*semantic.Model, error) {
	return v.k.modelOf(ctx, v.tables)
}

// Shape runs a query and tells no cell of its result. Of tables that are elsewhere, or too large, nothing is known. What
// was found is kept, as a message is read by several planners, and asked again.
func (v known) Shape(ctx context.Context, q query.Query) plan.ResultShape {
	text, err := json.Marshal(q)
	if err != nil || len(text) > maxShapeText {
		return v.shape(ctx, q)
	}
	key := shapeKey{v.content(), string(text)}
	s, ok := v.k.shapes.Get(key)
	if ok {
		return s
	}
	if s = v.shape(ctx, q); s.Known || s.Fails {
		v.k.shapes.Put(key, s)
	}
	return s
}

// shape is Shape, found anew.
func (v known) shape(ctx context.Context, q query.Query) plan.ResultShape {
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

// maxDigested bounds the cells that are hashed of a result, to compare it with others.
const maxDigested = 20_000

// digestStep is from row to row of those that are hashed: every one, unless there are too many cells.
func digestStep(t *table.Table) int {
	return 1 + t.NumRows()*t.NumCols()/(maxDigested+1)
}

// digestOf is a hash of the cells, row by row, and of how many there are; 0 where there are none. Of many, rows at equal
// distances are hashed.
func digestOf(t *table.Table) uint64 {
	if t.NumRows()*t.NumCols() == 0 {
		return 0
	}
	var h maphash.Hash
	h.SetSeed(digestSeed)
	cell := binary.LittleEndian.AppendUint64(nil, uint64(t.NumRows()))
	_, _ = h.Write(cell)
	for row := 0; row < t.NumRows(); row += digestStep(t) {
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

// contentOf is a hash of the cells in whatever order rows and columns have, and of how many rows there are; 0 where there
// are none. Of many cells rows at equal distances are hashed, so that the order of rows counts.
func contentOf(t *table.Table) uint64 {
	if t.NumRows()*t.NumCols() == 0 {
		return 0
	}
	all := uint64(t.NumRows())
	var text []byte
	for row := 0; row < t.NumRows(); row += digestStep(t) {
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
