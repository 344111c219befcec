package source

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	querysql "catena/query/sql"
	"catena/table"
)

// mostConnections are those to one database.
const mostConnections = 4

// OpenPostgres opens a PostgreSQL for reading and lists its tables. Errors are *Error.
func OpenPostgres(ctx context.Context, opt Options) (*Database, error) {
	if opt.Timeout <= 0 {
		opt.Timeout = DefaultTimeout
	}
	cfg, err := pgx.ParseConfig(opt.URL)
	if err != nil { // the driver's text may show parts of the address
		return nil, &Error{
			Source: opt.Name,
			Code:   CodeFailed,
			Text:   "its address cannot be read; write postgres://user@host:5432/database",
		}
	}
	if opt.Password != "" {
		cfg.Password = opt.Password
	}
	ms := strconv.FormatInt(opt.Timeout.Milliseconds(), 10)
	for name, value := range map[string]string{
		"default_transaction_read_only": "on", "statement_timeout": ms, "lock_timeout": ms, "TimeZone": "UTC",
		"idle_in_transaction_session_timeout": "60000", "application_name": "catena", "search_path": "pg_catalog",
		"extra_float_digits": "1", "IntervalStyle": "postgres", "DateStyle": "ISO, YMD",
	} {
		cfg.RuntimeParams[name] = value
	}
	cfg.DefaultQueryExecMode = pgx.QueryExecModeDescribeExec // a schema may change; statements are one each
	db := stdlib.OpenDB(*cfg)
	db.SetMaxOpenConns(mostConnections)
	db.SetConnMaxIdleTime(idleTime)
	d := &Database{opt: opt, db: db, dialect: querysql.DialectPostgreSQL, tables: map[string]*Table{}}
	d.explain = d.postgresFault
	if err := d.reading(ctx, d.listPostgres); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return d, nil
}

// postgresCodes are what classes of SQLSTATE, and some states, mean.
var postgresCodes = map[string]struct{ code, text string }{
	"57014": {CodeTimeout, "the statement took longer than its timeout; filter more, or raise the source's timeout"},
	"42501": {CodeDenied, "the user may not read that"}, "28": {CodeDenied, "the user or the password is refused"},
	"42P01": {CodeChanged, "a table is gone; start again to see what is there now"},
	"42703": {CodeChanged, "a column is gone; start again to see what is there now"},
	"25006": {CodeRefused, "it is not for reading"}, "25": {CodeRefused, "it is not for reading"},
	"22": {CodeData, "it could not compute a value"}, "57": {CodeUnavailable, "it is shutting down; ask again later"},
	"53": {
		CodeUnavailable,
		"it has no room for more; ask again later",
	}, "08": {CodeUnavailable, "the connection was lost; ask again"},
	"3D": {CodeUnavailable, "there is no such database"},
}

func (d *Database) postgresFault(err error) *Error {
	out := &Error{
		Source: d.opt.Name,
		Code:   CodeUnavailable,
		Text:   "it does not answer; check that it runs, and its address",
		Err:    err,
	}
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return out
	}
	out.State, out.Code, out.Text = pg.Code, CodeFailed, "it could not compute the statement: "+pg.Message
	for _, state := range []string{pg.Code, pg.Code[:min(len(pg.Code), 2)]} {
		if known, ok := postgresCodes[state]; ok {
			out.Code, out.Text = known.code, known.text
			return out
		}
	}
	return out
}

// postgresColumns lists columns of what the user may read.
const postgresColumns = `
SELECT n.nspname, c.relname, c.reltuples::int8, COALESCE(obj_description(c.oid, 'pg_class'), ''), a.attname,
  COALESCE(b.typname, t.typname), COALESCE(NULLIF(a.atttypmod, -1), t.typtypmod), COALESCE(co.collisdeterministic, true),
  current_setting('server_encoding'), COALESCE(col_description(c.oid, a.attnum), '')
FROM pg_attribute a
JOIN pg_class c ON c.oid = a.attrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_type b ON b.oid = t.typbasetype AND t.typtype = 'd'
LEFT JOIN pg_collation co ON co.oid = a.attcollation
WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition
  AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\_%'
  AND has_schema_privilege(n.oid, 'USAGE') AND has_column_privilege(c.oid, a.attnum, 'SELECT')
ORDER BY n.nspname, c.relname, a.attnum
LIMIT $1`

// postgresKeys lists primary and foreign keys; names of columns are apart by a unit separator.
const postgresKeys = `
SELECT n.nspname, c.relname, k.contype = 'p', COALESCE(fn.nspname, ''), COALESCE(fc.relname, ''),
  (SELECT string_agg(a.attname, E'\x1f' ORDER BY u.i) FROM unnest(k.conkey) WITH ORDINALITY u(n, i) JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.n),
  COALESCE((SELECT string_agg(a.attname, E'\x1f' ORDER BY u.i) FROM unnest(k.confkey) WITH ORDINALITY u(n, i) JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.n), '')
FROM pg_constraint k
JOIN pg_class c ON c.oid = k.conrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_class fc ON fc.oid = k.confrelid
LEFT JOIN pg_namespace fn ON fn.oid = fc.relnamespace
WHERE k.contype IN ('p', 'f')
ORDER BY n.nspname, c.relname, k.conname
LIMIT $1`

// postgresColumn is a row of postgresColumns.
type postgresColumn struct {
	schema, table, comment, name, typ, encoding, said string
	rows                                              int64
	modifier                                          int64
	plain                                             bool // its collation tells all texts apart
}

func (d *Database) listPostgres(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, postgresColumns, maxColumns)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var c postgresColumn
		if err := rows.Scan(&c.schema, &c.table, &c.rows, &c.comment, &c.name, &c.typ, &c.modifier, &c.plain, &c.encoding, &c.said); err != nil {
			return err
		}
		if t := d.listed(c.schema, c.table); t != nil {
			t.rows, t.Comment = c.rows, c.comment
			t.relation.Columns = append(t.relation.Columns, postgresStored(c))
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	d.named()
	return d.postgresKeys(ctx, tx)
}

// listed is the table of a name in the database, the last one or a new one; nil where it is not wanted.
func (d *Database) listed(schema, name string) *Table {
	if n := len(d.list); n > 0 && d.list[n-1].Schema == schema && d.list[n-1].Name == name {
		return d.list[n-1]
	}
	wanted := len(d.opt.Schemas) == 0 || slices.Contains(d.opt.Schemas, schema)
	if len(d.opt.Tables) > 0 {
		wanted = wanted && (slices.Contains(d.opt.Tables, name) || slices.Contains(d.opt.Tables, schema+"."+name))
	}
	if !wanted || len(d.list) == maxTables {
		return nil
	}
	t := &Table{Name: name, Schema: schema, db: d, relation: querysql.Relation{Path: []string{schema, name}}}
	d.list = append(d.list, t)
	return t
}

// named gives tables of one name in several schemas names of their own.
func (d *Database) named() {
	seen := map[string]int{}
	for _, t := range d.list {
		seen[strings.ToLower(t.Name)]++
	}
	for _, t := range d.list {
		if seen[strings.ToLower(t.Name)] > 1 {
			t.Name = t.Schema + "_" + t.Name
		}
		d.tables[strings.ToLower(t.Name)] = t
	}
}

// at is the table of a place in the database; nil where it is not listed.
func (d *Database) at(schema, name string) *Table {
	i := slices.IndexFunc(d.list, func(t *Table) bool { return slices.Equal(t.relation.Path, []string{schema, name}) })
	if i < 0 {
		return nil
	}
	return d.list[i]
}

func (d *Database) postgresKeys(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, postgresKeys, maxColumns)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var schema, name, toSchema, to, columns, toColumns string
		var primary bool
		if err := rows.Scan(&schema, &name, &primary, &toSchema, &to, &columns, &toColumns); err != nil {
			return err
		}
		t := d.at(schema, name)
		switch {
		case t == nil:
		case primary:
			t.Primary = strings.Split(columns, "\x1f")
		default:
			k := ForeignKey{Columns: strings.Split(columns, "\x1f"), To: strings.Split(toColumns, "\x1f")}
			if other := d.at(toSchema, to); other != nil {
				k.Table = other.Name
			}
			t.Foreign = append(t.Foreign, k)
		}
	}
	return rows.Err()
}

// postgresType is how a type of PostgreSQL is read.
type postgresType struct {
	typ       table.Type
	read      string
	low, high string
	zone      string
}

const (
	leastFloat, mostFloat     = "-1.7976931348623157e308::float8", "1.7976931348623157e308::float8"
	leastNumber, mostNumber   = "'-1e1000'::numeric", "'1e1000'::numeric"
	leastDate, mostDate       = "DATE '0001-01-01'", "DATE '9999-12-31'"
	leastInstant, mostInstant = "TIMESTAMP '0001-01-01'", "TIMESTAMP '9999-12-31 23:59:59.999999'"
)

// postgresTypes are those that are more than a text here. Values beyond low and high, NaN and the infinities among them,
// count as missing.
var postgresTypes = map[string]postgresType{
	"bool": {
		typ: table.Bool,
	}, "int2": {typ: table.Int, read: "({0})::int8"}, "int4": {typ: table.Int, read: "({0})::int8"},
	"int8": {typ: table.Int}, "oid": {typ: table.Int, read: "({0})::int8"},
	"float4":  {typ: table.Float, read: "({0})::float8", low: leastFloat, high: mostFloat},
	"float8":  {typ: table.Float, low: leastFloat, high: mostFloat},
	"numeric": {typ: table.Decimal, low: leastNumber, high: mostNumber},
	"money":   {typ: table.Decimal, read: "({0})::numeric"},
	"text":    {typ: table.Text}, "varchar": {typ: table.Text, read: "({0})::text"},
	"bpchar": {typ: table.Text, read: "({0})::text"}, "name": {typ: table.Text, read: "({0})::text"},
	"json": {typ: table.JSON, read: "({0})::text"}, "jsonb": {typ: table.JSON, read: "({0})::text"},
	"date":      {typ: table.Date, low: leastDate, high: mostDate},
	"timestamp": {typ: table.DateTime, low: leastInstant, high: mostInstant},
	"timestamptz": {
		typ:  table.DateTime,
		read: "({0} AT TIME ZONE 'UTC')",
		low:  "TIMESTAMPTZ '0001-01-01 00:00+00'",
		high: "TIMESTAMPTZ '9999-12-31 23:59:59.999999+00'",
		zone: "UTC",
	},
	"time": {typ: table.Time}, "bytea": {typ: table.Text, read: "encode({0}, 'hex')"},
}

// postgresStored is a column as it is read. What has no type here is its text.
func postgresStored(c postgresColumn) querysql.Stored {
	t, ok := postgresTypes[c.typ]
	if !ok {
		t = postgresType{typ: table.Text, read: "({0})::text"}
	}
	out := querysql.Stored{Column: c.name, Read: t.read, Low: t.low, High: t.high}
	out.Name, out.Type, out.Zone = c.name, t.typ, t.zone
	const header = 4 // bytes that numeric's modifier counts
	if t.typ == table.Decimal && c.modifier >= header {
		out.Scale = int32(min((c.modifier-header)&0x7ff, table.MaxDigits))
	}
	if t.typ == table.Text && !c.plain {
		out.Read = `({0})::text COLLATE "C"`
	}
	if t.typ == table.Text && c.encoding != "UTF8" {
		out.Refused = fmt.Sprintf("the database's encoding is %s, in which texts have another order", c.encoding)
	}
	return out
}
