package source

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	querysql "catena/query/sql"
	"catena/table"
)

// mysqlServer is MySQL or MariaDB.
var mysqlServer = kind{
	dialect: querysql.DialectMySQL, address: "mysql://user@host:3306/database", open: openMySQL,
	columns: mysqlColumns, keys: mysqlKeys, stored: mysqlStored, explain: mysqlFault, grace: serverGrace,
	written: mysqlWritten,
}

// mysqlSession are the settings of a session, by whether the server is MariaDB, as the two call them: what may be done, and
// the collation by which texts are equal where their bytes are. MariaDB's cache of subqueries takes texts of the columns'
// collation for equal.
var mysqlSession = map[bool]map[string]string{
	true:  {"tx_read_only": "1", "collation_connection": "'utf8mb4_nopad_bin'", "optimizer_switch": "'subquery_cache=off'"},
	false: {"transaction_read_only": "1", "collation_connection": "'utf8mb4_0900_bin'"},
}

func openMySQL(ctx context.Context, opt Options) (*sql.DB, error) {
	u, err := url.Parse(opt.URL)
	if err != nil || u.Scheme != "mysql" || u.Hostname() == "" {
		return nil, errors.New("no address of a MySQL")
	}
	cfg := mysql.NewConfig()
	cfg.Net, cfg.Addr, cfg.DBName = "tcp", u.Host, strings.TrimPrefix(u.Path, "/")
	if u.Port() == "" {
		cfg.Addr = net.JoinHostPort(u.Hostname(), "3306")
	}
	cfg.User = u.User.Username()
	if cfg.Passwd, _ = u.User.Password(); opt.Password != "" {
		cfg.Passwd = opt.Password
	}
	cfg.TLSConfig = u.Query().Get("tls") // true, skip-verify or preferred
	cfg.ParseTime, cfg.Loc, cfg.AllowNativePasswords = true, time.UTC, true
	cfg.Timeout, cfg.ReadTimeout, cfg.WriteTimeout = opt.Timeout, opt.Timeout+serverGrace, opt.Timeout
	cfg.Logger = mysqlQuiet{}
	version, err := mysqlVersion(ctx, cfg, opt.Timeout)
	if err != nil {
		return nil, explained(mysqlFault, err)
	}
	maria := strings.Contains(version, "MariaDB")
	cfg.Params = maps.Clone(mysqlSession[maria])
	cfg.Params["sql_mode"], cfg.Params["time_zone"] = "''", "'+00:00'"
	cfg.Params["lock_wait_timeout"] = fmt.Sprint(max(int64(opt.Timeout/time.Second), 1))
	if ms := max(opt.Timeout.Milliseconds(), 1); maria {
		cfg.Params["max_statement_time"] = fmt.Sprint(float64(ms) / 1000)
	} else {
		cfg.Params["max_execution_time"] = fmt.Sprint(ms)
	}
	return mysqlOpen(cfg)
}

func mysqlOpen(cfg *mysql.Config) (*sql.DB, error) {
	c, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(c), nil
}

// mysqlVersion asks which server it is.
func mysqlVersion(ctx context.Context, cfg *mysql.Config, timeout time.Duration) (version string, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	db, err := mysqlOpen(cfg)
	if err != nil {
		return "", err
	}
	defer db.Close()
	return version, db.QueryRowContext(ctx, "SELECT VERSION()").Scan(&version)
}

// mysqlQuiet drops what the driver says of lost connections beside the error.
type mysqlQuiet struct{}

// Print drops it.
func (mysqlQuiet) Print(...any) {}

const mysqlOurs = `IN ('information_schema', 'mysql', 'performance_schema', 'sys')`

const mysqlColumns = `
SELECT c.table_schema, c.table_name, COALESCE(t.table_rows, -1), COALESCE(t.table_comment, ''), c.column_name,
  CONCAT(LOWER(c.data_type), IF(c.column_type LIKE '%unsigned%', ' unsigned', '')), COALESCE(c.numeric_scale, 0), 0, 'UTF8'
FROM information_schema.columns c
JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
WHERE c.table_schema NOT ` + mysqlOurs + ` AND t.table_type IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED')
ORDER BY c.table_schema, c.table_name, c.ordinal_position
LIMIT ?`

const mysqlKeys = `
SELECT k.table_schema, k.table_name, k.constraint_name = 'PRIMARY', COALESCE(k.referenced_table_schema, ''),
  COALESCE(k.referenced_table_name, ''), GROUP_CONCAT(k.column_name ORDER BY k.ordinal_position SEPARATOR '` + "\x1f" + `'),
  COALESCE(GROUP_CONCAT(k.referenced_column_name ORDER BY k.ordinal_position SEPARATOR '` + "\x1f" + `'), '')
FROM information_schema.key_column_usage k
WHERE k.table_schema NOT ` + mysqlOurs + ` AND (k.constraint_name = 'PRIMARY' OR k.referenced_table_name IS NOT NULL)
GROUP BY k.table_schema, k.table_name, k.constraint_name, k.referenced_table_schema, k.referenced_table_name
ORDER BY k.table_schema, k.table_name, k.constraint_name
LIMIT ?`

// mysqlType is how a type of MySQL is read.
type mysqlType struct {
	typ               table.Type
	read, holds, zone string
}

// mysqlDay holds for days that there are, from the year 1 on: 0000-00-00 and 2024-00-00 count as missing.
const mysqlDay = "TO_DAYS({0}) >= 366"

// mysqlTypes are those that are more than a text here, or another one.
var mysqlTypes = map[string]mysqlType{
	"tinyint": {typ: table.Int}, "smallint": {typ: table.Int}, "mediumint": {typ: table.Int}, "int": {typ: table.Int},
	"bigint": {typ: table.Int}, "tinyint unsigned": {typ: table.Int, read: mysqlSigned}, "smallint unsigned": {typ: table.Int, read: mysqlSigned},
	"mediumint unsigned": {typ: table.Int, read: mysqlSigned}, "int unsigned": {typ: table.Int, read: mysqlSigned},
	"bigint unsigned": {typ: table.Decimal, read: "CAST({0} AS DECIMAL(20, 0))"}, "year": {typ: table.Int, read: mysqlSigned},
	"bit": {typ: table.Decimal, read: "CAST({0} AS DECIMAL(20, 0))"}, "float": {typ: table.Float, read: "({0} + 0e0)"}, "double": {typ: table.Float},
	"float unsigned": {typ: table.Float, read: "({0} + 0e0)"}, "double unsigned": {typ: table.Float}, "decimal": {typ: table.Decimal},
	"decimal unsigned": {typ: table.Decimal, read: "CAST({0} AS DECIMAL(65, {s}))"},
	"date":             {typ: table.Date, holds: mysqlDay}, "datetime": {typ: table.DateTime, holds: mysqlDay},
	"timestamp": {typ: table.DateTime, holds: mysqlDay, zone: "UTC"},
	"time":      {typ: table.Time, holds: "{0} BETWEEN '00:00:00' AND '23:59:59.999999'"},
	"json":      {typ: table.JSON, read: "CAST({0} AS CHAR)"},
	"binary":    {typ: table.Text, read: mysqlHex}, "varbinary": {typ: table.Text, read: mysqlHex}, "tinyblob": {typ: table.Text, read: mysqlHex},
	"blob": {typ: table.Text, read: mysqlHex}, "mediumblob": {typ: table.Text, read: mysqlHex}, "longblob": {typ: table.Text, read: mysqlHex},
}

const (
	mysqlSigned = "CAST({0} AS SIGNED)"
	mysqlHex    = "LOWER(HEX({0}))"
	// mysqlText is a text in the session's collation, which compares by bytes.
	mysqlText = "CAST({0} AS CHAR)"
)

// mysqlStored is a column as it is read. What has no type here is its text.
func mysqlStored(c column) querysql.Stored {
	t, ok := mysqlTypes[c.typ]
	if !ok {
		t = mysqlType{typ: table.Text, read: mysqlText}
	}
	out := querysql.Stored{Column: c.name, Holds: t.holds}
	out.Name, out.Type, out.Zone = c.name, t.typ, t.zone
	if t.typ == table.Decimal {
		out.Scale = int32(min(max(c.modifier, 0), table.MaxDigits))
	}
	out.Read = strings.ReplaceAll(t.read, "{s}", fmt.Sprint(out.Scale))
	return out
}

// mysqlCodes are what numbers of errors mean.
var mysqlCodes = map[uint16]reason{
	1317: tooSlow, 1969: tooSlow, 3024: tooSlow, 1205: tooSlow,
	1044: {CodeDenied, "the user may not read that"}, 1142: {CodeDenied, "the user may not read that"},
	1143: {CodeDenied, "the user may not read that"}, 1045: {CodeDenied, "the user or the password is refused"},
	1698: {CodeDenied, "the user or the password is refused"}, 1146: tableGone, 1054: columnGone, 1356: tableGone,
	1792: notReading, 1690: {CodeData, "it could not compute a value"}, 1264: {CodeData, "it could not compute a value"},
	1040: {CodeUnavailable, "it has no room for more; ask again later"}, 1203: {CodeUnavailable, "it has no room for more; ask again later"},
	1053: {CodeUnavailable, "it is shutting down; ask again later"}, 1927: {CodeUnavailable, "the connection was lost; ask again"},
	1049: {CodeUnavailable, "there is no such database"},
}

func mysqlFault(err error) *Error {
	var e *mysql.MySQLError
	if !errors.As(err, &e) {
		return nil
	}
	state := fmt.Sprintf("MySQL %d", e.Number)
	if known, ok := mysqlCodes[e.Number]; ok {
		return &Error{Code: known.code, Text: known.text, State: state}
	}
	return &Error{Code: CodeFailed, Text: notComputed + e.Message, State: state}
}
