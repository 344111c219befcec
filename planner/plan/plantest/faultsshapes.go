package plantest

import (
	"encoding/json"
	"fmt"
	"strings"
)

func unwritten(s string) object {
	var out object
	if err := json.Unmarshal([]byte(s), &out); err != nil {
		panic(err) // the grammar makes JSON alone
	}
	return out
}

// answered writes the plan with an answer in another way.
func answered(to func(m *maker, answer any)) func(*maker) bool {
	return func(m *maker) bool {
		answer := m.plan["answer"].([]any)[0]
		delete(m.plan, "answer")
		to(m, answer)
		return true
	}
}

// answeredAs writes the answer under another name.
func answeredAs(key string) func(*maker) bool {
	return answered(func(m *maker, answer any) { m.plan[key] = answer })
}

// otherAnswer is not the answer that is meant.
var otherAnswer = object{"$ref": "s1.total"}

// ending adds a last step that says what the answer is.
func ending(tool string, args func(answer any) object) func(*maker) bool {
	return answered(func(m *maker, answer any) {
		m.plan["steps"] = append(m.steps(), object{"id": "end", "tool": tool, "args": args(answer)})
	})
}

// linesOf are the steps one per line.
func (m *maker) linesOf() string {
	var b strings.Builder
	for _, s := range m.steps() {
		b.WriteString(written(s) + "\n")
	}
	return b.String()
}

// noAnswer is a plan whose answer is not written.
func noAnswer(m *maker) {
	delete(m.plan, "answer")
	delete(m.want, "answer")
}

var answerFaults = []fault{
	{"answer", "not in a list", Meant, answeredAs("answer")},
	{"answer", "final_answer", Meant, answeredAs("final_answer")},
	{"answer", "output", Either, answeredAs("output")},
	{"answer", "result", Either, answeredAs("result")},
	{"answer", "return", Either, answeredAs("return")},
	{"answer", "response", Either, answeredAs("response")},
	{"answer", "as a text", Meant, answered(func(m *maker, answer any) {
		m.plan["answer"] = "{{" + answer.(object)["$ref"].(string) + "}}"
	})},
	{"answer", "inside a text", Meant, answered(func(m *maker, answer any) {
		m.plan["answer"] = "It is {{" + answer.(object)["$ref"].(string) + "}}."
		m.want["answer"] = []any{object{"$concat": []any{"It is ", answer, "."}}}
	})},
	{"answer", "beside a wrapper", Either, answered(func(m *maker, answer any) { m.text = written(object{"plan": m.plan, "answer": answer}) })},
	{"answer", "beside a list called plan", Meant, answered(func(m *maker, answer any) { m.text = written(object{"plan": m.steps(), "answer": answer}) })},
	{"answer", "behind the list of steps", Either, answered(func(m *maker, answer any) {
		m.text = written(append(m.steps(), object{"answer": answer}))
	})},
	{"answer", "in a line of its own", Either, answered(func(m *maker, answer any) { m.text = m.linesOf() + written(object{"answer": answer}) })},
	{"answer", "as a text in a line of its own", Either, answered(func(m *maker, answer any) {
		m.text = m.linesOf() + written(object{"final_answer": "{{" + answer.(object)["$ref"].(string) + "}}"})
	})},
	{"answer", "in the last step", Either, answered(func(m *maker, answer any) { m.step(len(m.used) - 1)["answer"] = answer })},
	{"answer", "in a lone step", Either, answered(func(m *maker, answer any) {
		m.want["steps"] = m.want["steps"].([]any)[:1]
		m.want["answer"] = []any{object{"$ref": "s1.summary"}}
		s := m.step(0)
		s["answer"] = object{"$ref": "s1.summary"}
		m.text = written(s)
		_ = answer
	})},
	{"answer", "in a last step", Meant, ending("final_answer", func(a any) object { return object{"answer": a} })},
	{"answer", "in a step called finish", Meant, ending("finish", func(a any) object { return object{"result": a} })},
	{"answer", "in a last step with more", Refused, ending("finish", func(a any) object { return object{"result": a, "also": otherAnswer} })},
	{"answer", "in a last step, and another beside it", Refused, func(m *maker) bool {
		m.plan["steps"] = append(m.steps(), object{"id": "end", "tool": "final_answer", "args": object{"answer": otherAnswer}})
		return true
	}},
	{"answer", "two of them", Refused, func(m *maker) bool {
		m.plan["final_answer"] = otherAnswer
		return true
	}},
	{"answer", "output beside it", Refused, func(m *maker) bool {
		m.plan["output"] = otherAnswer
		return true
	}},
	{"answer", "of a step that is not there", Refused, answered(func(m *maker, _ any) { m.plan["answer"] = "{{s77.summary}}" })},
	{"answer", "expression", Refused, answered(func(m *maker, _ any) { m.plan["answer"] = object{"$ref": "s1.total * 2"} })},
}

// providerCalls writes the steps as calls of OpenAI's protocol.
func providerCalls(m *maker) []any {
	var out []any
	for i, t := range m.used {
		out = append(out, object{"id": m.step(i)["id"], "type": "function", "function": object{"name": t.name, "arguments": written(m.args(i))}})
	}
	return out
}

func reshaped(to func(m *maker) any) func(*maker) bool {
	return func(m *maker) bool {
		noAnswer(m)
		m.text = written(to(m))
		return true
	}
}

func stepsAs(key string) func(*maker) bool {
	return func(m *maker) bool {
		m.plan[key] = m.plan["steps"]
		delete(m.plan, "steps")
		return true
	}
}

func wrappedIn(keys ...string) func(*maker) bool {
	return func(m *maker) bool {
		var v any = m.plan
		for _, k := range keys {
			v = object{k: v}
		}
		m.text = written(v)
		return true
	}
}

var shapeFaults = []fault{
	{"shape", "a list of steps", Meant, reshaped(func(m *maker) any { return m.steps() })},
	{"shape", "lines of steps", Meant, func(m *maker) bool {
		noAnswer(m)
		m.text = m.linesOf()
		return true
	}},
	{"shape", "tool calls", Meant, reshaped(func(m *maker) any { return object{"tool_calls": providerCalls(m)} })},
	{"shape", "a provider's reply", Meant, reshaped(func(m *maker) any {
		return object{"choices": []any{object{"message": object{"role": "assistant", "content": nil, "tool_calls": providerCalls(m)}}}}
	})},
	{"shape", "steps by id", Meant, func(m *maker) bool {
		steps := object{}
		for i, s := range m.steps() {
			s := s.(object)
			delete(s, "id")
			steps[fmt.Sprintf("s%d", i+1)] = s
		}
		m.plan["steps"] = steps
		return true
	}},
	{"shape", "waves", Meant, func(m *maker) bool {
		var waves []any
		for _, s := range m.steps() {
			waves = append(waves, []any{s})
		}
		m.plan["steps"] = waves
		return true
	}},
	{"shape", "tasks", Meant, stepsAs("tasks")},
	{"shape", "actions", Meant, stepsAs("actions")},
	{"shape", "Steps", Meant, stepsAs("Steps")},
	{"shape", "in plan", Meant, wrappedIn("plan")},
	{"shape", "in response and plan", Meant, wrappedIn("plan", "response")},
	{"shape", "in a list", Meant, func(m *maker) bool {
		m.text = written([]any{m.plan})
		return true
	}},
	{"shape", "names of another protocol", Meant, func(m *maker) bool {
		for i := range m.used {
			s := m.step(i)
			s["tool_name"], s["parameters"] = s["tool"], s["args"]
			delete(s, "tool")
			delete(s, "args")
		}
		return true
	}},
	{"shape", "steps as a text", Meant, func(m *maker) bool {
		m.plan["steps"] = written(m.plan["steps"])
		return true
	}},
	{"shape", "steps in a step", Refused, func(m *maker) bool {
		m.step(0)["then"] = []any{m.step(len(m.used) - 1)}
		return true
	}},
	{"shape", "two lists of steps", Refused, func(m *maker) bool {
		m.plan["more_steps"] = []any{m.step(0)}
		return true
	}},
}

// onStep adds a field to a step.
func onStep(key string, v any) func(*maker) bool {
	return func(m *maker) bool {
		m.step(m.r.IntN(len(m.used)))[key] = v
		return true
	}
}

var extraFaults = []fault{
	{"more than a plan", "thought", Meant, onStep("thought", "first I look at it")},
	{"more than a plan", "description", Meant, onStep("description", "gets what is needed")},
	{"more than a plan", "expected_output", Meant, onStep("expected_output", "a table")},
	{"more than a plan", "reasoning of the plan", Meant, func(m *maker) bool {
		m.plan["reasoning"] = "two steps are enough"
		return true
	}},
	{"more than a plan", "condition", Refused, onStep("condition", "{{s1.total}} > 5")},
	{"more than a plan", "if", Refused, onStep("if", object{"$ref": "s1.total"})},
	{"more than a plan", "when as a text", Refused, onStep("when", "s1.total > 5")},
	{"more than a plan", "run_when", Refused, onStep("run_when", object{"$ref": "s1.total", "op": "gt", "value": 5})},
	{"more than a plan", "only_when", Refused, onStep("only_when", "{{s1.total}} > 5")},
	{"more than a plan", "loop", Refused, onStep("loop", 3)},
	{"more than a plan", "repeat", Refused, onStep("repeat", 2)},
	{"more than a plan", "foreach", Refused, onStep("foreach", "every customer")},
	{"more than a plan", "on_error", Refused, onStep("on_error", "skip")},
	{"more than a plan", "input from a step beside args", Refused, onStep("source_table_ref", object{"$ref": "s1.result_table"})},
	{"more than a plan", "a value beside args", Refused, onStep("extra_filter", object{"column": "x", "value": "{{s1.summary}}"})},
}

// rewritten changes the text of a plan.
func rewritten(to func(m *maker, text string) string) func(*maker) bool {
	return func(m *maker) bool {
		plain := written(m.plan)
		m.text = to(m, plain)
		return m.text != plain && m.text != ""
	}
}

func around(before, after string) func(*maker) bool {
	return rewritten(func(_ *maker, text string) string { return before + text + after })
}

func replaced(from, to string) func(*maker) bool {
	return rewritten(func(_ *maker, text string) string { return strings.ReplaceAll(text, from, to) })
}

var textFaults = []fault{
	{"text", "fence", Meant, around("```json\n", "\n```")},
	{"text", "prose", Meant, around("Here is what I would do:\n\n", "\n\nThat should be it.")},
	{"text", "thoughts", Meant, around("<think>a hard one {\"steps\": []}</think>\n", "")},
	{"text", "byte order mark", Meant, around("\uFEFF", "")},
	{"text", "Python", Meant, rewritten(func(_ *maker, text string) string { return python(json.RawMessage(text)) })},
	{"text", "trailing commas", Meant, replaced("}]", "},]")},
	{"text", "no commas", Meant, replaced("},{", "} {")},
	{"text", "comments", Meant, replaced("},{", "}, // next\n{")},
	{"text", "typographic quotes", Meant, rewritten(func(_ *maker, text string) string { return strings.Replace(text, `"steps"`, "“steps”", 1) })},
	{"text", "keys without quotes", Meant, rewritten(func(_ *maker, text string) string {
		return strings.NewReplacer(`"steps":`, `steps:`, `"tool":`, `tool:`, `"args":`, `args:`, `"id":`, `id:`).Replace(text)
	})},
	{"text", "last brace missing", Either, rewritten(func(_ *maker, text string) string { return text[:len(text)-1] })},
	{"text", "brace too many", Meant, around("", "}")},
	{"text", "encoded twice", Meant, rewritten(func(_ *maker, text string) string { return written(text) })},
	{"text", "cut off", Refused, rewritten(func(m *maker, text string) string { return text[:len(text)/4+m.r.IntN(len(text)/2)] })},
	{"text", "a step left out by dots", Refused, rewritten(func(_ *maker, text string) string { return strings.Replace(text, "},{", "}, ..., {", 1) })},
	{"text", "key twice", Refused, rewritten(func(_ *maker, text string) string {
		return strings.Replace(text, `"id":"s1"`, `"id":"s1","id":"s9"`, 1)
	})},
	{"text", "no number", Refused, rewritten(func(_ *maker, text string) string {
		return strings.Replace(text, `"args":{`, `"args":{"zzyzx":NaN,`, 1)
	})},
	{"text", "two plans", Refused, rewritten(func(m *maker, text string) string {
		return text + "\n" + written(object{"steps": m.steps()[:1], "answer": m.plan["answer"]})
	})},
	{"text", "no plan", Refused, rewritten(func(*maker, string) string { return "I am sorry, that cannot be done with {these} tools." })},
	{"text", "control character", Refused, replaced(`"tool":"`, "\"tool\":\"\x07")},
}
