package source

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	querysql "catena/query/sql"
	"catena/table"
)

// sqliteFile is a file of SQLite. The program computes the statements itself, and ends them at their timeout.
var sqliteFile = kind{
	dialect: querysql.DialectSQLite, address: "the file's path", open: openSQLite, columns: sqliteColumns, keys: sqliteKeys,
	inspect: sqliteInspect, stored: sqliteStored, explain: sqliteFault, single: true,
	written: sqliteWritten,
}

// openSQLite opens a file so that it cannot be written, whatever a statement says: mode=ro makes no file beside one that
// has no write-ahead log.
func openSQLite(_ context.Context, opt Options) (*sql.DB, error) {
	abs, err := filepath.Abs(opt.URL)
	if err != nil {
		return nil, err
	}
	file := url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}
	file.RawQuery = fmt.Sprintf("mode=ro&_pragma=query_only(1)&_pragma=busy_timeout(%d)", opt.Timeout.Milliseconds())
	return sql.OpenDB(&sqliteConnector{name: file.String()}), nil
}

// sqliteConnector makes connections that refuse all but reading.
type sqliteConnector struct {
	name   string
	driver sqlite.Driver
}

// Connect opens the file once more.
func (c *sqliteConnector) Connect(context.Context) (driver.Conn, error) {
	conn, err := c.driver.Open(c.name)
	if err != nil {
		return nil, err
	}
	guarded, ok := conn.(sqlite.AuthorizerRegisterer)
	if !ok {
		return nil, errors.Join(errors.New("the driver of SQLite has no authorizer"), conn.Close())
	}
	if err := guarded.RegisterAuthorizer(sqliteMay); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// Driver is the driver of the connections.
func (c *sqliteConnector) Driver() driver.Driver { return &c.driver }

// sqliteReading are the operations of statements that read, and sqliteTells the pragmas that tell of tables.
var (
	sqliteReading = map[sqlite.AuthorizerActionCode]bool{
		sqlite.AuthSelect: true, sqlite.AuthRead: true, sqlite.AuthFunction: true, sqlite.AuthRecursive: true,
	}
	sqliteTells = map[string]bool{"table_list": true, "table_xinfo": true, "table_info": true, "foreign_key_list": true}
)

func sqliteMay(action sqlite.AuthorizerActionCode, name, function, _, _ string) sqlite.AuthorizerReturnCode {
	switch {
	case action == sqlite.AuthPragma && sqliteTells[strings.ToLower(name)],
		sqliteReading[action] && !strings.EqualFold(function, "load_extension"):
		return sqlite.AuthorizerOK
	}
	return sqlite.AuthorizerDeny
}

const sqliteTables = `(SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'view')
  AND name NOT LIKE 'sqlite\_%' ESCAPE '\')`

const sqliteColumns = `SELECT 'main', m.name, -1, '', x.name, upper(x.type), 0, 0, 'UTF8'
FROM ` + sqliteTables + ` m JOIN pragma_table_xinfo(m.name) x WHERE x.hidden <> 1 ORDER BY m.name, x.cid LIMIT ?`

const sqliteKeys = `SELECT * FROM (
SELECT 'main', m.name, 1, '', '', group_concat(x.name, char(31) ORDER BY x.pk), ''
FROM ` + sqliteTables + ` m JOIN pragma_table_info(m.name) x WHERE x.pk > 0 GROUP BY m.name
UNION ALL
SELECT 'main', m.name, 0, 'main', (SELECT name FROM ` + sqliteTables + ` t WHERE t.name = f."table" COLLATE NOCASE),
  group_concat(f."from", char(31) ORDER BY f.seq), coalesce(group_concat(f."to", char(31) ORDER BY f.seq), '')
FROM ` + sqliteTables + ` m JOIN pragma_foreign_key_list(m.name) f GROUP BY m.name, f.id
HAVING (SELECT count(*) FROM ` + sqliteTables + ` t WHERE t.name = f."table" COLLATE NOCASE) > 0) LIMIT ?`

// sqliteLooks are the questions of a column's cells whose answers are the bits of column.found.
var sqliteLooks = []string{
	"typeof({0}) = 'integer'", "typeof({0}) = 'real'", "typeof({0}) = 'text'", "typeof({0}) = 'blob'",
	"typeof({0}) = 'text' AND NOT (" + sqliteDate + ")", "typeof({0}) = 'text' AND NOT (" + sqliteInstant + ")",
	"{0} NOT IN (0, 1)",
}

const (
	foundInts = 1 << iota
	foundFloats
	foundTexts
	foundBlobs
	foundNoDate
	foundNoInstant
	foundNoBit
)

const (
	sqliteDate    = "{0} IS date({0}) AND {0} >= '0001-01-01'"
	sqliteInstant = "ifnull({0} IN (strftime('%Y-%m-%d %H:%M:%S', {0}), strftime('%Y-%m-%dT%H:%M:%S', {0})) AND {0} >= '0001-01-01', 0)"
)

// sqliteInspect looks at cells: SQLite has types of cells, not of columns.
func sqliteInspect(ctx context.Context, q querier, t *Table, columns []column) error {
	list := make([]string, len(columns))
	to := make([]any, len(columns))
	for i := range columns {
		name := `"` + strings.ReplaceAll(columns[i].name, `"`, `""`) + `"`
		sum := make([]string, len(sqliteLooks))
		for bit, look := range sqliteLooks {
			sum[bit] = fmt.Sprintf("%d * ifnull(max(%s), 0)", 1<<bit, strings.ReplaceAll(look, "{0}", name))
		}
		list[i], to[i] = strings.Join(sum, " + "), &columns[i].found
	}
	from := `"main"."` + strings.ReplaceAll(t.Name, `"`, `""`) + `"`
	text := fmt.Sprintf("SELECT %s FROM (SELECT * FROM %s LIMIT %d)", strings.Join(list, ", "), from, exactRows)
	rows, err := q.QueryContext(ctx, text)
	if err != nil {
		return err
	}
	defer rows.Close()
	if rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return err
		}
	}
	return rows.Err()
}

// sqliteDeclared is what a column without a cell would hold, by the beginning of its declared type.
var sqliteDeclared = []struct {
	start string
	found int64
}{
	{"INT", foundInts | foundNoBit}, {"BIGINT", foundInts | foundNoBit}, {"BOOL", foundInts}, {"REAL", foundFloats},
	{"DOUBLE", foundFloats}, {"FLOAT", foundFloats}, {"DEC", foundFloats}, {"NUM", foundFloats}, {"DATETIME", foundTexts | foundNoDate},
	{"TIMESTAMP", foundTexts | foundNoDate}, {"DATE", foundTexts | foundNoInstant}, {"", foundTexts | foundNoDate | foundNoInstant},
}

// sqliteStored is a column as it is read: as what its cells are. Later ones of another kind count as missing.
func sqliteStored(c column) querysql.Stored {
	for i := 0; c.found == 0; i++ {
		if strings.HasPrefix(c.typ, sqliteDeclared[i].start) {
			c.found = sqliteDeclared[i].found
		}
	}
	out := querysql.Stored{Column: c.name}
	out.Name, out.Type = c.name, table.Text
	switch kinds := c.found & (foundInts | foundFloats | foundTexts | foundBlobs); {
	case kinds == foundBlobs:
		out.Read = "lower(hex({0}))"
	case kinds == foundTexts && c.found&foundNoDate == 0:
		out.Type, out.Holds = table.Date, sqliteDate
	case kinds == foundTexts && c.found&foundNoInstant == 0:
		out.Type, out.Holds, out.Refused = table.DateTime, sqliteInstant, "instants are texts in SQLite"
	case kinds == foundTexts:
		out.Read, out.Holds = "({0} COLLATE BINARY)", "typeof({0}) = 'text'"
	case kinds&(foundTexts|foundBlobs) != 0:
		out.Read = "CAST({0} AS TEXT)"
	case c.found&foundNoBit == 0 && strings.HasPrefix(c.typ, "BOOL"):
		out.Type, out.Holds = table.Bool, "{0} IN (0, 1)"
	case strings.HasPrefix(c.typ, "DEC"), strings.HasPrefix(c.typ, "NUM"):
		out.Type, out.Holds = table.Decimal, sqliteFinite
		_, digits, _ := strings.Cut(c.typ, ",")
		_, _ = fmt.Sscan(strings.Trim(digits, " )"), &out.Scale) // none is 0
		out.Scale = min(max(out.Scale, 0), table.MaxDigits)
	case kinds == foundInts:
		out.Type, out.Holds = table.Int, "typeof({0}) = 'integer'"
	default:
		out.Type, out.Holds = table.Float, sqliteFinite
	}
	return out
}

// sqliteFinite holds for no text and no blob, which are beyond all numbers.
const sqliteFinite = "{0} BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308"

// sqliteCodes are what codes of SQLite mean.
var sqliteCodes = map[int]reason{
	sqlite3.SQLITE_BUSY: {CodeUnavailable, "another program writes to it; ask again"}, sqlite3.SQLITE_LOCKED: {CodeUnavailable, "another program writes to it; ask again"},
	sqlite3.SQLITE_INTERRUPT: tooSlow, sqlite3.SQLITE_READONLY: notReading, sqlite3.SQLITE_AUTH: notReading,
	sqlite3.SQLITE_CANTOPEN: {CodeUnavailable, "there is no such file, or it may not be read"},
	sqlite3.SQLITE_NOTADB:   {CodeUnavailable, "the file is no SQLite database"},
	sqlite3.SQLITE_CORRUPT:  {CodeUnavailable, "the file is damaged"},
	sqlite3.SQLITE_IOERR:    {CodeUnavailable, "the file cannot be read"},
	sqlite3.SQLITE_TOOBIG:   {CodeData, "a value is too large"},
}

// sqliteTexts are what messages of SQLite mean that have no code of their own.
var sqliteTexts = []struct {
	in string
	reason
}{{"no such table", tableGone}, {"no such column", columnGone}, {"integer overflow", reason{CodeData, "it could not compute a value"}}}

func sqliteFault(err error) *Error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return nil
	}
	state := fmt.Sprintf("SQLITE_%d", e.Code())
	if known, ok := sqliteCodes[e.Code()&0xff]; ok {
		return &Error{Code: known.code, Text: known.text, State: state}
	}
	for _, known := range sqliteTexts {
		if strings.Contains(e.Error(), known.in) {
			return &Error{Code: known.code, Text: known.text, State: state}
		}
	}
	return &Error{Code: CodeFailed, Text: notComputed + e.Error(), State: state}
}
