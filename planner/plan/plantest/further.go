package plantest

import (
	"fmt"
	"strings"
)

// furtherFaults are forms that were written after the rules for the first ones and before any of them was tried: what the rules made of them
// at first sight is in bench/RESULTS.md.
var furtherFaults = []fault{
	{"tool name", "title case", Meant, renamedTool(false, func(s string) string { return strings.ToUpper(s[:1]) + joinedBy(" ")(s)[1:] })},
	{"tool name", "default_api.", Meant, renamedTool(false, prefixed("default_api."))},
	{"tool name", "server:", Meant, renamedTool(false, prefixed("crm:"))},
	{"tool name", "dots", Meant, renamedTool(false, joinedBy("."))},
	{"tool name", "spaces around", Meant, renamedTool(false, func(s string) string { return " " + s + "\n" })},
	{"tool name", "_tool", Either, renamedTool(false, func(s string) string { return s + "_tool" })},
	{"tool name", "words turned round", Either, renamedTool(false, func(s string) string { a, b, _ := strings.Cut(s, "_"); return b + "_" + a })},
	{"tool name", "prefix before a destructive slip", Refused, renamedTool(true, func(s string) string {
		if swapped(s) == s {
			return s
		}
		return "functions." + swapped(s)
	})},
	{"argument name", "double hyphen", Either, renamed(prefixed("--"))},
	{"argument name", "spaces around", Meant, renamed(func(s string) string { return " " + s })},
	{"argument name", "colon", Either, renamed(func(s string) string { return s + ":" })},
	{"argument name", "title case", Meant, renamed(func(s string) string { return strings.ToUpper(s[:1]) + s[1:] })},
	{"argument name", "leading underscore", Meant, renamed(prefixed("_"))},
	{"argument name", "first letters", Either, renamed(func(s string) string { return s[:len(s)/2] })},
	{"argument name", "path into an object", Either, func(m *maker) bool {
		p, ok := m.find(literalOf(record))
		if !ok {
			return false
		}
		for k, v := range p.value().(object) {
			p.in[p.field.name+"."+k] = v
		}
		delete(p.in, p.field.name)
		return true
	}},
	{"type", "underscores in a number", Either, constant("1_000", number, integer)},
	{"type", "fraction", Refused, constant("1/2", number, integer)},
	{"type", "decimal comma", Refused, constant("12,5", number)},
	{"type", "hexadecimal", Refused, constant("0x10", number, integer)},
	{"type", "infinity", Refused, constant("Infinity", number, integer)},
	{"type", "boolean for a number", Refused, constant(true, number, integer)},
	{"type", "two for a boolean", Refused, constant(2, boolean)},
	{"type", "on", Either, set(literalOf(boolean), func(_ *maker, p place) any { return map[any]string{true: "on", false: "off"}[p.value()] })},
	{"type", "boolean in quotes in a text", Either, spelled(`"%s"`, boolean)},
	{"type", "number in quotes in a text", Either, spelled(`"%s"`, number, integer)},
	{"type", "list for an object", Refused, constant([]any{"Main Street", 5}, record)},
	{"type", "half an object in a text", Refused, set(literalOf(record), func(_ *maker, p place) any { s := written(p.value()); return s[:len(s)-3] })},
	{"type", "number of many kinds", Refused, constant("5 or 6", number, integer)},
	{"type", "exponent", Either, set(literalOf(integer), func(_ *maker, p place) any { return fmt.Sprint(p.value()) + "e0" })},
	{"enum", "line break behind it", Meant, word(func(s string) string { return s + "\n" })},
	{"enum", "plural", Either, word(func(s string) string { return s + "s" })},
	{"enum", "part of it", Either, word(func(s string) string { return s[:min(3, len(s))] })},
	{"enum", "nothing", Refused, set(enumOf, func(*maker, place) any { return "" })},
	{"enum", "negation", Refused, word(func(s string) string { return "not " + s })},
	{"enum", "true", Refused, set(enumOf, func(*maker, place) any { return true })},
	{"enum", "and more", Refused, word(func(s string) string { return s + " if possible" })},
	{"enum", "none in a list", Refused, set(enumOf, func(*maker, place) any { return []any{} })},
	{"missing value", "two braces", Refused, neededText("{{%s}}")},
	{"missing value", "variable", Refused, neededText("${%s}")},
	{"missing value", "insert", Refused, neededText("[insert %s here]")},
	{"missing value", "TBD", Refused, neededText("TBD")},
	{"missing value", "question marks", Refused, neededText("???")},
	{"missing value", "xxx", Refused, neededText("xxx")},
	{"missing value", "object with nothing", Refused, set(func(p place) bool { return literalOf(record)(p) }, func(*maker, place) any { return object{} })},
	{"missing value", "nothing in a list", Refused, constant([]any{nil}, list)},
	{"format", "one digit", Meant, date("2006-1-2")},
	{"format", "space and midnight", Meant, date("2006-01-02 00:00:00")},
	{"format", "weekday before it", Either, date("Monday, January 2, 2006")},
	{"format", "no comma", Either, date("January 2 2006")},
	{"format", "month that is none", Refused, constant("2025-13-01", day)},
	{"format", "two digits for the year", Refused, constant("05-03-25", day)},
	{"format", "week", Refused, constant("2025-W10", day)},
	{"format", "number", Refused, constant(1741132800, day)},
	{"format", "range of days", Refused, constant("2025-03-01 to 2025-03-05", day)},
	{"format", "bound passed in a list", Refused, bounded([]any{7000})},
	{"list or one", "semicolons", Refused, constant("lemon; steel", list)},
	{"list or one", "lines", Refused, constant("lemon\nsteel", list)},
	{"list or one", "bullets", Refused, constant("- lemon\n- steel", list)},
	{"list or one", "list of two for a boolean", Refused, constant([]any{true, false}, boolean)},
	{"list or one", "tuple in a text", Either, set(literalOf(list), func(_ *maker, p place) any {
		s := python(p.value())
		return "(" + s[1:len(s)-1] + ")"
	})},
	{"list or one", "list of one object for one", Either, set(literalOf(record), func(_ *maker, p place) any { return []any{p.value()} })},
	{"list or one", "two lists in a list", Refused, set(literalOf(list), func(_ *maker, p place) any {
		if len(p.value().([]any)) < 2 {
			return nil
		}
		return []any{p.value(), p.value()}
	})},
	{"wrapped arguments", "tool_input", Meant, under("tool_input")},
	{"wrapped arguments", "params", Meant, under("params")},
	{"wrapped arguments", "payload", Either, under("payload")},
	{"wrapped arguments", "data", Either, under("data")},
	{"wrapped arguments", "Python in a text", Meant, inArgs(func(_ *maker, _ int, args object) any { return python(args) })},
	{"wrapped arguments", "pairs in a text", Refused, inArgs(func(*maker, int, object) any { return "region=Oslo, amount=5" })},
	{"wrapped arguments", "prose", Refused, inArgs(func(*maker, int, object) any { return "the region and the amount that the user named" })},
	{"wrapped arguments", "two objects", Refused, inArgs(func(_ *maker, _ int, args object) any { return []any{args, object{"limit": 7}} })},
	{"wrapped arguments", "beside args", Either, func(m *maker) bool {
		p, ok := m.find(literalOf(number, integer))
		if _, top := m.args(p.step)[p.field.name]; !ok || !top || m.step(p.step)[p.field.name] != nil {
			return false
		}
		m.step(p.step)[p.field.name] = p.value()
		delete(m.args(p.step), p.field.name)
		return true
	}},
	{"reference form", "{{s['f']}}", Meant, inForm("{{%s['%f']}}", text, number, table, list)},
	{"reference form", `{{s["f"]}}`, Meant, inForm(`{{%s["%f"]}}`, text, number, table, list)},
	{"reference form", "${{}}", Either, inForm("${{%r}}", text, number, table, list)},
	{"reference form", "<%= %>", Either, inForm("<%= %r %>", number, table, list)},
	{"reference form", "{{%r}", Either, inForm("{{%r}", number, table, list)},
	{"reference form", "{{.%r}}", Either, inForm("{{.%r}}", number, table, list)},
	{"reference form", "->", Meant, inForm("%s->%f", table, number)},
	{"reference form", "backticks", Either, inForm("`%r`", table, number)},
	{"reference form", "step_id and key", Meant, asObject(object{"step_id": "%s", "key": "%f"}, text, number, table, list)},
	{"reference form", "source and property", Meant, asObject(object{"source": "%s", "property": "%f"}, text, number, table, list)},
	{"reference form", "type, step and field", Either, asObject(object{"type": "ref", "step": "%s", "field": "%f"}, text, number, table, list)},
	{"reference form", "$ref of parts", Either, set(refOf(text, number, table, list), func(_ *maker, p place) any {
		s, f := cut(refText(p))
		return object{"$ref": []any{s, f}}
	})},
	{"reference form", "object in $ref", Either, set(refOf(text, number, table, list), func(_ *maker, p place) any {
		s, f := cut(refText(p))
		return object{"$ref": object{"step": s, "field": f}}
	})},
	{"reference form", "capital step in a text", Meant, inForm("{{S%n.%f}}", text, number, table, list)},
	{"reference form", "two for one", Refused, inForm("{%r}{%s.summary}", number, table)},
	{"expression", "number format", Refused, inForm("{{%r:,.2f}}", number)},
	{"expression", "default filter", Refused, inForm("{{%r|default(0)}}", number)},
	{"expression", "unit behind it", Refused, inForm("{{%r}} USD", number)},
	{"expression", "if in words", Refused, inForm("if {{%r}} > 3 then 1 else 2", number)},
	{"expression", "$expr", Refused, asObject(object{"$expr": "%r*2"}, number)},
	{"expression", "$ref and op", Refused, asObject(object{"$ref": "%r", "op": "*2"}, number)},
	{"expression", "sum of a list", Refused, set(refOf(number), func(_ *maker, p place) any { return object{"$sum": []any{p.value(), p.value()}} })},
	{"expression", "length", Refused, inForm("{{len(%s.names)}}", number)},
	{"expression", ".length", Refused, inForm("{{%s.names.length}}", number)},
	{"expression", "split", Refused, inForm("{{%r.split(',')[0]}}", text)},
	{"expression", "slice", Refused, inForm("{{%r[:10]}}", text)},
	{"expression", "f-string", Refused, inForm("f'{%r:.2f}'", number)},
	{"expression", "template literal", Refused, inForm("`${%r + 1}`", text, number)},
	{"expression", "not", Refused, constant("not {{s1.total}}", boolean)},
	{"expression", "comparison in $ref", Refused, constant(object{"$ref": "s1.total > 5"}, boolean)},
	{"order", "depends_on as a text", Meant, func(m *maker) bool {
		p, ok := m.find(refOf(table, number, text, list))
		if ok {
			from, _ := cut(refText(p))
			m.step(p.step)["depends_on"] = from
		}
		return ok
	}},
	{"order", "dependencies that are empty", Meant, onStep("dependencies", []any{})},
	{"order", "after a step that is not there", Refused, onStep("after", "s77")},
	{"order", "order", Either, onStep("order", 1)},
	{"order", "next", Either, func(m *maker) bool {
		m.step(0)["next"] = "s2"
		return true
	}},
	{"id", "numbers as texts", Meant, renumbered(func(i int) any { return fmt.Sprint(i) })},
	{"id", "numbers from 0", Meant, renumbered(func(i int) any { return i - 1 })},
	{"id", "null", Meant, func(m *maker) bool {
		for i := range m.used {
			m.step(i)["id"] = nil
		}
		return true
	}},
	{"id", "dots", Refused, renumbered(func(i int) any { return fmt.Sprintf("step.%d", i) })},
	{"id", "the same for all", Refused, func(m *maker) bool {
		for i := range m.used {
			m.step(i)["id"] = "call"
		}
		return true
	}},
	{"id", "a step twice", Refused, func(m *maker) bool {
		m.plan["steps"] = append(m.steps(), clonedValue(m.step(0)))
		return true
	}},
	{"answer", "Answer", Meant, answeredAs("Answer")},
	{"answer", "finalAnswer", Meant, answeredAs("finalAnswer")},
	{"answer", "outputs", Either, answeredAs("outputs")},
	{"answer", "return_value", Either, answeredAs("return_value")},
	{"answer", "output in an object", Either, answered(func(m *maker, answer any) { m.plan["output"] = object{"value": answer} })},
	{"answer", "bare", Meant, answered(func(m *maker, answer any) { m.plan["answer"] = answer.(object)["$ref"] })},
	{"answer", "respond", Meant, ending("respond", func(a any) object { return object{"message": a} })},
	{"answer", "two levels up", Either, answered(func(m *maker, answer any) {
		m.text = written(object{"response": object{"plan": m.plan}, "answer": answer})
	})},
	{"answer", "in the middle", Refused, func(m *maker) bool {
		end := object{"id": "end", "tool": "finish", "args": object{"answer": otherAnswer}}
		m.plan["steps"] = append([]any{end}, m.steps()...)
		return true
	}},
	{"answer", "computed", Refused, answered(func(m *maker, _ any) { m.plan["answer"] = "{{s1.total * 2}}" })},
	{"answer", "explained by a reference", Either, func(m *maker) bool {
		m.plan["explanation"] = otherAnswer
		return true
	}},
	{"shape", "calls", Meant, stepsAs("calls")},
	{"shape", "function_calls", Meant, stepsAs("function_calls")},
	{"shape", "each in a step", Either, func(m *maker) bool {
		var out []any
		for _, s := range m.steps() {
			out = append(out, object{"step": s})
		}
		m.plan["steps"] = out
		return true
	}},
	{"shape", "tool as the key", Either, func(m *maker) bool {
		var out []any
		for i, t := range m.used {
			out = append(out, object{"id": m.step(i)["id"], t.name: m.args(i)})
		}
		m.plan["steps"] = out
		return true
	}},
	{"shape", "call in a step", Either, func(m *maker) bool {
		for i := range m.used {
			s := m.step(i)
			s["call"] = object{"tool": s["tool"], "args": s["args"]}
			delete(s, "tool")
			delete(s, "args")
		}
		return true
	}},
	{"shape", "two plans in an object", Refused, func(m *maker) bool {
		m.text = written(object{"plan_a": m.plan, "plan_b": object{"steps": m.steps()[:1]}})
		return true
	}},
	{"shape", "no steps", Refused, func(m *maker) bool {
		m.plan["steps"] = []any{}
		return true
	}},
	{"shape", "code", Refused, func(m *maker) bool {
		m.plan["steps"] = []any{m.used[0].name + "(x=1)"}
		return true
	}},
	{"more than a plan", "comment", Meant, onStep("comment", "as the user said")},
	{"more than a plan", "title", Meant, onStep("title", "First step")},
	{"more than a plan", "unless", Refused, onStep("unless", "there is none")},
	{"more than a plan", "run_if", Refused, onStep("run_if", "total > 5")},
	{"more than a plan", "skip_if", Refused, onStep("skip_if", "total > 5")},
	{"more than a plan", "loop_over", Refused, onStep("loop_over", "customers")},
	{"more than a plan", "retry", Either, onStep("retry", 3)},
	{"more than a plan", "max_retries", Either, onStep("max_retries", 3)},
	{"more than a plan", "limit_rows", Refused, onStep("limit_rows", 5)},
	{"more than a plan", "input_mapping", Refused, onStep("input_mapping", object{"x": object{"$ref": "s1.total"}})},
	{"more than a plan", "then", Refused, onStep("then", "send it by mail")},
	{"more than a plan", "variables of the plan", Refused, func(m *maker) bool {
		m.plan["variables"] = object{"x": object{"$ref": "s1.total"}}
		return true
	}},
	{"more than a plan", "condition of the plan", Refused, func(m *maker) bool {
		m.plan["condition"] = "only if it rains"
		return true
	}},
	{"more than a plan", "loop of the plan", Refused, func(m *maker) bool {
		m.plan["repeat"] = 3
		return true
	}},
	{"more than a plan", "next plan", Refused, func(m *maker) bool {
		m.plan["on_error"] = object{"tool": "zzyzx", "args": object{}}
		return true
	}},
	{"text", "line ends of Windows", Meant, replaced("},{", "},\r\n{")},
	{"text", "json before it", Meant, around("json\n", "")},
	{"text", "tags", Meant, around("<plan>", "</plan>")},
	{"text", "assignment", Meant, around("plan = ", ";")},
	{"text", "block comments", Meant, replaced("},{", "}, /* next */ {")},
	{"text", "the same plan twice", Meant, rewritten(func(_ *maker, text string) string { return text + "\n\n" + text })},
	{"text", "dots in one character", Refused, rewritten(func(_ *maker, text string) string { return strings.Replace(text, "},{", "}, … {", 1) })},
	{"text", "fence cut off", Refused, rewritten(func(m *maker, text string) string {
		return "```json\n" + text[:len(text)/4+m.r.IntN(len(text)/2)] + "\n```"
	})},
	{"text", "another plan in the prose", Refused, rewritten(func(m *maker, text string) string {
		return "At first I thought of " + written(object{"steps": m.steps()[:1]}) + " but now:\n" + text
	})},
	{"text", "quote missing", Refused, rewritten(func(_ *maker, text string) string { return strings.Replace(text, `"tool":"`, `"tool":`, 1) })},
}
