package plantest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// maker holds one plan while it is spoiled.
type maker struct {
	r     *rand.Rand
	tools []tool
	used  []tool // the tool of each step
	plan  object
	want  object
	text  string // what is written where it is not the plan as JSON
}

var (
	verbs  = strings.Fields("fetch compute render collect measure locate archive compare describe translate schedule rank merge inspect")
	nouns  = strings.Fields("orders weather invoices routes tickets sensors articles flights patients recipes vehicles parcels meetings payments")
	labels = strings.Fields("region currency amount threshold category language duration country quantity priority warehouse customer vendor altitude radius" +
		" budget discount verbose archived strict language_code customer_name shipping_method tax_rate start_station unit_price")
	sides  = strings.Fields("left_table right_table source_table")
	values = strings.Fields("Oslo Lisbon widgets north premium Garcia lemon steel autumn violin harbour Kyoto")
	choice = [][]string{strings.Fields("ascending descending unsorted"), strings.Fields("celsius fahrenheit kelvin"),
		strings.Fields("in_transit delivered returned"), strings.Fields("bar line scatter"), strings.Fields("standard express overnight"),
		strings.Fields("Full-Time Contractor Internship")}
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// poolSize is how many tools of its own the grammar makes for one run: few, so that those who read their schemas read them once.
const poolSize = 60

// pool makes tools.
func pool(r *rand.Rand) []tool {
	out := make([]tool, 0, poolSize)
	for i := range poolSize {
		out = append(out, ownTool(r, verbs[i%len(verbs)]+"_"+pick(r, nouns)))
	}
	return out
}

func newMaker(r *rand.Rand, own, known []tool) *maker {
	m := &maker{r: r}
	for len(m.tools) < 5 {
		t := pick(r, own)
		first := len(m.tools) == 0 && slices.ContainsFunc(t.in, func(f field) bool { return f.kind == table })
		if !first { // that one must not need what only a step before it gives
			m.add(t)
		}
	}
	for range 4 {
		if len(known) > 0 {
			m.add(pick(r, known))
		}
	}
	m.makePlan()
	return m
}

// add takes a tool whose name no slip makes another's.
func (m *maker) add(t tool) {
	if !slices.ContainsFunc(m.tools, func(u tool) bool { return near(t.name, u.name) }) {
		m.tools = append(m.tools, t)
	}
}

func ownTool(r *rand.Rand, name string) tool {
	t := tool{name: name, destructive: r.IntN(6) == 0}
	for _, i := range r.Perm(len(labels))[:2+r.IntN(4)] {
		f := ownField(r, labels[i])
		if t.in = append(t.in, f); !apart(t.in) {
			t.in = t.in[:len(t.in)-1]
		}
	}
	for i := range r.IntN(3) {
		t.in = append(t.in, field{name: sides[i], kind: table, required: r.IntN(4) > 0})
	}
	t.out = []field{{name: "result_table", kind: table, required: true}, {name: "total", kind: number, required: true},
		{name: "summary", kind: text, required: true}, {name: "names", kind: list, items: text, required: true}}
	return t
}

func ownField(r *rand.Rand, name string) field {
	f := field{name: name, required: r.IntN(2) == 0}
	f.kind = pick(r, []string{text, text, text, number, integer, boolean, list, record, day})
	switch f.kind {
	case text:
		if r.IntN(2) == 0 {
			f.enum = pick(r, choice)
		}
	case integer:
		if r.IntN(2) == 0 {
			f.low, f.high = 1, 500
		}
	case list:
		f.items = pick(r, []string{text, text, number})
	case record:
		f.fields = []field{{name: "street", kind: text, required: true}, {name: "floor_number", kind: integer}, {name: "elevator", kind: boolean}}
	}
	return f
}

// makePlan makes a chain in which steps use each other's results.
func (m *maker) makePlan() {
	n := 2 + m.r.IntN(3)
	var steps []any
	for i := 0; i < n; {
		t := pick(m.r, m.tools)
		if i == 0 || i == n-1 {
			t = m.tools[m.r.IntN(min(5, len(m.tools)))]
		}
		args, ok := m.arguments(t, i)
		if !ok {
			continue
		}
		m.used = append(m.used, t)
		steps = append(steps, object{"id": fmt.Sprintf("s%d", i+1), "tool": t.name, "args": args})
		i++
	}
	m.plan = object{"steps": steps, "answer": []any{m.refTo(n-1, "summary")}}
}

// arguments are those of the ith step; false when it needs a table that no step before it gives.
func (m *maker) arguments(t tool, i int) (object, bool) {
	args := object{}
	for _, f := range t.in {
		if !f.required && m.r.IntN(2) > 0 {
			continue
		}
		if v := m.argument(f, i); v != nil {
			args[f.name] = v
		} else if f.required {
			return nil, false
		}
	}
	return args, true
}

func (m *maker) refTo(step int, part string) any {
	return object{"$ref": fmt.Sprintf("s%d.%s", step+1, part)}
}

// argument is a value for a field of the ith step, nil when there is none.
func (m *maker) argument(f field, i int) any {
	var from []int // steps whose results are known
	for j := range i {
		if m.used[j].out != nil {
			from = append(from, j)
		}
	}
	give := map[string]string{table: "result_table", number: "total", text: "summary", list: "names"}[f.kind]
	usable := len(from) > 0 && give != "" && f.enum == nil && (f.kind != list || f.items == text)
	if f.kind == table || usable && m.r.IntN(3) == 0 {
		if !usable {
			return nil
		}
		return m.refTo(pick(m.r, from), give)
	}
	return m.literal(f)
}

func (m *maker) literal(f field) any {
	if f.enum != nil {
		return pick(m.r, f.enum)
	}
	switch f.kind {
	case number:
		return float64(m.r.IntN(100000)) / 4
	case integer:
		return 1 + m.r.IntN(500)
	case boolean:
		return m.r.IntN(2) == 0
	case day:
		return fmt.Sprintf("2025-%02d-%02d", 1+m.r.IntN(12), 13+m.r.IntN(15))
	case list:
		out := []any{}
		for range 1 + m.r.IntN(3) {
			out = append(out, m.literal(field{kind: f.items}))
		}
		return out
	case record:
		out := object{}
		for _, g := range f.fields {
			out[g.name] = m.literal(g)
		}
		return out
	}
	return pick(m.r, values) + " " + pick(m.r, values)
}

func (m *maker) steps() []any { return m.plan["steps"].([]any) }

func (m *maker) step(i int) object { return m.steps()[i].(object) }

func (m *maker) args(i int) object { return m.step(i)["args"].(object) }

func (m *maker) wantArgs(i int) object {
	return m.want["steps"].([]any)[i].(object)["args"].(object)
}

// place is an argument that a plan gives. in is the object that holds it; same is the one of the plan that is meant.
type place struct {
	step     int
	field    field
	in, same object
}

func (p place) value() any { return p.in[p.field.name] }

// find picks an argument, or a field of one, that fits.
func (m *maker) find(fits func(place) bool) (place, bool) {
	var all []place
	for i, t := range m.used {
		for _, f := range t.in {
			p := place{i, f, m.args(i), m.wantArgs(i)}
			if p.value() == nil {
				continue
			}
			if fits(p) {
				all = append(all, p)
			}
			inner, ok := p.value().(object)
			same, _ := p.same[f.name].(object)
			for _, g := range f.fields {
				if q := (place{i, g, inner, same}); ok && fits(q) {
					all = append(all, q)
				}
			}
		}
	}
	if len(all) == 0 {
		return place{}, false
	}
	return pick(m.r, all), true
}

// literalOf fits arguments of these kinds that are no references and have no enum.
func literalOf(kinds ...string) func(place) bool {
	return func(p place) bool {
		_, object := p.value().(object)
		return slices.Contains(kinds, p.field.kind) && p.field.enum == nil && (!object || p.field.kind == record)
	}
}

// refOf fits arguments of these kinds that are references.
func refOf(kinds ...string) func(place) bool {
	return func(p place) bool {
		ref, ok := p.value().(object)
		return ok && ref["$ref"] != nil && slices.Contains(kinds, p.field.kind)
	}
}

// set replaces the value of an argument that fits.
func set(fits func(place) bool, to func(m *maker, p place) any) func(*maker) bool {
	return func(m *maker) bool {
		p, ok := m.find(fits)
		if !ok {
			return false
		}
		v := to(m, p)
		if v == nil {
			return false
		}
		p.in[p.field.name] = v
		return true
	}
}
