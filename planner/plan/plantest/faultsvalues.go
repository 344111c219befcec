package plantest

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// spelled writes a value that a model could write in its place. %s is the value.
func spelled(format string, kinds ...string) func(*maker) bool {
	return set(literalOf(kinds...), func(_ *maker, p place) any {
		return strings.ReplaceAll(format, "%s", fmt.Sprint(p.value()))
	})
}

// constant writes one value whatever was there.
func constant(v any, kinds ...string) func(*maker) bool {
	return set(literalOf(kinds...), func(*maker, place) any { return v })
}

// python writes a value as Python does.
func python(v any) string {
	s := written(v)
	return strings.NewReplacer(`"`, "'", "true", "True", "false", "False").Replace(s)
}

// grouped writes a number with commas between thousands.
func grouped(_ *maker, p place) any {
	n, _ := p.value().(float64)
	if n < 1000 || n >= 1e6 {
		return nil
	}
	s := strconv.FormatFloat(n, 'f', 2, 64)
	at := len(s) - 6
	return s[:at] + "," + s[at:]
}

var typeFaults = []fault{
	{"type", "number as a text", Meant, spelled("%s", number, integer)},
	{"type", "number with spaces", Meant, spelled(" %s ", number, integer)},
	{"type", "whole number with a point", Meant, spelled("%s.0", integer)},
	{"type", "thousands and cents", Meant, set(literalOf(number), grouped)},
	{"type", "thousands or a decimal comma", Refused, constant("1,234", number, integer)},
	{"type", "number with a unit", Either, spelled("%s km", number, integer)},
	{"type", "number with a currency", Either, spelled("$%s", number, integer)},
	{"type", "percentage", Refused, spelled("%s%", number, integer)},
	{"type", "about a number", Refused, spelled("~%s", number, integer)},
	{"type", "bound", Refused, spelled(">%s", number, integer)},
	{"type", "range", Refused, constant("5-7", number, integer)},
	{"type", "sum", Refused, spelled("%s + 1", number, integer)},
	{"type", "part of a whole number", Refused, constant("2.5", integer)},
	{"type", "leading zeros", Refused, constant("007", integer)},
	{"type", "boolean as a text", Meant, spelled("%s", boolean)},
	{"type", "boolean of Python", Meant, set(literalOf(boolean), func(_ *maker, p place) any { return python(p.value()) })},
	{"type", "yes and no", Either, set(literalOf(boolean), func(_ *maker, p place) any { return map[any]string{true: "yes", false: "no"}[p.value()] })},
	{"type", "boolean as 0 and 1", Either, set(literalOf(boolean), func(_ *maker, p place) any { return map[any]int{true: 1, false: 0}[p.value()] })},
	{"type", "maybe", Refused, constant("maybe", boolean)},
	{"type", "number for a text", Meant, func(m *maker) bool {
		p, ok := m.find(literalOf(text))
		if !ok {
			return false
		}
		p.in[p.field.name], p.same[p.field.name] = 75001, "75001"
		return true
	}},
	{"type", "object for a text", Refused, constant(object{"a": "b", "c": "d"}, text)},
	{"type", "list as JSON in a text", Meant, set(literalOf(list), func(_ *maker, p place) any { return written(p.value()) })},
	{"type", "list as Python in a text", Meant, set(literalOf(list), func(_ *maker, p place) any { return python(p.value()) })},
	{"type", "object as JSON in a text", Meant, set(literalOf(record), func(_ *maker, p place) any { return written(p.value()) })},
	{"type", "text for an object", Refused, constant("Main Street 5, third floor", record)},
	{"type", "numbers in a list as texts", Meant, set(func(p place) bool { return p.field.kind == list && p.field.items == number }, func(_ *maker, p place) any {
		var out []any
		for _, e := range p.value().([]any) {
			out = append(out, fmt.Sprint(e))
		}
		return out
	})},
	{"type", "null where it may be left out", Meant, func(m *maker) bool {
		p, ok := m.find(func(p place) bool { return !p.field.required })
		if ok {
			p.in[p.field.name] = nil
			delete(p.same, p.field.name)
		}
		return ok
	}},
}

// without leaves out a required argument that fits.
func without(fits func(place) bool) func(*maker) bool {
	return func(m *maker) bool {
		p, ok := m.find(func(p place) bool { return p.field.required && fits(p) })
		if ok {
			delete(p.in, p.field.name)
		}
		return ok
	}
}

// tables counts the tables that the steps before the ith give.
func (m *maker) tables(i int) int {
	n := 0
	for _, t := range m.used[:i] {
		if t.out != nil {
			n++
		}
	}
	return n
}

// neededText writes a text in the place of a required one, %s being the argument's name. Within an object a word may be a value of data, such
// as "unknown"; there only what names the field stands for it.
func neededText(v string) func(*maker) bool {
	named := strings.Contains(v, "%s")
	return func(m *maker) bool {
		return set(func(p place) bool {
			_, outer := m.args(p.step)[p.field.name]
			return p.field.required && literalOf(text)(p) && (outer || named)
		}, func(_ *maker, p place) any { return strings.ReplaceAll(v, "%s", p.field.name) })(m)
	}
}

var missingFaults = []fault{
	{"missing value", "left out", Refused, without(literalOf(text, number, integer, boolean, list, record, day))},
	{"missing value", "enum left out", Refused, without(enumOf)},
	{"missing value", "the only table left out", Either, func(m *maker) bool {
		return without(func(p place) bool { return p.field.kind == table && m.tables(p.step) == 1 })(m)
	}},
	{"missing value", "null", Refused, set(func(p place) bool { return p.field.required }, func(m *maker, p place) any {
		p.in[p.field.name] = nil
		m.text = written(m.plan)
		return p.same[p.field.name]
	})},
	{"missing value", "name in angle brackets", Refused, neededText("<%s>")},
	{"missing value", "name in braces", Refused, neededText("{%s}")},
	{"missing value", "name in brackets", Refused, neededText("[%s]")},
	{"missing value", "your_", Refused, neededText("your_%s")},
	{"missing value", "TODO", Refused, neededText("TODO")},
	{"missing value", "N/A", Refused, neededText("N/A")},
	{"missing value", "dots", Refused, neededText("...")},
	{"missing value", "unknown", Refused, neededText("unknown")},
	{"missing value", "to be asked", Refused, neededText("to be determined")},
}

// date writes a day in another layout.
func date(layout string) func(*maker) bool {
	return set(literalOf(day), func(_ *maker, p place) any {
		t, err := time.Parse(time.DateOnly, p.value().(string))
		if err != nil {
			return nil
		}
		return t.Format(layout)
	})
}

func bounded(v any) func(*maker) bool {
	return set(func(p place) bool { return p.field.high > 0 && p.field.kind == integer }, func(*maker, place) any { return v })
}

var formatFaults = []fault{
	{"format", "midnight", Meant, date("2006-01-02T00:00:00Z")},
	{"format", "slashes, year first", Meant, date("2006/01/02")},
	{"format", "month in words", Meant, date("January 2, 2006")},
	{"format", "day first, month in words", Meant, date("2 January 2006")},
	{"format", "short month", Meant, date("Jan 2, 2006")},
	{"format", "compact", Either, date("20060102")},
	{"format", "day that can be no month", Either, date("02.01.2006")},
	{"format", "an hour of the day", Refused, constant("2025-03-05T14:30:00Z", day)},
	{"format", "day or month", Refused, constant("05/03/2025", day)},
	{"format", "no such day", Refused, constant("2025-02-30", day)},
	{"format", "no day", Refused, date("January 2006")},
	{"format", "relative day", Refused, constant("yesterday", day)},
	{"format", "too large", Refused, bounded(100000)},
	{"format", "too small", Refused, bounded(-3)},
	{"format", "too large, as a text", Refused, bounded("9999")},
}

var listFaults = []fault{
	{"list or one", "one value for a list", Meant, set(literalOf(list), func(_ *maker, p place) any {
		if l, ok := p.value().([]any); ok && len(l) == 1 {
			return l[0]
		}
		return nil
	})},
	{"list or one", "list of one", Meant, set(literalOf(text, number, integer, boolean, day), func(_ *maker, p place) any { return []any{p.value()} })},
	{"list or one", "enum in a list", Meant, set(enumOf, func(_ *maker, p place) any { return []any{p.value()} })},
	{"list or one", "list of two", Refused, set(literalOf(text, number, integer), func(m *maker, p place) any { return []any{p.value(), m.literal(p.field)} })},
	{"list or one", "list of none", Refused, set(func(p place) bool { return p.field.required && literalOf(text, number, integer)(p) },
		func(*maker, place) any { return []any{} })},
	{"list or one", "names in a text", Refused, constant("lemon, steel", list)},
	{"list or one", "list in a list", Either, set(literalOf(list), func(_ *maker, p place) any { return []any{p.value()} })},
	{"list or one", "object by places", Either, set(literalOf(list), func(_ *maker, p place) any {
		out := object{}
		for i, e := range p.value().([]any) {
			out[strconv.Itoa(i)] = e
		}
		return out
	})},
	{"list or one", "object with the value", Either, set(literalOf(text, number, integer), func(_ *maker, p place) any { return object{"value": p.value()} })},
	{"list or one", "reference in a list", Meant, set(refOf(text, number, table), func(_ *maker, p place) any { return []any{p.value()} })},
	{"list or one", "list of a step in a list", Either, set(refOf(list), func(_ *maker, p place) any { return []any{p.value()} })},
}

// inArgs replaces the arguments of a step.
func inArgs(to func(m *maker, i int, args object) any) func(*maker) bool {
	return func(m *maker) bool {
		i := m.r.IntN(len(m.used))
		if len(m.args(i)) == 0 {
			return false
		}
		m.step(i)["args"] = to(m, i, m.args(i))
		return m.step(i)["args"] != nil
	}
}

func under(key string) func(*maker) bool {
	return inArgs(func(_ *maker, _ int, args object) any { return object{key: args} })
}

var wrapFaults = []fault{
	{"wrapped arguments", "arguments", Meant, under("arguments")},
	{"wrapped arguments", "input", Meant, under("input")},
	{"wrapped arguments", "parameters", Meant, under("parameters")},
	{"wrapped arguments", "kwargs", Meant, under("kwargs")},
	{"wrapped arguments", "the tool's name", Meant, inArgs(func(m *maker, i int, args object) any { return object{m.used[i].name: args} })},
	{"wrapped arguments", "twice", Either, inArgs(func(_ *maker, _ int, args object) any { return object{"input": object{"arguments": args}} })},
	{"wrapped arguments", "as JSON in a text", Meant, inArgs(func(_ *maker, _ int, args object) any { return written(args) })},
	{"wrapped arguments", "as JSON below a key", Either, inArgs(func(_ *maker, _ int, args object) any { return object{"arguments": written(args)} })},
	{"wrapped arguments", "names and values", Either, inArgs(func(_ *maker, _ int, args object) any {
		var out []any
		for k, v := range args {
			out = append(out, object{"name": k, "value": v})
		}
		return out
	})},
	{"wrapped arguments", "a list of one object", Either, inArgs(func(_ *maker, _ int, args object) any { return []any{args} })},
	{"wrapped arguments", "by their places", Refused, inArgs(func(_ *maker, _ int, args object) any {
		var out []any
		for _, v := range args {
			out = append(out, v)
		}
		return out
	})},
	{"wrapped arguments", "beside the tool", Meant, func(m *maker) bool {
		i := m.r.IntN(len(m.used))
		s := m.step(i)
		for k, v := range m.args(i) {
			if s[k] != nil || k == "name" || k == "type" || k == "description" || k == "title" || k == "status" || k == "content" || k == "index" {
				return false
			}
			s[k] = v
		}
		ok := len(m.args(i)) > 0
		delete(s, "args")
		return ok
	}},
	{"wrapped arguments", "with company", Refused, inArgs(func(_ *maker, _ int, args object) any { return object{"input": args, "mode": "fast"} })},
}
