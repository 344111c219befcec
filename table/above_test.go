package table

import (
	"context"
	"io"

	"github.com/go-gota/gota/dataframe"
)

// The rooms above this one, for tests inside of it: they import this package, so it cannot import them. Package table_test, which may, puts them here.
var (
	GotaFrame    func(t *Table) (dataframe.DataFrame, error)
	FromGota     func(df dataframe.DataFrame, hints ...Column) (*Table, error)
	LoadFile     func(ctx context.Context, path string, lim Limits) ([]Named, error)
	ReadBytes    func(data []byte, source string, lim Limits) (Named, error)
	ReadTables   func(data []byte, source string, lim Limits) ([]Named, error)
	ReadText     func(s, source string, lim Limits) (Named, error)
	FromAny      func(v any, lim Limits) (*Table, error)
	ReadIPC      func(r io.Reader) (*Table, error)
	WriteIPC     func(ctx context.Context, w io.Writer, t *Table) error
	WriteParquet func(ctx context.Context, w io.Writer, t *Table) error
)
