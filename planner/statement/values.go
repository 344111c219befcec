package statement

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// equalTo matches the column that a text is held equal to, up to the text's quote.
var equalTo = regexp.MustCompile(`(?is)"?(\w+)"?\s*={1,2}\s*$`)

// impossible finds texts that a statement holds a column equal to though no row has them: an answer would be nothing,
// and look like one. Only columns are looked at of which all values are listed to the model.
func (c *catalog) impossible(text string) plan.Findings {
	var tables Tables
	for _, name := range plan.SQLTables(text) {
		if info, ok := c.listed.find(name); ok {
			tables = append(tables, info)
		}
	}
	var found plan.Findings
	r := rewriting{text: text}
	r.names.Value = func(value string, bare bool) (string, bool) {
		if m := equalTo.FindStringSubmatch(text[:r.from]); m != nil && !bare {
			found = append(found, lacking(tables, m[1], value)...)
		}
		return "", false
	}
	for r.at < len(text) {
		r.next()
	}
	return found
}

// lacking is the finding that no row of the tables has a value in a column; nil where one may have it.
func lacking(tables Tables, column, value string) plan.Findings {
	var found plan.Findings
	for _, info := range tables {
		for _, col := range info.Columns {
			if !strings.EqualFold(col.Name, column) {
				continue
			}
			whole := info.Trusted && len(col.Values) > 0 && len(col.Values) == col.Distinct
			same := func(v string) bool { return strings.EqualFold(strings.TrimSpace(v), strings.TrimSpace(value)) }
			if !whole || slices.ContainsFunc(col.Values, same) {
				return nil
			}
			found = plan.Findings{{Code: plan.Enum, Message: fmt.Sprintf(
				"no row has %q in %s; its values are %s", value, col.Name, quotedList(col.Values))}}
		}
	}
	return found
}

func quotedList(values []string) string {
	const most = 30
	out := make([]string, 0, min(len(values), most))
	for _, v := range values[:min(len(values), most)] {
		out = append(out, fmt.Sprintf("%q", v))
	}
	return strings.Join(out, ", ")
}

// lackingFilter is the same for the conditions of a query in the tool's JSON.
func lackingFilter(info plan.TableInfo, conditions any) plan.Findings {
	items, _ := conditions.([]any)
	var found plan.Findings
	for i, item := range items {
		m, _ := item.(map[string]any)
		column, _ := m["column"].(string)
		value, isText := m["value"].(string)
		if op, _ := m["op"].(string); op != "eq" || !isText {
			continue
		}
		for _, f := range lacking(Tables{info}, column, value) {
			f.Path = fmt.Sprintf("/filter/%d/value", i)
			found = append(found, f)
		}
	}
	return found
}
