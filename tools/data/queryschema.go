package data

import (
	"encoding/json"
	"slices"
)

// querySchema describes plan.Query to clients and models; plan.ParseQuery is the check that counts.
var querySchema = json.RawMessage(`{
  "type": "object",
  "properties": {
    "table": {"type": "string", "description": "name or handle of the table to ask; or give data"},
    "data": {"description": "a table: a handle, a reference to an earlier step, records, or CSV text"},
    "sql": {"type": "string", "maxLength": 65536, "description": "in place of all others but tables: one SELECT statement as SQLite or PostgreSQL have it; FROM names listed tables, handles and what tables names"},
    "query": {"type": "object", "description": "for programs, in place of sql: a query of the algebra"},
    "tables": {"type": "object", "maxProperties": 64, "description": "beside sql: names that FROM may use, each with a table's name, a handle or a reference to an earlier step"},
    "select": {"type": "array", "description": "columns to show, or aggregates of them", "items": {"anyOf": [
      {"type": "string"},
      {"type": "object", "properties": {
        "expr": {"type": "string", "enum": ["sum", "mean", "median", "min", "max", "count", "count_distinct", "stddev", "first", "last", "share"]},
        "column": {"type": "string"}, "as": {"type": "string"},
        "period": {"type": "string", "enum": ["year", "quarter", "month", "week", "day", "decade", "hour", "month_of_year", "weekday"]},
        "filter": {"type": "array", "items": {"$ref": "#/$defs/condition"}}},
       "additionalProperties": false}]}},
    "filter": {"type": "array", "description": "conditions on rows that must all hold", "items": {"$ref": "#/$defs/condition"}},
    "group_by": {"type": "array", "items": {"anyOf": [
      {"type": "string"},
      {"type": "object", "properties": {"column": {"type": "string"}, "as": {"type": "string"},
        "period": {"type": "string", "enum": ["year", "quarter", "month", "week", "day", "decade", "hour", "month_of_year", "weekday"]}},
       "required": ["column"], "additionalProperties": false}]}},
    "having": {"type": "array", "description": "conditions on result columns", "items": {"$ref": "#/$defs/condition"}},
    "order_by": {"type": "array", "items": {"anyOf": [{"type": "string"},
      {"type": "object", "properties": {"column": {"type": "string"}, "desc": {"type": "boolean"}}, "required": ["column"], "additionalProperties": false}]}},
    "limit": {"type": "integer", "minimum": 0},
    "limit_by": {"type": "array", "description": "the limit holds within each combination of these columns", "items": {"type": "string"}},
    "with_ties": {"type": "boolean"},
    "offset": {"type": "integer", "minimum": 0},
    "distinct": {"type": "boolean"},
    "union": {"type": "array", "maxItems": 64, "description": "names of tables with the same columns, whose rows are added", "items": {"type": "string"}},
    "join": {"type": "array", "items": {"type": "object", "properties": {"table": {"type": "string"},
      "on": {"type": "array", "items": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}},
      "how": {"type": "string", "enum": ["inner", "left"]}}, "required": ["table", "on"], "additionalProperties": false}},
    "derive": {"type": "array", "description": "computed columns", "items": {"type": "object", "properties": {"as": {"type": "string"},
      "op": {"type": "string", "enum": ["add", "sub", "mul", "div", "abs_diff", "percent", "more", "less", "same", "number", "year", "row"],
        "description": "number and year read the text of left; more, less and same are true or false; row is the place of the row, from 1"}, "left": {"type": ["string", "number"]}, "right": {"type": ["string", "number"]}},
      "required": ["as", "op"], "additionalProperties": false}},
    "share_of_total": {"type": "string", "description": "adds <column>_share in percent of the column's sum"},
    "rank_by": {"type": "string", "description": "adds rank, 1 for the largest"},
    "change": {"type": "object", "description": "compares the last row along order with the first, or with every each row with the one before", "properties": {"column": {"type": "string"}, "order": {"type": "string"},
      "by": {"type": "array", "items": {"type": "string"}}, "every": {"type": "boolean"}}, "required": ["column", "order"], "additionalProperties": false},
    "beside": {"type": "object", "description": "keeps the rows that stand offset rows behind those that meet filter: 1 the next, -1 the one before",
      "properties": {"filter": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/condition"}}, "offset": {"type": "integer"}}, "required": ["filter", "offset"], "additionalProperties": false}
  },
  "additionalProperties": false,
  "$defs": {"condition": {"type": "object", "properties": {
    "column": {"type": "string"},
    "period": {"type": "string", "enum": ["year", "quarter", "month", "week", "day", "decade", "hour", "month_of_year", "weekday"]},
    "op": {"type": "string", "enum": ["eq", "ne", "lt", "le", "gt", "ge", "between", "in", "not_in", "contains", "not_contains", "starts_with", "ends_with", "is_null", "not_null"]},
    "value": {"description": "a scalar, a list, {column} or {expr, column, filter}; dates as 2005, 2005-Q1, 2005-03 or 2005-03-01"},
    "any": {"type": "array", "items": {"$ref": "#/$defs/condition"}}},
    "additionalProperties": false}}
}`)

// QuerySchema is the input schema of query_table.
func QuerySchema() json.RawMessage { return slices.Clone(querySchema) }
