package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"catena/internal/access"
	"catena/query"
	"catena/query/run"
	"catena/table"
	"catena/tools"
	"catena/tools/data/pipeline"
	"catena/tools/handle"
)

// made says how a result was computed, for TraceCell; nil where that is too long to be kept.
func (c *sqlCatalog) made(q query.Query) *handle.Made {
	m := &handle.Made{}
	for name, t := range c.found {
		if t != nil {
			_, given := c.named[name]
			m.Tables = append(m.Tables, madeFrom(name, t.SourceTable, given))
		}
	}
	return withQuery(m, q)
}

// madeOf is the same for a result of query_table's JSON. tables are those that it named; nil where the result was
// computed otherwise, or of a database.
func madeOf(made pipeline.Made, tables map[string]SourceTable) *handle.Made {
	if made.Of == nil {
		return nil
	}
	m := &handle.Made{}
	for as, asked := range made.Of {
		t, there := tables[asked]
		if !there || t.Remote != nil {
			return nil
		}
		m.Tables = append(m.Tables, madeFrom(as, t, true))
	}
	return withQuery(m, made.Query)
}

func withQuery(m *handle.Made, q query.Query) *handle.Made {
	var err error
	if m.Query, err = json.Marshal(q); err != nil || len(m.Query) > handle.MaxMade {
		return nil
	}
	return m
}

// madeFrom is a table that a query calls as. own says that the query has a name of its own for it.
func madeFrom(as string, t SourceTable, own bool) handle.MadeOf {
	of := handle.MadeOf{As: as}
	switch {
	case t.Handle != "": // whose content stays as it is
		of.Table = t.Handle
	case t.Source == inlineSource:
	case own:
		of.Table, of.Content = t.Name, t.Table.Fingerprint()
	default:
		of.Table, of.Content = as, t.Table.Fingerprint()
	}
	return of
}

// untraced is a cell whose rows cannot be told.
func untraced(code, format string, args ...any) error {
	return &tools.ArgumentError{Argument: "cell", Code: code, Reason: fmt.Sprintf(format, args...)}
}

// TraceCell tells which rows a cell of one of the caller's tables was computed of. It computes the cell again of those
// rows, and tells none where it is another one by now. Errors: fs.ErrNotExist for a table that the caller has none of,
// or which it may not read any more; *tools.ArgumentError where the cell cannot be traced.
func (k *Toolkit) TraceCell(ctx context.Context, c access.Caller, p tools.CellPage) (tools.CellTrace, error) {
	t, meta, err := k.opt.Tables.Get(ctx, c, p.Handle)
	if err != nil {
		return tools.CellTrace{}, err
	}
	column, err := cellColumn(t, p.Column)
	if err != nil {
		return tools.CellTrace{}, err
	}
	if p.Row < 0 || p.Row >= t.NumRows() {
		return tools.CellTrace{}, untraced(tools.CodeNotFound, "the table has %d rows, from 0 on", t.NumRows())
	}
	if meta.Made == nil {
		return tools.CellTrace{}, untraced(
			tools.CodeBadValue,
			"the table was not made by a query of the algebra, so its cells are not traced",
		)
	}
	var q query.Query
	if err := json.Unmarshal(meta.Made.Query, &q); err != nil {
		return tools.CellTrace{}, fmt.Errorf("the query of %s: %w", p.Handle, err)
	}
	cat, err := k.catalogAgain(ctx, c, meta)
	if err != nil {
		return tools.CellTrace{}, err
	}
	out := tools.CellTrace{
		Handle: p.Handle,
		Row:    p.Row,
		Column: t.Column(column).Name,
		Value:  t.Value(p.Row, column),
		Offset: p.Offset,
	}
	return out, cat.trace(q, p, &out)
}

// cellColumn is the place of a column by its name, else by its place.
func cellColumn(t *table.Table, name string) (int, error) {
	if i := t.Index(name); i >= 0 {
		return i, nil
	}
	if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < t.NumCols() {
		return i, nil
	}
	return 0, untraced(
		tools.CodeUnknownColumn,
		"there is no column %q; the columns are %s",
		name,
		strings.Join(t.Names(), ", "),
	)
}

// catalogAgain is the tables of a query as it read them: the caller's own handles, and what the caller may ask about.
func (k *Toolkit) catalogAgain(ctx context.Context, c access.Caller, meta handle.Meta) (*sqlCatalog, error) {
	cat := &sqlCatalog{
		k:     k,
		ctx:   ctx,
		found: map[string]*sqlTable{},
		call:  tools.Call{Caller: c, Session: meta.Session},
	}
	for _, of := range meta.Made.Tables {
		if of.Table == "" {
			return nil, untraced(
				tools.CodeBadValue,
				"the rows of %s came with the call and were not kept: attach them as a file, or give a handle",
				of.As,
			)
		}
		src, err := k.readAgain(ctx, c, meta.Session, of.Table)
		switch {
		case err != nil:
			return nil, err
		case src.Remote != nil:
			return nil, untraced(
				tools.CodeBadValue,
				"%s is in a database, whose rows have no order that stays: ask for its rows by a query",
				src.Name,
			)
		case of.Content != "" && src.Table.Fingerprint() != of.Content:
			return nil, untraced(codeChanged, "%s has changed since the table was computed", of.As)
		}
		src.Table = src.Table.In(ctx)
		cat.found[strings.ToLower(of.As)] = &sqlTable{SourceTable: src}
	}
	return cat, nil
}

// codeChanged is the code of what cannot be told any more.
const codeChanged = "changed"

// readAgain finds a table that the caller may read.
func (k *Toolkit) readAgain(ctx context.Context, c access.Caller, session, name string) (SourceTable, error) {
	src, err := k.lookUp(ctx, c, session, name)
	var missing *tools.ArgumentError
	if errors.As(err, &missing) {
		return src, untraced(codeChanged, "there is no table %s any more", name)
	}
	if err != nil || handle.Is(name) || src.key != "" {
		return src, err
	}
	for _, t := range k.list(c, session) {
		if strings.EqualFold(t.Name, src.Name) {
			return src, nil
		}
	}
	return src, fmt.Errorf("table %q: %w", name, fs.ErrNotExist)
}

// trace fills in what a cell was computed of.
func (c *sqlCatalog) trace(q query.Query, p tools.CellPage, out *tools.CellTrace) error {
	q, row, err := c.side(q, int64(p.Row))
	if err != nil {
		return err
	}
	tr, err := query.TraceOf(q, c, out.Column)
	var why *query.Untraceable
	if errors.As(err, &why) {
		return untraced(tools.CodeBadValue, "%s", why.Why)
	}
	if err != nil {
		return err
	}
	at, err := c.asked(tr.Row(row))
	if err != nil {
		return err
	}
	if at.NumRows() != 1 {
		return untraced(codeChanged, "the query gives other rows by now")
	}
	found := at.Row(0)
	again, err := c.asked(tr.Value(found))
	if err != nil {
		return err
	}
	if again.NumRows() == 0 || !sameCell(again.Value(0, 0), out.Value) {
		return untraced(codeChanged, "the query gives another value there by now")
	}
	rows := tr.Rows(found, c)
	counted, err := c.asked(rows.With(query.Group{Aggregates: []query.Aggregate{{As: "n", Func: "count"}}}))
	if err != nil {
		return err
	}
	n, _ := counted.Value(0, 0).Int()
	if out.Rows, err = c.asked(rows.With(query.Take{Rows: int64(p.Limit), Offset: int64(p.Offset)})); err != nil {
		return err
	}
	out.Rows = out.Rows.Free()
	out.Total, out.Windowed, out.Table = int(n), tr.Windowed, tr.Table
	if t := c.look(tr.Table); t != nil {
		out.Table = t.Name
	}
	out.Expression, out.Filter = tr.Words(found, c, p.Locale)
	return nil
}

// side is the part of a union that a row of it comes from, and the row's place there.
func (c *sqlCatalog) side(q query.Query, row int64) (query.Query, int64, error) {
	for {
		sides, is := query.SidesOf(q, c)
		if !is {
			return q, row, nil
		}
		at, err := c.asked(sides.Row(row))
		if err != nil {
			return q, 0, err
		}
		if at.NumRows() != 1 {
			return q, 0, untraced(codeChanged, "the query gives other rows by now")
		}
		before, err := c.asked(sides.Before())
		if err != nil {
			return q, 0, err
		}
		q = sides.Left
		row, _ = at.Value(0, 0).Int()
		if n, _ := before.Value(0, 0).Int(); row >= n {
			q, row = sides.Right, row-n
		}
	}
}

// asked is what a query over the tables gives.
func (c *sqlCatalog) asked(q query.Query) (*table.Table, error) {
	res, err := run.Run(c.ctx, q, c)
	if err != nil {
		return nil, err
	}
	return res.Table, nil
}

// sameCell compares a cell with the one that was computed again: floats that are sums may differ in their last digits,
// as processors share the work.
func sameCell(a, b table.Value) bool {
	if table.Equal(a, b) {
		return true
	}
	x, okX := a.Float()
	y, okY := b.Float()
	isFloat := a.Type() == table.Float || b.Type() == table.Float
	if !okX || !okY {
		return false
	}
	if !isFloat { // a number of a union may have digits of the other side
		return table.Compare(a, b) == 0
	}
	return math.Abs(x-y) <= 1e-9*math.Max(math.Abs(x), math.Abs(y))
}
