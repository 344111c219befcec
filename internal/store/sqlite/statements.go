package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// preparer is a connection, or a pool of them.
type preparer interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// statements runs queries, preparing each text once. The texts are constants of this package, so they are few.
type statements struct {
	on preparer
	mu sync.Mutex
	by map[string]*sql.Stmt
}

func (p *statements) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if st, ok := p.by[query]; ok {
		return st, nil
	}
	st, err := p.on.PrepareContext(context.WithoutCancel(ctx), query)
	if err != nil {
		return nil, err
	}
	if p.by == nil {
		p.by = map[string]*sql.Stmt{}
	}
	p.by[query] = st
	return st, nil
}

// exec runs a statement and returns how many rows it changed.
func (p *statements) exec(ctx context.Context, query string, args ...any) (int64, error) {
	st, err := p.prepare(ctx, query)
	if err != nil {
		return 0, err
	}
	res, err := st.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// one is a row, or the error that kept it from being read.
type one struct {
	row *sql.Row
	err error
}

// Scan reads the row; a query without a row gives sql.ErrNoRows.
func (o one) Scan(dest ...any) error {
	if o.err != nil {
		return o.err
	}
	return o.row.Scan(dest...)
}

func (p *statements) row(ctx context.Context, query string, args ...any) one {
	st, err := p.prepare(ctx, query)
	if err != nil {
		return one{err: err}
	}
	return one{row: st.QueryRowContext(ctx, args...)}
}

// each calls f for every row of a query.
func (p *statements) each(ctx context.Context, f func(*sql.Rows) error, query string, args ...any) (err error) {
	st, err := p.prepare(ctx, query)
	if err != nil {
		return err
	}
	rows, err := st.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// close closes the connection that the statements were prepared on.
func (p *statements) close() error {
	var errs []error
	for _, st := range p.by {
		errs = append(errs, st.Close())
	}
	if conn, ok := p.on.(*sql.Conn); ok {
		errs = append(errs, conn.Close())
	}
	return errors.Join(errs...)
}
