package source

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	querysql "catena/query/sql"
	"catena/table"
)

// postgres is PostgreSQL.
var postgres = kind{
	dialect: querysql.DialectPostgreSQL, address: "postgres://user@host:5432/database", open: openPostgres,
	columns: postgresColumns, keys: postgresKeys, stored: postgresStored, explain: postgresFault, grace: serverGrace,
	written: postgresWritten,
}

func openPostgres(_ context.Context, opt Options) (*sql.DB, error) {
	cfg, err := pgx.ParseConfig(opt.URL)
	if err != nil {
		return nil, err
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
	return stdlib.OpenDB(*cfg), nil
}

// postgresCodes are what classes of SQLSTATE, and some states, mean.
var postgresCodes = map[string]reason{
	"57014": tooSlow, "42501": {CodeDenied, "the user may not read that"},
	"28": {CodeDenied, "the user or the password is refused"}, "42P01": tableGone, "42703": columnGone,
	"25006": notReading, "25": notReading, "22": {CodeData, "it could not compute a value"},
	"57": {CodeUnavailable, "it is shutting down; ask again later"},
	"53": {CodeUnavailable, "it has no room for more; ask again later"},
	"08": {CodeUnavailable, "the connection was lost; ask again"},
	"3D": {CodeUnavailable, "there is no such database"},
}

func postgresFault(err error) *Error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return nil
	}
	for _, state := range []string{pg.Code, pg.Code[:min(len(pg.Code), 2)]} {
		if known, ok := postgresCodes[state]; ok {
			return &Error{Code: known.code, Text: known.text, State: pg.Code}
		}
	}
	return &Error{Code: CodeFailed, Text: notComputed + pg.Message, State: pg.Code}
}

// postgresColumns lists columns of what the user may read.
const postgresColumns = `
SELECT n.nspname, c.relname, c.reltuples::int8, COALESCE(obj_description(c.oid, 'pg_class'), ''), a.attname,
  COALESCE(b.typname, t.typname), COALESCE(NULLIF(a.atttypmod, -1), t.typtypmod), COALESCE(co.collisdeterministic, true),
  current_setting('server_encoding')
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

// postgresType is how a type of PostgreSQL is read.
type postgresType struct {
	typ         table.Type
	read, holds string
	zone        string
}

const (
	finite      = "{0} BETWEEN -1.7976931348623157e308::float8 AND 1.7976931348623157e308::float8"
	number      = "{0} BETWEEN '-1e1000'::numeric AND '1e1000'::numeric"
	fourDigits  = "{0} BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'"
	fourDigitsT = "{0} BETWEEN TIMESTAMP '0001-01-01' AND TIMESTAMP '9999-12-31 23:59:59.999999'"
	fourDigitsZ = "{0} BETWEEN TIMESTAMPTZ '0001-01-01 00:00+00' AND TIMESTAMPTZ '9999-12-31 23:59:59.999999+00'"
)

// postgresTypes are those that are more than a text here. NaN and the infinities count as missing.
var postgresTypes = map[string]postgresType{
	"bool": {
		typ: table.Bool,
	}, "int2": {typ: table.Int, read: "({0})::int8"}, "int4": {typ: table.Int, read: "({0})::int8"},
	"int8": {typ: table.Int}, "oid": {typ: table.Int, read: "({0})::int8"},
	"float4":  {typ: table.Float, read: "({0})::float8", holds: finite},
	"float8":  {typ: table.Float, holds: finite},
	"numeric": {typ: table.Decimal, holds: number},
	"money":   {typ: table.Decimal, read: "({0})::numeric"},
	"text":    {typ: table.Text}, "varchar": {typ: table.Text, read: "({0})::text"},
	"bpchar": {typ: table.Text, read: "({0})::text"}, "name": {typ: table.Text, read: "({0})::text"},
	"json": {typ: table.JSON, read: "({0})::text"}, "jsonb": {typ: table.JSON, read: "({0})::text"},
	"date":      {typ: table.Date, holds: fourDigits},
	"timestamp": {typ: table.DateTime, holds: fourDigitsT},
	"timestamptz": {
		typ:   table.DateTime,
		read:  "({0} AT TIME ZONE 'UTC')",
		holds: fourDigitsZ,
		zone:  "UTC",
	},
	"time": {typ: table.Time}, "bytea": {typ: table.Text, read: "encode({0}, 'hex')"},
}

// postgresStored is a column as it is read. What has no type here is its text.
func postgresStored(c column) querysql.Stored {
	t, ok := postgresTypes[c.typ]
	if !ok {
		t = postgresType{typ: table.Text, read: "({0})::text"}
	}
	out := querysql.Stored{Column: c.name, Read: t.read, Holds: t.holds}
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
