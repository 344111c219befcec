package sql

// reserved words are never names unless they are quoted or stand behind a point.
var reserved = set("ALL", "AND", "AS", "ASC", "BETWEEN", "BY", "CROSS", "DESC", "DISTINCT", "ELSE", "EXCEPT",
	"FETCH", "FOR", "FROM", "GROUP",
	"HAVING", "IN", "INNER", "INTERSECT", "INTO", "IS", "ISNULL", "JOIN", "LATERAL", "LIMIT", "NATURAL", "NOT",
	"NOTNULL", "OFFSET", "ON", "OR", "ORDER",
	"OUTER", "SELECT", "THEN", "UNION", "USING", "WHEN", "WHERE", "WINDOW", "WITH")

// notAliases are words that end what an alias could follow; behind AS they are names all the same.
var notAliases = set("FULL", "LEFT", "RIGHT", "LIKE", "ILIKE", "GLOB", "REGEXP", "RLIKE", "SIMILAR", "COLLATE",
	"END", "NULLS", "TABLESAMPLE",
	"ESCAPE", "OVER", "FILTER", "WITHIN", "RETURNING")

// statements are the words that other statements than SELECT begin with, and what is said about them.
var statements = map[string]string{
	"INSERT": writes, "UPDATE": writes, "DELETE": writes, "REPLACE": writes, "MERGE": writes, "UPSERT": writes,
	"TRUNCATE": writes,
	"CREATE":   writes, "DROP": writes, "ALTER": writes, "REINDEX": writes, "VACUUM": writes, "COPY": writes,
	"GRANT": writes, "REVOKE": writes, "CLUSTER": writes, "COMMENT": writes,
	"PRAGMA": settings, "ATTACH": settings, "DETACH": settings, "SET": settings, "RESET": settings, "SHOW": settings,
	"USE": settings, "ANALYZE": settings, "INSTALL": settings, "LOAD": settings,
	"DESCRIBE": settings, "DESC": settings,
	"BEGIN": transactions, "COMMIT": transactions, "ROLLBACK": transactions, "SAVEPOINT": transactions,
	"RELEASE": transactions, "START": transactions, "END": transactions, "ABORT": transactions, "LOCK": transactions,
	"EXPLAIN": procedures, "CALL": procedures, "EXECUTE": procedures, "EXEC": procedures, "DO": procedures,
	"DECLARE": procedures, "PREPARE": procedures, "DEALLOCATE": procedures, "IMPORT": procedures,
	"EXPORT": procedures, "TABLE": "Write SELECT * FROM and the table.",
}

const (
	writes       = "Only SELECT can be asked here: nothing is written."
	settings     = "Only SELECT can be asked here: write a SELECT over the tables."
	transactions = "Only SELECT can be asked here: leave the transaction out."
	procedures   = "Only SELECT can be asked here: write the SELECT alone."
)

// Precedence of operators, from the loosest.
const (
	precOr = iota + 1
	precAnd
	precNot
	precEqual
	precOrdered
	precBits
	precAdd
	precMultiply
	precPower
	precJoin
	precCollate
	precSign
	precCast
)

type infix struct {
	prec int
	read func(p *parser, x node, op token, prec int) node
}

// infixes are the operators that stand behind an operand. NOT before IN, LIKE and BETWEEN is read by readNot.
var infixes map[string]infix

func init() { // the readers call the parser, which looks here
	infixes = map[string]infix{
		"OR": {precOr, (*parser).readLogic}, "AND": {precAnd, (*parser).readLogic},
		"=": {precEqual, (*parser).readCompare}, "==": {precEqual, (*parser).readCompare}, "<>": {precEqual,
			(*parser).readCompare}, "!=": {precEqual, (*parser).readCompare},
		"<": {precOrdered, (*parser).readCompare}, "<=": {precOrdered, (*parser).readCompare}, ">": {precOrdered,
			(*parser).readCompare}, ">=": {precOrdered, (*parser).readCompare},
		"<=>": {precEqual, (*parser).readSame},
		"IS":  {precEqual, (*parser).readIs}, "ISNULL": {precEqual, (*parser).readIsNull}, "NOTNULL": {precEqual,
			(*parser).readIsNull},
		"IN": {precEqual, (*parser).readIn}, "BETWEEN": {precEqual, (*parser).readBetween}, "NOT": {precEqual,
			(*parser).readNot},
		"LIKE": {precEqual, (*parser).readLike}, "ILIKE": {precEqual, (*parser).readLike}, "GLOB": {precEqual,
			(*parser).readLike}, "REGEXP": {precEqual, (*parser).readLike},
		"RLIKE": {precEqual, (*parser).readLike}, "SIMILAR": {precEqual, (*parser).readLike},
		"~": {precEqual, (*parser).readLike}, "~*": {precEqual, (*parser).readLike}, "!~": {precEqual,
			(*parser).readLike}, "!~*": {precEqual, (*parser).readLike},
		"~~": {precEqual, (*parser).readLike}, "~~*": {precEqual, (*parser).readLike}, "!~~": {precEqual,
			(*parser).readLike}, "!~~*": {precEqual, (*parser).readLike},
		"&": {precBits, (*parser).readBinary}, "|": {precBits, (*parser).readBinary}, "<<": {precBits,
			(*parser).readBinary}, ">>": {precBits, (*parser).readBinary},
		"->": {precJoin, (*parser).readBinary}, "->>": {precJoin, (*parser).readBinary}, "#>": {precJoin,
			(*parser).readBinary}, "#>>": {precJoin, (*parser).readBinary},
		"@>": {precBits, (*parser).readBinary}, "<@": {precBits, (*parser).readBinary},
		"+": {precAdd, (*parser).readBinary}, "-": {precAdd, (*parser).readBinary},
		"*": {precMultiply, (*parser).readBinary}, "/": {precMultiply, (*parser).readBinary}, "%": {precMultiply,
			(*parser).readBinary},
		"^": {precPower, (*parser).readBinary}, "||": {precJoin, (*parser).readBinary},
		"COLLATE": {precCollate, (*parser).readCollate}, "AT": {precCollate, (*parser).readZone},
		"::": {precCast, (*parser).readCast}, "[": {precCast, (*parser).readIndex},
	}
}

// postgres are words and signs that only PostgreSQL reads: DialectAuto takes its meaning where one stands as such.
var postgres = set("ILIKE", "::", "~*", "!~", "!~*", "~~", "~~*", "!~~", "!~~*", "INTERVAL", "EXTRACT")

// postgresFunctions are functions that SQLite does not have.
var postgresFunctions = set("date_trunc", "date_part", "to_char", "to_date", "to_timestamp", "age", "string_agg",
	"array_agg", "bool_and", "bool_or", "split_part", "make_date", "now",
	"percentile_cont", "percentile_disc", "regexp_replace", "date_bin", "initcap", "extract", "greatest", "least",
	"strpos")

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
