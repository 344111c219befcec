package statement

import (
	"strings"

	"catena/planner/plan"
	"catena/query"
	"catena/table"
)

// Tables is the catalog of what a planner is told of tables.
type Tables []plan.TableInfo

// Schema is the columns of a table, by its name or handle.
func (t Tables) Schema(name string) (query.Schema, bool) {
	info, ok := t.find(name)
	if !ok {
		return nil, false
	}
	return schemaOf(info), true
}

func (t Tables) find(name string) (plan.TableInfo, bool) {
	for _, info := range t {
		if strings.EqualFold(info.Name, name) || info.Handle != "" && info.Handle == name {
			return info, true
		}
	}
	return plan.TableInfo{}, false
}

func schemaOf(info plan.TableInfo) query.Schema {
	s := make(query.Schema, len(info.Columns))
	for i, c := range info.Columns {
		t, _ := table.ParseType(c.Type)
		s[i].Column = table.Column{Name: c.Name, Type: t, Unit: c.Unit}
	}
	return s
}

// Tables are the names of all tables.
func (t Tables) Tables() []string {
	names := make([]string, len(t))
	for i, info := range t {
		names[i] = info.Name
	}
	return names
}
