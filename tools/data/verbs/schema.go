package verbs

import "catena/tools"

// schema is a JSON schema, or several by their names.
type schema = map[string]any

// data is the argument that most verbs work on.
func data(about string) schema { return tools.DataSchema(about) }

func column(about string) schema { return schema{"type": "string", "description": about} }

func texts(about string) schema {
	return schema{"type": "array", "items": schema{"type": "string"}, "description": about}
}

func choice(about string, of ...string) schema {
	return schema{"type": "string", "enum": of, "description": about}
}

func integer(about string, least, most int) schema {
	return schema{"type": "integer", "minimum": least, "maximum": most, "description": about}
}

// periods are those that keys may cut dates into.
var periods = []string{"year", "quarter", "month", "week", "day", "decade", "hour", "month_of_year", "weekday"}

// keyItem is a column to group by.
func keyItem() schema {
	return schema{"anyOf": []any{
		schema{"type": "string"},
		schema{
			"type": "object",
			"properties": schema{
				"column": schema{"type": "string"},
				"period": schema{"type": "string", "enum": periods},
			},
			"required":             []string{"column"},
			"additionalProperties": false,
		},
	}}
}

// keyList is an argument of columns to group by.
func keyList(about string) schema {
	return schema{"type": "array", "maxItems": 8, "items": keyItem(),
		"description": about + " A column of dates may be cut: {\"column\": \"day\", \"period\": \"month\"}."}
}

// oneKey is an argument of one column to group by.
func oneKey(about string) schema {
	s := keyItem()
	s["description"] = about + " A column of dates may be cut: {\"column\": \"day\", \"period\": \"month\"}."
	return s
}

// sumSchema is what is made of amounts whose parts must add up.
func sumSchema() schema {
	return choice("sum where the values add up though they look as if they did not; rows are counted without a value.",
		"sum", "count")
}

// aggregateSchema is how the values of a group become one.
func aggregateSchema() schema {
	return choice("What is made of the values; a sum where they add up, the mean of rates.", functions...)
}
