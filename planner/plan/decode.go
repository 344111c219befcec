package plan

import (
	"catena/planner/loosejson"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// decoder turns a JSON tree into a Plan. Trees that a model wrote (said) get tolerance for the types of small fields.
type decoder struct {
	lim     Limits
	found   Findings
	repairs []Repair
	said    bool
	ids     map[string]bool   // the steps' ids, where a model wrote the plan: what {"ref": "s1"} may name
	inEach  bool              // the step at hand has an each
	below   loosejson.Pointer // where value is in what it was given
}

// add notes a finding. Its place is where value is, below at.
func (d *decoder) add(at *location, c Code, format string, args ...any) {
	if len(d.found) < maxFindings {
		d.found = append(d.found, Finding{Code: c, Path: at.String() + d.below.String(), Message: fmt.Sprintf(format, args...)})
	}
}

// maxFindings bounds the findings of one plan: beyond it nobody reads on.
const maxFindings = 200

func (d *decoder) plan(v any) Plan {
	m, ok := v.(map[string]any)
	if !ok {
		d.add(top, NoPlan, "a plan is a JSON object, not %s", kindOf(v))
		return Plan{}
	}
	p := Plan{Title: d.text(m, top, "title"), Clarify: d.text(m, top, "clarify"), Refuse: d.text(m, top, "refuse")}
	p.Confidence = d.confidence(m["confidence"])
	switch steps := m["steps"].(type) {
	case nil:
	case []any:
		if d.said {
			d.ids = stepIDs(steps)
		}
		p.Steps = d.steps(steps)
	default:
		d.add(top.field("steps"), NoPlan, "steps is a list of steps, not %s", kindOf(steps))
	}
	p.Answer = d.answer(m["answer"])
	if d.said { // a model says neither what was repaired nor how a message was read
		return p
	}
	if raw, ok := m["repairs"]; ok {
		p.Repairs = d.pastRepairs(raw)
	}
	p.Reading = d.text(m, top, "reading")
	if raw, ok := m["alternatives"]; ok {
		p.Alternatives = d.alternatives(raw)
	}
	return p
}

// maxAlternatives bounds the ways to read a message that a stored plan holds.
const maxAlternatives = 20

// alternatives are other ways to read the message. Their plans have none of their own.
func (d *decoder) alternatives(v any) []Alternative {
	at := top.field("alternatives")
	list, ok := v.([]any)
	if !ok || len(list) > maxAlternatives {
		d.add(at, TypeMismatch, "alternatives is a list of {reading, plan}, %d at most", maxAlternatives)
		return nil
	}
	var out []Alternative
	for i, item := range list {
		m, ok := item.(map[string]any)
		if !ok {
			d.add(at.item(i), TypeMismatch, "an alternative is {reading, plan}, not %s", kindOf(item))
			continue
		}
		p := m["plan"]
		if a, ok := p.(map[string]any); ok {
			a = maps.Clone(a)
			delete(a, "alternatives")
			p = a
		}
		out = append(out, Alternative{Reading: d.text(m, at.item(i), "reading"), Plan: d.plan(p)})
	}
	return out
}

// text reads a field that holds a text, "" when it is absent or null.
func (d *decoder) text(m map[string]any, at *location, key string) string {
	switch x := m[key].(type) {
	case nil:
		return ""
	case string:
		return x
	default:
		d.add(at.field(key), TypeMismatch, "%s is a text, not %s", key, kindOf(x))
		return ""
	}
}

func (d *decoder) confidence(v any) float64 {
	var c float64
	var err error
	switch x := v.(type) {
	case nil:
		return 0
	case json.Number:
		c, err = x.Float64()
	case float64:
		c = x
	case int:
		c = float64(x)
	default:
		err = strconv.ErrSyntax
	}
	if err != nil || !(c >= 0 && c <= 1) {
		if !d.said { // a model's estimate is not worth another round
			d.add(top.field("confidence"), OutOfRange, "confidence is a number from 0 to 1")
		}
		return 0
	}
	return c
}

func (d *decoder) steps(list []any) []Step {
	if len(list) > d.lim.Steps {
		d.add(top.field("steps"), TooManySteps, "the plan has %d steps; %d are allowed", len(list), d.lim.Steps)
		return nil
	}
	if len(list) == 0 {
		return nil // as in a plan that has none
	}
	at := top.field("steps")
	out := make([]Step, 0, len(list))
	for i, v := range list {
		out = append(out, d.step(at.item(i), v))
	}
	return out
}

func (d *decoder) step(at *location, v any) Step {
	m, ok := v.(map[string]any)
	if s, text := v.(string); text && (strings.HasPrefix(s, "...") || strings.HasPrefix(s, "…")) {
		d.add(at, Truncated, "... stands for what was left out; write the whole plan")
		return Step{}
	}
	if !ok {
		d.add(at, TypeMismatch, "a step is an object with id, tool and args, not %s", kindOf(v))
		return Step{}
	}
	n := len(d.found)
	s := Step{Tool: d.text(m, at, "tool"), ID: d.id(at, m["id"])}
	d.inEach = m["each"] != nil
	switch args := m["args"].(type) {
	case nil:
		s.Args = map[string]any{}
	case map[string]any:
		s.Args = args
		d.inside(args, at.field("args"), 0)
	default:
		d.add(at.field("args"), TypeMismatch, "args is an object with the tool's arguments by name, not %s", kindOf(args))
	}
	if raw, ok := m["each"]; ok && raw != nil {
		if r, ok := d.value(raw, at.field("each"), 1).(Ref); ok {
			s.Each = &r
		} else if len(d.found) == n {
			d.add(at.field("each"), BadReference, `each is a reference to a list, as in {"$ref":"s1.rows[*]"}`)
		}
	}
	if raw, ok := m["when"]; ok && raw != nil {
		s.When = d.when(raw, at.field("when"))
	}
	for i := n; i < len(d.found); i++ {
		d.found[i].Step = s.ID
	}
	d.done(m)
	return s
}

// id reads a step's id; models also write numbers, whose text is the one that references to it have.
func (d *decoder) id(at *location, v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	case json.Number:
		if id := d.idText(x); d.said && id != "" {
			d.repair(at.field("id"), TypeMismatch, x, id, "an id is a text")
			return id
		}
	}
	d.add(at.field("id"), TypeMismatch, "an id is a text, not %s", kindOf(v))
	return ""
}

// idText is an id as a text, "" when it is none.
func (d *decoder) idText(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case json.Number:
		if ValidID(x.String()) {
			return x.String()
		}
	}
	return ""
}

// inside makes the Refs and Concats in the values of an object.
func (d *decoder) inside(m map[string]any, at *location, depth int) {
	for k, x := range m {
		if !scalar(x) {
			d.below.Push(k, 0)
			m[k] = d.value(x, at, depth+1)
			d.below.Pop()
		}
	}
}

// value makes the Refs and Concats in a value, which is the decoder's own and is changed. at is where the outermost value stands:
// a location for each value inside would be garbage of as many objects as the plan has.
func (d *decoder) value(v any, at *location, depth int) any {
	if depth > d.lim.Depth {
		d.add(at, TooDeep, "the value is nested deeper than %d; write it flatter", d.lim.Depth)
		return nil
	}
	switch x := v.(type) {
	case reference:
		return d.ref(string(x), at)
	case []any:
		for i, e := range x {
			if !scalar(e) {
				d.below.Push("", i)
				x[i] = d.value(e, at, depth+1)
				d.below.Pop()
			}
		}
	case map[string]any:
		if _, ok := x["$ref"]; ok {
			return d.refObject(x, at)
		}
		if _, ok := x["$concat"]; ok {
			return d.concat(x, at, depth)
		}
		if s, ok := d.wireRef(x); ok {
			return d.ref(s, at)
		}
		d.inside(x, at, depth)
	}
	return v
}

func (d *decoder) refObject(m map[string]any, at *location) any {
	s, ok := m["$ref"].(string)
	switch {
	case ok && len(m) == 2 && d.said && firstOf(m, fieldRefs) != "":
		return d.value(map[string]any{"ref": s, firstOf(m, fieldRefs): m[firstOf(m, fieldRefs)]}, at, 1) // Mend knows the steps
	case !ok:
		d.add(at, BadReference, `$ref is a text such as "s1.rows[0].name", not %s`, kindOf(m["$ref"]))
	case len(m) > 1:
		d.add(at, BadReference, "a reference has the one key $ref; leave out the others")
	default:
		return d.ref(s, at)
	}
	return nil
}

// ref reads what a reference says: a Ref, or nil and a finding.
func (d *decoder) ref(s string, at *location) any {
	if t := strings.TrimSpace(s); d.said && t != s {
		d.repair(at, BadReference, s, t, "white space around a reference")
		s = t
	}
	r, err := ParseRef(s)
	if err == nil {
		return r
	}
	if plain := unspell(s); d.said && plain != s {
		if other, again := ParseRef(plain); again == nil {
			d.repair(at, BadReference, s, plain, "marks around a reference")
			return other
		}
	}
	code := BadReference
	if errors.Is(err, errNoID) && s != "" && !strings.HasPrefix(s, ".") && !strings.HasPrefix(s, "[") {
		code = DanglingReference // it names a step, by a name that no step can have
	}
	d.add(at, code, "%s", err)
	return nil
}

func (d *decoder) concat(m map[string]any, at *location, depth int) any {
	parts, ok := m["$concat"].([]any)
	if !ok || len(m) > 1 {
		d.add(at, BadReference, `a concatenation has the one key $concat, a list of texts and references`)
		return nil
	}
	out := make([]any, len(parts))
	d.below.Push("$concat", 0)
	defer d.below.Pop()
	for i, e := range parts {
		d.below.Push("", i)
		out[i] = d.value(e, at, depth+1)
		d.below.Pop()
	}
	return Concat{Parts: out}
}

// when reads {"$ref": "s1.row_count", "op": "gt", "value": 0}; {"ref": {"$ref": ...}, ...} is the same.
func (d *decoder) when(v any, at *location) *When {
	m, ok := v.(map[string]any)
	if !ok {
		d.add(at, TypeMismatch, `when is an object with $ref, op and value, not %s`, kindOf(v))
		return nil
	}
	raw, ok := m["ref"]
	raw = d.wireText(raw)
	if s, flat := m["$ref"]; flat {
		ok = true
		if text, is := s.(string); is {
			raw = reference(text)
		} else {
			raw = map[string]any{"$ref": s}
		}
	}
	if !ok {
		d.add(at, BadReference, "when needs a $ref to a value of an earlier step")
		return nil
	}
	w := When{Op: d.text(m, at, "op"), Value: d.value(m["value"], at.field("value"), 1)}
	n := len(d.found)
	r, isRef := d.value(raw, at, 1).(Ref)
	if !isRef {
		if len(d.found) == n {
			d.add(at, BadReference, "when needs a $ref to a value of an earlier step")
		}
		return nil
	}
	w.Ref = r
	d.done(m)
	return &w
}

// answer reads what the answer shows. Models also write one element without the list around it.
func (d *decoder) answer(v any) []any {
	at := top.field("answer")
	switch x := v.(type) {
	case nil:
		return nil
	case []any:
		out := make([]any, 0, len(x))
		for i, e := range x {
			out = append(out, d.value(e, at.item(i), 1))
		}
		if len(out) == 0 {
			return nil
		}
		return out
	}
	return []any{d.value(v, at, 1)}
}

// pastRepairs reads the repairs of a stored plan.
func (d *decoder) pastRepairs(v any) []Repair {
	raw, err := json.Marshal(v)
	var out []Repair
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		d.add(top.field("repairs"), TypeMismatch, "repairs is a list of {path, code, from, to, why}")
	}
	return out
}

// UnmarshalJSON reads a plan in the form of the plan schema, strictly: no other names, no lenient JSON. The error is
// Findings. Numbers in it are json.Number.
func (p *Plan) UnmarshalJSON(data []byte) error {
	v, f := strictTree(string(data), DefaultLimits)
	if len(f) > 0 {
		return f
	}
	d := decoder{lim: DefaultLimits}
	q := d.plan(v)
	if len(d.found) > 0 {
		return d.found
	}
	*p = q
	return nil
}
