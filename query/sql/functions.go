package sql

import (
	"maps"
	"slices"

	"catena/query"
	"catena/table"
)

// functions of both dialects, by name in lower case. They are filled by init, as some of them call the lowerer,
// which looks here.
var functions map[string]*function

var functionNames []string

// windows are functions that only stand with OVER.
var windows = map[string]aggregateOf{
	"row_number": {do: "row_number"}, "rank": {do: "rank"}, "dense_rank": {do: "dense_rank"},
	"percent_rank": {do: "percent_rank"}, "cume_dist": {do: "cume_dist"}, "ntile": {do: "ntile", least: 1, most: 1},
	"lag": {do: "lag", least: 1, most: 3}, "lead": {do: "lead", least: 1, most: 3},
	"first_value": {do: "first_value", least: 1, most: 1}, "last_value": {do: "last_value", least: 1, most: 1},
	"nth_value": {do: "nth_value", least: 2, most: 2},
}

// aggregates of both dialects.
var aggregates = map[string]aggregateOf{
	"count": {do: "count", most: 1},
	"sum":   {do: "sum", kinds: "n", least: 1, most: 1}, "avg": {do: "mean", kinds: "n", least: 1, most: 1},
	"mean": {do: "mean", kinds: "n", least: 1, most: 1},
	"min":  {do: "min", least: 1, most: 1}, "max": {do: "max", least: 1, most: 1},
	"median": {do: "median", kinds: "n", least: 1, most: 1}, "mode": {do: "mode", most: 1},
	"percentile_cont": {do: "quantile", kinds: "n", least: 1, most: 2}, "percentile": {do: "quantile", kinds: "n",
		least: 2, most: 2},
	"stddev": {do: "stddev", kinds: "n", least: 1, most: 1}, "stddev_samp": {do: "stddev", kinds: "n", least: 1,
		most: 1},
	"stddev_pop": {do: "stddev_pop", kinds: "n", least: 1, most: 1}, "variance": {do: "variance", kinds: "n", least: 1,
		most: 1},
	"var_samp": {do: "variance", kinds: "n", least: 1, most: 1}, "var_pop": {do: "variance_pop", kinds: "n", least: 1,
		most: 1},
	"corr": {do: "corr", kinds: "n", least: 2, most: 2}, "regr_slope": {do: "slope", kinds: "n", least: 2, most: 2},
	"regr_intercept": {do: "intercept", kinds: "n", least: 2, most: 2},
	"bool_and":       {do: "every", kinds: "c", least: 1, most: 1}, "every": {do: "every", kinds: "c", least: 1,
		most: 1},
	"bool_or":    {do: "any", kinds: "c", least: 1, most: 1},
	"any_value":  {do: "first", least: 1, most: 1},
	"string_agg": {do: "list", least: 2, most: 2}, "group_concat": {do: "list", least: 1, most: 2, make: byComma},
	"total": {do: "sum", kinds: "n", least: 1, most: 1, make: orZero},
}

// byComma is the separator of group_concat where none is written.
func byComma(_ *lowerer, _ *callNode, a *query.Aggregate) func(query.Expr) query.Expr {
	if len(a.Args) == 1 {
		a.Args = append(a.Args, query.Lit(table.TextValue(",")))
	}
	return nil
}

// orZero is SQLite's total: 0.0 of no values.
func orZero(*lowerer, *callNode, *query.Aggregate) func(query.Expr) query.Expr {
	return func(e query.Expr) query.Expr { return query.Do("coalesce", e, query.Lit(table.FloatValue(0))) }
}

// Hints of functions that are not read.
const (
	noFiles  = "name a table that is listed"
	noSeries = "group by DATE_TRUNC or strftime; days without rows are filled in afterwards"
	noArrays = "use STRING_AGG or GROUP_CONCAT"
	noRandom = "order by a column: the same question has the same answer"
	noJSON   = "JSON is not read inside a query"
	noSystem = "only the tables' own data can be asked for"
)

// refused are functions that are known and not read, by their hint.
var refused = map[string][]string{
	noFiles: {"load_extension", "readfile", "writefile", "pg_read_file", "pg_ls_dir", "lo_import", "read_csv",
		"read_parquet",
		"read_json", "pg_read_binary_file", "edit", "fts3_tokenizer", "dblink", "query_to_xml", "read_text", "glob"},
	noSeries: {"generate_series", "unnest"},
	noArrays: {"array_agg", "array_length", "array_to_string", "string_to_array", "regexp_split_to_array", "json_agg",
		"json_group_array"},
	noRandom: {"random", "randomblob", "setseed", "gen_random_uuid", "uuid"},
	noJSON: {"json", "json_extract", "json_each", "json_object", "json_array", "to_json", "jsonb_build_object",
		"row_to_json"},
	noSystem: {"pg_sleep", "version", "sqlite_version", "current_setting", "set_config", "pg_terminate_backend",
		"last_insert_rowid",
		"changes", "nextval", "currval", "current_user", "user", "database"},
	"write SUBSTR, INSTR and REPLACE": {"regexp_matches", "regexp_match", "regexp_substr", "translate",
		"overlay"},
	"write UPPER or LOWER": {"initcap"},
	"compare the value itself": {"typeof", "hex", "unhex", "quote", "zeroblob", "md5", "sha256",
		"soundex"},
	"write PERCENTILE_CONT":               {"percentile_disc"},
	"write DATE_TRUNC, or BIN on numbers": {"date_bin", "width_bucket"},
	"write make_date, or a text cast to a type": {"make_timestamp", "make_interval", "make_time", "justify_days",
		"justify_interval"},
	"write one SELECT for each grouping":         {"grouping"},
	"write a condition for each of the settings": {"likelihood", "likely", "unlikely"},
}

func init() {
	functions = map[string]*function{
		"abs": {do: "abs", kinds: "n", least: 1, most: 1}, "sign": {do: "sign", kinds: "n", least: 1, most: 1},
		"ceil": {do: "ceil", kinds: "n", least: 1, most: 1}, "ceiling": {do: "ceil", kinds: "n", least: 1, most: 1},
		"floor": {do: "floor", kinds: "n", least: 1, most: 1}, "round": {do: "round", kinds: "n", least: 1, most: 2},
		"trunc": {kinds: "n", least: 1, most: 1, make: truncated}, "truncate": {kinds: "n", least: 1, most: 1,
			make: truncated},
		"exp": {do: "exp", kinds: "n", least: 1, most: 1}, "ln": {do: "ln", kinds: "n", least: 1, most: 1},
		"log": {kinds: "n", least: 1, most: 2, make: logarithm}, "log10": {do: "log10", kinds: "n", least: 1, most: 1},
		"log2": {do: "log2", kinds: "n", least: 1, most: 1}, "sqrt": {do: "sqrt", kinds: "n", least: 1, most: 1},
		"power": {do: "power", kinds: "n", least: 2, most: 2}, "pow": {do: "power", kinds: "n", least: 2, most: 2},
		"mod": {do: "mod", kinds: "n", least: 2, most: 2}, "div": {do: "idiv", kinds: "n", least: 2, most: 2},
		"pi": {do: "pi"}, "sin": {do: "sin", kinds: "n", least: 1, most: 1}, "cos": {do: "cos", kinds: "n", least: 1,
			most: 1},
		"tan": {do: "tan", kinds: "n", least: 1, most: 1}, "asin": {do: "asin", kinds: "n", least: 1, most: 1},
		"acos": {do: "acos", kinds: "n", least: 1, most: 1}, "atan": {do: "atan", kinds: "n", least: 1, most: 1},
		"atan2": {do: "atan2", kinds: "n", least: 2, most: 2}, "radians": {do: "radians", kinds: "n", least: 1, most: 1},
		"degrees":  {do: "degrees", kinds: "n", least: 1, most: 1},
		"greatest": {do: "greatest", least: 1, most: -1}, "least": {do: "least", least: 1, most: -1},
		"max": {least: 2, most: -1, make: extremeOf("greatest")}, "min": {least: 2, most: -1, make: extremeOf("least")},

		"lower": {do: "lower", kinds: "t", least: 1, most: 1}, "upper": {do: "upper", kinds: "t", least: 1, most: 1},
		"trim": {do: "trim", kinds: "t", least: 1, most: 2}, "btrim": {do: "trim", kinds: "t", least: 1, most: 2},
		"ltrim": {do: "ltrim", kinds: "t", least: 1, most: 2}, "rtrim": {do: "rtrim", kinds: "t", least: 1, most: 2},
		"reverse": {do: "reverse", kinds: "t", least: 1, most: 1}, "length": {do: "length", kinds: "t", least: 1, most: 1},
		"char_length": {do: "length", kinds: "t", least: 1, most: 1}, "character_length": {do: "length", kinds: "t",
			least: 1, most: 1},
		"len":    {do: "length", kinds: "t", least: 1, most: 1},
		"substr": {do: "substring", kinds: "tn", least: 2, most: 3}, "substring": {do: "substring", kinds: "tn", least: 2,
			most: 3},
		"left": {kinds: "tn", least: 2, most: 2, make: leftOf}, "right": {kinds: "tn", least: 2, most: 2, make: rightOf},
		"replace": {do: "replace", kinds: "t", least: 3, most: 3}, "regexp_replace": {kinds: "t", least: 3, most: 4,
			make: regexpReplace},
		"instr": {do: "position", kinds: "t", least: 2, most: 2}, "strpos": {do: "position", kinds: "t", least: 2, most: 2},
		"split_part": {do: "split", kinds: "ttn", least: 3, most: 3}, "repeat": {do: "repeat", kinds: "tn", least: 2,
			most: 2},
		"lpad": {do: "lpad", kinds: "tnt", least: 2, most: 3}, "rpad": {do: "rpad", kinds: "tnt", least: 2, most: 3},
		"concat": {do: "concat", least: 1, most: -1}, "concat_ws": {least: 2, most: -1, make: concatWith},
		"chr": {do: "chr", kinds: "n", least: 1, most: 1}, "char": {do: "chr", kinds: "n", least: 1, most: 1},
		"ascii": {do: "ascii", kinds: "t", least: 1, most: 1}, "unicode": {do: "ascii", kinds: "t", least: 1, most: 1},
		"starts_with": {do: "starts_with", kinds: "t", least: 2, most: 2}, "regexp_like": {do: "matches", kinds: "t",
			least: 2, most: 2},
		"printf": {least: 1, most: -1, make: printed}, "format": {least: 1, most: -1, make: printed},

		"coalesce": {least: 1, most: -1, make: firstKnown}, "ifnull": {least: 2, most: 2, make: firstKnown},
		"nvl": {least: 2, most: 2, make: firstKnown}, "nullif": {least: 2, most: 2, make: nullIf},
		"iif": {kinds: "c-", least: 2, most: 3, make: ifElse}, "if": {kinds: "c-", least: 3, most: 3, make: ifElse},

		"date": {most: -1, make: dateOf}, "datetime": {most: -1, make: dateTimeOf}, "time": {most: -1, make: timeOf},
		"julianday": {most: -1, make: julianDay}, "unixepoch": {most: -1, make: unixEpoch}, "strftime": {least: 1,
			most: -1, make: strftime},
		"date_trunc": {kinds: "-m", least: 2, most: 3, make: dateTrunc}, "date_part": {least: 2, most: 2, make: extract},
		"extract": {least: 2, most: 2, make: extract}, "age": {kinds: "m", least: 1, most: 2, make: age},
		"to_char": {least: 2, most: 2, make: toChar}, "to_date": {least: 2, most: 2, make: toDate},
		"to_timestamp": {least: 1, most: 2, make: toDate}, "make_date": {do: "make_date", kinds: "n", least: 3, most: 3},
		"now": {make: instant}, "current_timestamp": {most: 1, make: instant}, "localtimestamp": {most: 1, make: instant},
		"statement_timestamp": {make: instant}, "transaction_timestamp": {make: instant},
		"clock_timestamp": {make: instant},
		"current_date":    {make: today}, "curdate": {make: today}, "current_time": {make: clock},
		"localtime": {make: clock},
		"datediff":  {kinds: "m", least: 2, most: 2, make: dateDiff},
	}
	for _, unit := range []string{"year", "quarter", "month", "week", "day", "hour", "minute", "second"} {
		functions[unit] = &function{kinds: "m", least: 1, most: 1, make: partOf(unit)}
	}
	for hint, names := range refused {
		for _, name := range names {
			functions[name] = &function{hint: hint}
		}
	}
	functionNames = slices.Sorted(maps.Keys(functions))
	functionNames = append(functionNames, slices.Sorted(maps.Keys(aggregates))...)
}
