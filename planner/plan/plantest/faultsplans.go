package plantest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// refText is the text of a reference.
func refText(p place) string { return p.value().(object)["$ref"].(string) }

// cut splits a reference into its step and its field.
func cut(ref string) (step, part string) {
	step, part, _ = strings.Cut(ref, ".")
	return step, part
}

// inForm writes a reference in a form: %r is all of it, %s its step, %f its field, %n the step's number.
func inForm(form string, kinds ...string) func(*maker) bool {
	return set(refOf(kinds...), func(_ *maker, p place) any { return formed(form, p) })
}

func formed(form string, p place) string {
	step, part := cut(refText(p))
	return strings.NewReplacer("%r", refText(p), "%s", step, "%f", part, "%n", step[1:]).Replace(form)
}

// asObject writes a reference as an object of texts in forms.
func asObject(forms object, kinds ...string) func(*maker) bool {
	return set(refOf(kinds...), func(_ *maker, p place) any {
		out := object{}
		for k, form := range forms {
			out[k] = formed(form.(string), p)
		}
		return out
	})
}

func refFaults() []fault {
	var out []fault
	all := []string{text, number, table, list}
	for _, form := range strings.Fields("{{%r}} ${%r} $%r <%r> $.%r {%r} {{steps.%r}} {{%s.result.%f}} {{%s.output.%f}} ${steps.%r}") {
		out = append(out, fault{"reference form", form, Meant, inForm(form, all...)})
	}
	out = append(out, fault{"reference form", "{{ %r }}", Meant, inForm("{{ %r }}", all...)})
	for _, form := range strings.Fields("$%r") {
		out = append(out, fault{"reference form", "in $ref: " + form, Either, asObject(object{"$ref": form}, all...)})
	}
	for _, form := range []string{"{{%r}}", "#/%s/%f", " %r ", "steps.%r", "S%n.%f", "step%n.%f", "%s.result.%f"} {
		out = append(out, fault{"reference form", "in $ref: " + form, Meant, asObject(object{"$ref": form}, all...)})
	}
	for _, form := range []string{"{{outputs['%s']['%f']}}", "{{steps[%n].%f}}", "@%r", "[[%r]]", "%r", "<<%r>>", "result of %s"} {
		out = append(out, fault{"reference form", "in a table's place: " + form, Either, inForm(form, table)})
	}
	return append(out, []fault{
		{"reference form", "step and field", Meant, asObject(object{"step": "%s", "field": "%f"}, all...)},
		{"reference form", "$ref and path", Meant, asObject(object{"$ref": "%s", "path": "%f"}, all...)},
		{"reference form", "from_step and output", Meant, asObject(object{"from_step": "%s", "output": "%f"}, all...)},
		{"reference form", "$ref and a default", Refused, asObject(object{"$ref": "%r", "default": "7"}, all...)},
		{"reference form", "field in another case", Meant, asObject(object{"$ref": "%s.RESULT_TABLE"}, table)},
		{"reference form", "whole result for its table", Meant, asObject(object{"$ref": "%s"}, table)},
		{"reference form", "field that is not there", Refused, asObject(object{"$ref": "%s.zzyzx"}, all...)},
		{"reference form", "field that is not there, as a text", Refused, inForm("{{%s.zzyzx}}", all...)},
		{"reference form", "step that is not there", Refused, asObject(object{"$ref": "s99.%f"}, all...)},
		{"reference form", "step that is not there, as a text", Refused, inForm("{{s99.%f}}", all...)},
		{"reference form", "field of another kind", Refused, asObject(object{"$ref": "%s.total"}, table)},
		{"reference form", "table for a number", Refused, asObject(object{"$ref": "%s.result_table"}, number)},
		{"reference form", "file for a table", Refused, set(refOf(table), func(*maker, place) any { return "orders.csv" })},
		{"reference form", "inside a text", Meant, func(m *maker) bool {
			p, ok := m.find(refOf(text))
			if ok {
				p.same[p.field.name] = object{"$concat": []any{"About: ", p.value(), "!"}}
				p.in[p.field.name] = formed("About: {{%r}}!", p)
			}
			return ok
		}},
	}...)
}

// expressionFaults compute with a reference, which the plan language cannot.
var expressionFaults = func() []fault {
	var out []fault
	for _, form := range []string{"{{%r}} * 2", "{{%r * 2}}", "{{%r}} + {{%r}}", "${%r} - 1", "-{{%r}}", "{{%r}}%", "max({{%r}}, 3)", "{{%r | round}}", "{{%r || 5}}", "{{%r or 5}}",
		"{{%r}} or 5", "$%r * 2", "=%r*2", "%r * 2", "%r + 1", "{{round(%r)}}", "int({{%r}})", "{{%r}}.5", "{{%r ? 1 : 2}}", "about {{%r}}", "1{{%r}}"} {
		out = append(out, fault{"expression", form + " for a number", Refused, inForm(form, number)})
	}
	for _, form := range []string{"{{%r | upper}}", "{{%r.upper()}}", "{{%r if %s else 'x'}}", "${%r.trim()}", "{{%r || 'none'}}", "{{upper(%r)}}", "{{%r}}.upper()", "{{%r}}[0:5]", "{{%r}} + ' km'"} {
		out = append(out, fault{"expression", form + " for a text", Refused, inForm(form, text)})
	}
	for _, form := range []string{"{{%r}}.head(5)", "{{%r}} and {{%r}}", "filtered {{%r}}", "{{%r.filter(x > 3)}}", "%r[0:5]", "{{%r | sort}}"} {
		out = append(out, fault{"expression", form + " for a table", Refused, inForm(form, table)})
	}
	for _, form := range []string{"{{%r}}[0:2]", "{{%r}} + ['x']", "{{%r | sort}}", "{{%r}}, lemon", "{{%r.map(x)}}"} {
		out = append(out, fault{"expression", form + " for a list", Refused, inForm(form, list)})
	}
	add := object{"$add": []any{object{"$ref": "s1.total"}, 1}}
	out = append(out, fault{"expression", "object for a number", Refused, set(refOf(number), func(*maker, place) any { return add })},
		fault{"expression", "concatenation for a number", Refused, set(refOf(number), func(_ *maker, p place) any { return object{"$concat": []any{p.value(), "0"}} })},
		fault{"expression", "in a boolean's place", Refused, constant("{{s1.total}} > 5", boolean)},
		fault{"expression", "in a whole number's place", Refused, constant("{{s1.total}} / 2", integer)},
		fault{"expression", "in a day's place", Refused, constant("{{s1.summary}} + 1 day", day)})
	return out
}()

var orderFaults = []fault{
	{"order", "last step first", Meant, func(m *maker) bool {
		slices.Reverse(m.steps())
		return true
	}},
	{"order", "steps shuffled", Meant, func(m *maker) bool {
		steps := m.steps()
		m.r.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
		return true
	}},
	{"order", "step that uses itself", Refused, set(refOf(text, number, table), func(_ *maker, p place) any {
		_, part := cut(refText(p))
		return object{"$ref": fmt.Sprintf("s%d.%s", p.step+1, part)}
	})},
	{"order", "two steps that use each other", Refused, func(m *maker) bool {
		p, ok := m.find(refOf(table))
		if !ok {
			return false
		}
		from, _ := cut(refText(p))
		i, _ := strconv.Atoi(from[1:])
		q, ok := m.find(func(q place) bool { return q.step == i-1 && literalOf(text)(q) })
		if ok {
			q.in[q.field.name] = m.refTo(p.step, "summary")
		}
		return ok && m.used[p.step].out != nil
	}},
	{"order", "depends_on that refs say", Meant, func(m *maker) bool {
		p, ok := m.find(refOf(table, number, text, list))
		if ok {
			from, _ := cut(refText(p))
			m.step(p.step)["depends_on"] = []any{from}
		}
		return ok
	}},
	{"order", "depends_on that no ref says", Refused, func(m *maker) bool {
		m.step(0)["depends_on"] = []any{fmt.Sprintf("s%d", len(m.used))}
		return true
	}},
}

// renumbered gives the steps other ids, in references too.
func renumbered(id func(i int) any) func(*maker) bool {
	return func(m *maker) bool {
		s := written(m.plan)
		for i := len(m.used); i > 0; i-- {
			s = strings.ReplaceAll(s, fmt.Sprintf(`"id":"s%d"`, i), `"id":`+written(id(i)))
			s = strings.ReplaceAll(s, fmt.Sprintf(`"$ref":"s%d.`, i), fmt.Sprintf(`"$ref":"%v.`, id(i)))
		}
		m.text = s
		w := written(m.want)
		for i := len(m.used); i > 0; i-- {
			w = strings.ReplaceAll(w, fmt.Sprintf(`"id":"s%d"`, i), fmt.Sprintf(`"id":"%v"`, id(i)))
			w = strings.ReplaceAll(w, fmt.Sprintf(`"$ref":"s%d.`, i), fmt.Sprintf(`"$ref":"%v.`, id(i)))
		}
		m.want = unwritten(w)
		return true
	}
}

var idFaults = []fault{
	{"id", "numbers", Meant, renumbered(func(i int) any { return i })},
	{"id", "words", Meant, renumbered(func(i int) any { return "call_" + strconv.Itoa(i) })},
	{"id", "other case in refs", Meant, func(m *maker) bool {
		m.text = strings.ReplaceAll(written(m.plan), `"$ref":"s`, `"$ref":"S`)
		return true
	}},
	{"id", "none", Meant, func(m *maker) bool {
		for i := range m.used {
			delete(m.step(i), "id")
		}
		return true
	}},
	{"id", "one is missing", Meant, func(m *maker) bool {
		delete(m.step(m.r.IntN(len(m.used))), "id")
		return true
	}},
	{"id", "step_id", Meant, func(m *maker) bool {
		for i := range m.used {
			m.step(i)["step_id"] = m.step(i)["id"]
			delete(m.step(i), "id")
		}
		return true
	}},
	{"id", "twice", Refused, func(m *maker) bool {
		m.step(1)["id"] = "s1"
		return true
	}},
	{"id", "a sentence", Either, renumbered(func(i int) any { return "step number " + strconv.Itoa(i) })},
	{"id", "each", Refused, renumbered(func(i int) any { return []string{"", "each", "x2", "x3", "x4"}[i] })},
}
