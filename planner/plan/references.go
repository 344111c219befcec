package plan

import (
	"catena/planner/loosejson"
	"regexp"
	"slices"
	"strings"
)

// references checks each reference in a step's arguments: that its step exists, that the result can have such a part, and
// that the part can be what the argument takes. c is nil when the step's own tool is not known.
func (v *validation) references(s Step, c *call) {
	var in []*schema
	if c != nil && c.in.Schema != nil {
		v.input[0] = c.in.Schema
		in = v.input[:]
	}
	v.walk(s, s.Args, in)
}

// walk goes through a value with the schemas that describe it; none means that nothing is known of it.
func (v *validation) walk(s Step, x any, in []*schema) {
	switch y := x.(type) {
	case Ref:
		v.reference(s, y, in)
	case *Ref:
		if y != nil {
			v.reference(s, *y, in)
		}
	case Concat:
		v.joined(s, y, in)
		v.at.Push("$concat", 0)
		for i, e := range y.Parts {
			v.at.Push("", i)
			v.walk(s, e, nil)
			v.at.Pop()
		}
		v.at.Pop()
	case []any:
		for i, e := range y {
			if scalar(e) {
				continue
			}
			v.at.Push("", i)
			v.walk(s, e, within(in, func(p *schema) []*schema { return element(p, i) }))
			v.at.Pop()
		}
	case map[string]any:
		n := len(v.found)
		for k, e := range y {
			if scalar(e) {
				continue
			}
			v.at.Push(k, 0)
			v.walk(s, e, within(in, func(p *schema) []*schema { f, _ := property(p, k); return f }))
			v.at.Pop()
		}
		v.sort(n)
	}
}

// computes matches a text that only makes sense as arithmetic around the values that it is joined to.
var computes = regexp.MustCompile(`^[\s\d.()]*[-+*/%^][\s\d.()+*/%^-]*$`)

// timeParts matches the texts that may be joined to a part of a date or time.
var timeParts = regexp.MustCompile(`^[\dTZ:.+-]*$`)

// joined checks a text made of parts against what takes it: it is a text, and what it says is not known before the step runs.
func (v *validation) joined(s Step, c Concat, in []*schema) {
	if len(in) == 0 {
		return
	}
	texts := ""
	for _, p := range c.Parts {
		if text, ok := p.(string); ok {
			texts += text
		}
	}
	takes, form, closed := kinds(0), "", false
	for _, p := range in {
		takes |= allowed(p, 0)
		closed = closed || slices.ContainsFunc(parts(p, 0, nil), func(q *schema) bool { return q.Enum != nil || q.Const != nil })
		if form == "" {
			form = format(p)
		}
	}
	switch timed := slices.Contains([]string{"date", "date-time", "time", "duration"}, form); {
	case takes&kindText == 0, takes&(kindNumber|kindBool) != 0 && computes.MatchString(texts):
		v.add(TypeMismatch, s.ID, v.at.String(), "a plan does not compute: texts and references joined are a text, but %s is wanted; use a tool for it", takes)
	case closed:
		v.add(Enum, s.ID, v.at.String(), "texts and references joined are none of the allowed values")
	case form == TableRef, form == TableName:
		v.add(ReferenceType, s.ID, v.at.String(), `a table is passed by reference, as in {"$ref":"s1"}, with no text around it`)
	case timed && !timeParts.MatchString(texts):
		v.add(Format, s.ID, v.at.String(), "%s is wanted; a plan does not compute one", form)
	}
}

// scalar reports whether a value can hold no reference.
func scalar(v any) bool {
	switch v.(type) {
	case Ref, *Ref, Concat, reference, []any, map[string]any:
		return false
	}
	return true
}

func within(in []*schema, f func(*schema) []*schema) []*schema {
	if len(in) == 1 {
		return f(in[0])
	}
	var out []*schema
	for _, p := range in {
		out = append(out, f(p)...)
	}
	if out = distinct(out); len(out) > maxParts {
		return nil // too many to say anything
	}
	return out
}

// reference checks one reference against what takes it.
func (v *validation) reference(s Step, r Ref, in []*schema) {
	o, ok := v.target(s, r)
	if !ok || len(in) == 0 {
		return
	}
	takes := kinds(0)
	form := ""
	for _, p := range in {
		takes |= allowed(p, 0)
		if form == "" {
			form = format(p)
		}
	}
	if takes&o.kinds == 0 {
		hint := ""
		if o.kinds == kindList && r.HasAll() && s.Each == nil {
			hint = "; to call the tool once for each, give the list to each and write {\"$ref\":\"each\"} here"
		}
		v.add(ReferenceType, s.ID, v.at.String(), "%s is %s, but %s is wanted%s", r, o.kinds, takes, hint)
		return
	}
	if form != TableRef && form != TableName && takes&(kindObject|kindList) == 0 && len(o.schemas) > 0 && !slices.ContainsFunc(o.schemas, func(s *schema) bool { return format(s) != TableRef }) {
		v.add(ReferenceType, s.ID, v.at.String(), "%s is a table, but %s is wanted", r, takes)
		return
	}
	if form == TableRef && takes&(kindObject|kindList) == 0 && !o.table && len(o.schemas) > 0 && !v.givesTable(o) {
		v.add(ReferenceType, s.ID, v.at.String(), "%s is no table", r)
	}
}

func (v *validation) givesTable(o outcome) bool {
	return slices.ContainsFunc(o.schemas, func(s *schema) bool { return format(s) == TableRef })
}

// target finds what a reference refers to; false when that was reported or cannot be known.
func (v *validation) target(s Step, r Ref) (outcome, bool) {
	if r.Step == Each {
		return v.elementOf(s, r)
	}
	i, ok := v.graph.Index(r.Step)
	if !ok {
		v.add(DanglingReference, s.ID, v.at.String(), "%s refers to a step %s, which is not in the plan%s", r, loosejson.Shown(r.Step), suggestion(r.Step, thereAre, v.ids()))
		return outcome{}, false
	}
	c := v.calls[i]
	if c == nil {
		return outcome{}, false
	}
	if v.plan.Steps[i].Each != nil { // the results of an each are put together: their schema is not the tool's
		return unknown(), true
	}
	o, code, why := follow(c.out, r.Path)
	if code != "" {
		v.add(code, s.ID, v.at.String(), "%s: %s", r, why)
		return outcome{}, false
	}
	return o, true
}

// elementOf finds what {"$ref":"each..."} refers to.
func (v *validation) elementOf(s Step, r Ref) (outcome, bool) {
	if s.Each == nil {
		v.add(BadReference, s.ID, v.at.String(), "each has no meaning in a step without each")
		return outcome{}, false
	}
	i, ok := v.graph.Index(s.Each.Step)
	if !ok || v.calls[i] == nil || v.plan.Steps[i].Each != nil {
		return outcome{}, false // reported where each stands
	}
	element := slices.Clone(s.Each.Path)
	if !s.Each.HasAll() {
		element = append(element, Seg{All: true})
	}
	o, code, why := follow(v.calls[i].out, append(element, r.Path...))
	if code != "" {
		v.add(code, s.ID, v.at.String(), "%s: %s", r, why)
		return outcome{}, false
	}
	if o.list && !r.HasAll() { // one element of the list that each goes through
		o.kinds = some(o.schemas).kinds
	}
	return o, true
}

func (v *validation) ids() []string {
	var out []string
	for _, s := range v.plan.Steps[:min(len(v.plan.Steps), 20)] {
		out = append(out, s.ID)
	}
	return out
}

// each checks that a step's each is a list.
func (v *validation) each(s Step) {
	if s.Each.Step == Each {
		v.add(BadReference, s.ID, v.at.String(), "each refers to a list of an earlier step, not to itself")
		return
	}
	o, ok := v.target(s, *s.Each)
	if !ok {
		return
	}
	if o.table {
		v.add(ReferenceType, s.ID, v.at.String(), "%s is a table; to go through its rows write %s.rows", *s.Each, *s.Each)
	} else if o.kinds&kindList == 0 {
		v.add(ReferenceType, s.ID, v.at.String(), "each goes through a list; %s is %s", *s.Each, o.kinds)
	}
}

func (v *validation) when(s Step) {
	if s.When.Ref.Step == Each {
		v.add(BadReference, s.ID, v.at.String(), "when is about the whole step; it cannot refer to an element of each")
	} else {
		v.target(s, s.When.Ref)
	}
	if !slices.Contains(whenOps, s.When.Op) {
		v.add(Enum, s.ID, v.at.String()+"/op", "op must be one of %s, not %s", strings.Join(whenOps, ", "), loosejson.Shown(s.When.Op))
	}
	v.at.Push("value", 0)
	v.walk(s, s.When.Value, nil)
	v.at.Pop()
}

// answers checks what the plan's answer refers to.
func (v *validation) answers() {
	for i, a := range v.plan.Answer {
		v.at = append(v.at[:0], loosejson.Part{Key: "answer"}, loosejson.Part{Index: i})
		if s, ok := a.(string); ok {
			if r, ok := v.lost(s); ok {
				v.add(DanglingReference, "", v.at.String(), "%s refers to a step %s, which is not in the plan%s", loosejson.Shown(s), loosejson.Shown(r.Step), suggestion(r.Step, thereAre, v.ids()))
			}
			if v.unread(s) || v.namesStep(s, wholeSentence) {
				v.add(BadReference, "", v.at.String(), cannotCompute, loosejson.Shown(s))
			}
			if c, bad := control(s); bad {
				v.add(ControlChar, "", v.at.String(), "the text holds the control character %q; leave it out", c)
			}
		}
		v.walk(Step{}, a, nil)
	}
}
