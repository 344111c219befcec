package source

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"catena/table"
)

// postgresWritten: all values go as texts, which the server reads as the type that it finds for their place.
var postgresWritten = written{
	form:  statementForm{escape: true, dollar: true, nested: true},
	place: func(n int) string { return "$" + strconv.Itoa(n) },
	bind:  postgresBind, session: postgresSession,
	types: map[string]table.Type{
		"INT2": table.Int, "INT4": table.Int, "INT8": table.Int, "OID": table.Int, "FLOAT4": table.Float, "FLOAT8": table.Float,
		"NUMERIC": table.Decimal, "BOOL": table.Bool, "TEXT": table.Text, "VARCHAR": table.Text, "BPCHAR": table.Text, "NAME": table.Text,
		"DATE": table.Date, "TIMESTAMP": table.DateTime, "TIMESTAMPTZ": table.DateTime, "TIME": table.Time, "JSON": table.JSON,
		"JSONB": table.JSON, "UUID": table.Text, "BYTEA": table.Text,
	},
	zones: map[string]string{"TIMESTAMPTZ": "UTC"},
	tidy:  postgresTidy,
}

// postgresSession finds tables without their schema's name where psql would, or in the schemas that the source lists.
func postgresSession(opt Options) []string {
	path := []string{`"$user"`, "public"}
	if len(opt.Schemas) > 0 {
		path = nil
		for _, name := range opt.Schemas {
			path = append(path, `"`+strings.ReplaceAll(name, `"`, `""`)+`"`)
		}
	}
	return []string{"SET LOCAL search_path TO " + strings.Join(path, ", ")}
}

var postgresBytes = hexadecimal("BYTEA")

func postgresTidy(v any, typ string) any {
	if t, ok := v.(time.Time); ok {
		return t.UTC()
	}
	return postgresBytes(v, typ)
}

func postgresBind(v any) any {
	switch x := v.(type) {
	case json.Number:
		return x.String()
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(x)
	case []any:
		return postgresArray(x)
	}
	return v
}

// postgresArray is a list as the server reads one from a text.
func postgresArray(list []any) string {
	parts := make([]string, len(list))
	for i, v := range list {
		if parts[i] = "NULL"; v == nil {
			continue
		}
		text := fmt.Sprint(postgresBind(v))
		parts[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// mysqlWritten: a list is its JSON text, for JSON_TABLE and JSON_CONTAINS.
var mysqlWritten = written{
	form:  statementForm{backslash: true, hash: true, spaced: true, question: true},
	place: func(int) string { return "?" },
	bind:  plainBind,
	types: map[string]table.Type{
		"TINYINT": table.Int, "SMALLINT": table.Int, "MEDIUMINT": table.Int, "INT": table.Int, "BIGINT": table.Int, "YEAR": table.Int,
		"UNSIGNED TINYINT": table.Int, "UNSIGNED SMALLINT": table.Int, "UNSIGNED MEDIUMINT": table.Int, "UNSIGNED INT": table.Int,
		"UNSIGNED BIGINT": table.Decimal, "FLOAT": table.Float, "DOUBLE": table.Float, "DECIMAL": table.Decimal, "DATE": table.Date,
		"DATETIME": table.DateTime, "TIMESTAMP": table.DateTime, "TIME": table.Time, "JSON": table.JSON, "CHAR": table.Text,
		"VARCHAR": table.Text, "TEXT": table.Text, "ENUM": table.Text, "SET": table.Text,
	},
	tidy: mysqlTidy,
}

var mysqlBytes = hexadecimal("BLOB", "BINARY", "VARBINARY")

// mysqlTidy: a day that there is not comes as the first moment of the year 1, and floats without a half of their
// digits.
func mysqlTidy(v any, typ string) any {
	switch x := v.(type) {
	case time.Time:
		if x.IsZero() {
			return nil
		}
	case float32:
		wide, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', -1, 32), 64)
		if err != nil {
			return float64(x)
		}
		return wide
	case uint64:
		return strconv.FormatUint(x, 10)
	}
	return mysqlBytes(v, typ)
}

// sqliteWritten: a list is its JSON text, for json_each. Types are those of the cells.
var sqliteWritten = written{
	form:  statementForm{brackets: true, question: true},
	place: func(n int) string { return "?" + strconv.Itoa(n) },
	bind:  plainBind, tries: true,
	types: map[string]table.Type{
		"INTEGER": table.Int, "INT": table.Int, "BIGINT": table.Int, "REAL": table.Float, "DOUBLE": table.Float, "FLOAT": table.Float,
		"BOOLEAN": table.Bool, "BOOL": table.Bool, "DATE": table.Date, "DATETIME": table.DateTime, "TIMESTAMP": table.DateTime,
	},
	typ: sqliteDecimal, tidy: hexadecimal("BLOB"), texts: sqliteTextsOf,
}

// sqliteDecimal is a column that is declared as a decimal: DECIMAL(10,2).
func sqliteDecimal(name string) (c table.Column) {
	stored := sqliteStored(column{typ: name})
	if stored.Type == table.Decimal {
		c.Type, c.Scale = stored.Type, stored.Scale
	}
	return c
}

// sqliteTextsOf are dates where all are written as dates.
func sqliteTextsOf(column []any) table.Type {
	for _, v := range column {
		s, ok := v.(string)
		if _, err := time.Parse(time.DateOnly, s); v != nil && (!ok || err != nil) {
			return table.Text
		}
	}
	return table.Date
}

// plainBind takes numbers as numbers.
func plainBind(v any) any {
	switch x := v.(type) {
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return n
		}
		if f, err := x.Float64(); err == nil {
			return f
		}
		return x.String()
	case float64:
		if n := int64(x); float64(n) == x {
			return n
		}
	case []any:
		raw, err := json.Marshal(x)
		if err != nil {
			return nil // JSON values always encode
		}
		return string(raw)
	}
	return v
}
