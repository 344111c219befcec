package plan

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// spelledRef are the ways in which models write a reference into a text: {{s1.x}}, ${s1.x}, {s1.x}, <s1.x>, $s1.x$, $s1.x, $.s1.x,
// #E1.
var spelledRef = regexp.MustCompile(`\$?\{\{\s*([^{}]+?)\s*\}\}|\$\{\s*([^{}]+?)\s*\}|\{([A-Za-z0-9_-]+[.\[][^{}"]*)\}|<([A-Za-z0-9_-]+[.\[][^<>]*)>|` +
	`\$\.?([A-Za-z0-9_-]+(?:(?:\.[A-Za-z_][A-Za-z0-9_]*)|\[[^\]]*\])+)\$?|#([A-Z][0-9]+(?:(?:\.[A-Za-z_][A-Za-z0-9_]*)|\[[^\]]*\])*)\b`)

// references replaces references that are written into texts by Refs, and texts with references inside by Concats. Only ids
// of steps of this plan count. The plan is what a model wrote: results of tools never pass through here.
func (r *repairing) references(v any) any {
	switch x := v.(type) {
	case string:
		return r.spelled(x)
	case Ref:
		return r.inPlan(x)
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = r.references(e)
		}
		return out
	case Concat:
		out := make([]any, len(x.Parts))
		for i, e := range x.Parts {
			out[i] = e
			if ref, ok := e.(Ref); ok {
				out[i] = r.inPlan(ref)
			}
		}
		return Concat{Parts: out}
	case map[string]any:
		if ref, ok := r.split(x); ok {
			r.note(BadReference, x, ref, "a reference written as an object")
			return ref
		}
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[k] = r.references(e)
		}
		return out
	}
	return v
}

// maxSpelled bounds the texts that are searched.
const maxSpelled = 16 << 10

func (r *repairing) spelled(s string) any {
	if len(s) > maxSpelled {
		return s
	}
	if ref, ok := r.bare(s); ok {
		r.note(BadReference, s, ref, "a reference written as a text")
		return ref
	}
	if !strings.ContainsAny(s, "{$<#") {
		return s
	}
	var parts []any
	end := 0
	for _, m := range spelledRef.FindAllStringSubmatchIndex(s, -1) {
		ref, ok := r.known(group(s, m))
		if !ok {
			continue
		}
		if goesOnAs.MatchString(s[m[1]:]) {
			return s
		}
		if m[0] > end {
			parts = append(parts, s[end:m[0]])
		}
		parts, end = append(parts, ref), m[1]
	}
	if len(parts) == 0 {
		return s
	}
	if end < len(s) {
		parts = append(parts, s[end:])
	}
	if len(parts) == 1 {
		r.note(BadReference, s, parts[0], "a reference written as a text")
		return parts[0]
	}
	c := Concat{Parts: parts}
	r.note(BadReference, s, c, "references written inside a text")
	return c
}

// group returns what one of the alternatives of spelledRef holds.
func group(s string, m []int) string {
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			return s[m[i]:m[i+1]]
		}
	}
	return ""
}

// operation matches what a template does with a value, in place of a field's name: total * 2, name | upper, name.trim(), x or 5.
var operation = regexp.MustCompile(`[|?*+=<>!&;]|\w\(| [-/] | (?:or|and|if|else) `)

// goesOnAs matches code that goes on behind a reference in a text: .upper(), [0:5], + ' km'.
var goesOnAs = regexp.MustCompile(`^(?:\.\w+\(|\[[\d:-]+\]|\s*\+\s*['"])`)

// known reads a reference to a step of the plan: by its id, or by what models call the steps instead.
func (r *repairing) known(s string) (Ref, bool) {
	ref, err := ParseRef(unspell(s))
	if err != nil || ref.Step == Each || slices.ContainsFunc(ref.Path, func(p Seg) bool { return operation.MatchString(p.Field) }) {
		return Ref{}, false
	}
	if !r.ids[ref.Step] {
		if len(ref.Path) == 0 && ref.Step[0] >= '0' && ref.Step[0] <= '9' { // {{1}} is a place in somebody's template
			return Ref{}, false
		}
		if ref.Step = r.nearStep(ref.Step); ref.Step == "" {
			return Ref{}, false
		}
	}
	return ref, true
}

// unspell takes a reference out of the marks that models put around it.
func unspell(s string) string {
	s = strings.TrimSpace(s)
	for _, b := range [][2]string{{"{{", "}}"}, {"${", "}"}, {"{", "}"}, {"<", ">"}, {"[[", "]]"}, {"$(", ")"}, {"%", "%"}, {"$", "$"}} {
		if len(s) > len(b[0])+len(b[1]) && strings.HasPrefix(s, b[0]) && strings.HasSuffix(s, b[1]) {
			s = strings.TrimSpace(s[len(b[0]) : len(s)-len(b[1])])
			break
		}
	}
	for _, p := range []string{"$ref:", "ref:", "$.", "$", "#/", "#", "@", "steps.", "steps/"} {
		s = strings.TrimPrefix(s, p)
	}
	if i := strings.IndexAny(s, "/>"); i > 0 && !strings.ContainsAny(s, ".[ ") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "->", "."), "/", ".")
	}
	return s
}

var numberedStep = regexp.MustCompile(`^(?i:steps?|s|e|result|output)?[ _-]?([0-9]{1,3})$`)

// nearStep finds the one step that is meant by a name that is no id: the id in another case, or the step's number, as in
// step1 and E1 for s1. The number is that in the ids where they have any, else the place.
func (r *repairing) nearStep(name string) string {
	if !r.take(len(r.plan.Steps)) {
		return ""
	}
	ids := make([]string, len(r.plan.Steps))
	for i, s := range r.plan.Steps {
		ids[i] = s.ID
	}
	only := r.onlyLike(name, ids, otherSpelling)
	m := numberedStep.FindStringSubmatch(name)
	if only != "" || m == nil {
		return only
	}
	numbered := false
	for _, s := range r.plan.Steps {
		n := numberedStep.FindStringSubmatch(s.ID)
		numbered = numbered || n != nil
		if n != nil && n[1] == m[1] {
			if only != "" {
				return ""
			}
			only = s.ID
		}
	}
	if place, err := strconv.Atoi(m[1]); err == nil && !numbered && place >= 1 && place <= len(r.plan.Steps) {
		return r.plan.Steps[place-1].ID
	}
	return only
}

// holders are the names by which models call what holds all results.
var holders = []string{"steps", "outputs", "results", "nodes", "tasks"}

// inPlan corrects the step that a reference names.
func (r *repairing) inPlan(ref Ref) Ref {
	if r.ids[ref.Step] || ref.Step == Each {
		return ref
	}
	id, path := r.nearStep(ref.Step), ref.Path
	if id == "" && slices.Contains(holders, ref.Step) && len(path) > 0 && r.ids[path[0].Field] {
		id, path = path[0].Field, path[1:]
	}
	if id != "" {
		to := Ref{Step: id, Path: path}
		r.note(DanglingReference, ref, to, "the only step that can be meant")
		return to
	}
	return ref
}

// The keys of references that models write as objects: {"ref": "s1.x"}, {"step": "s1", "field": "x"}.
var (
	refKeys   = []string{"ref", "reference", "$reference", "$Ref", "$REF", "@ref", "_ref", "$var", "$step", "$from", "from_step"}
	stepRefs  = []string{"$ref", "ref", "step", "step_id", "from", "from_step", "source", "node"}
	fieldRefs = []string{"field", "output", "path", "key", "property", "output_field", "name", "$path"}
)

// split reads such an object.
func (r *repairing) split(m map[string]any) (Ref, bool) {
	switch len(m) {
	case 1:
		if k := firstOf(m, refKeys); k != "" {
			if s, ok := m[k].(string); ok && (s == "" || s[0] < '0' || s[0] > '9' || r.ids[s]) {
				return r.known(s)
			}
		}
	case 2:
		step, _ := m[firstOf(m, stepRefs)].(string)
		field, ok := m[firstOf(m, fieldRefs)].(string)
		if !ok || step == "" || field == "" || !r.ids[step] && (step[0] <= '9' || r.nearStep(step) == "") {
			return Ref{}, false
		}
		if field[0] != '[' {
			field = "." + strings.TrimPrefix(strings.TrimPrefix(field, "$"), ".")
		}
		return r.known(step + field)
	}
	return Ref{}, false
}

// bare reads a text that is nothing but a reference with a path into rows: "s1.rows[*].client_id", or "$s1", "#E1". Without
// brackets or marks it could be a file's or a host's name.
func (r *repairing) bare(s string) (Ref, bool) {
	for _, mark := range []string{"$", "#", "@"} {
		id, ok := strings.CutPrefix(s, mark)
		if !ok || id == "" || id[0] >= '0' && id[0] <= '9' {
			continue
		}
		if ref, ok := r.known(id); ok && (r.ids[id] || mark == "#" || mark == "@" && r.ids[ref.Step] && len(ref.Path) > 0) {
			return ref, true
		}
	}
	if !strings.Contains(s, "[") || strings.ContainsAny(s, "{}$<> ") {
		return Ref{}, false
	}
	ref, err := ParseRef(s)
	return ref, err == nil && r.ids[ref.Step]
}

var (
	ofStep  = regexp.MustCompile(`(?i)^(?:the )?(?:(?:output|result|table|data|value|rows|dataframe)s? )+(?:of|from|in) (?:the )?(step[ _]?[0-9]+|[A-Za-z0-9_-]+)$`)
	stepsOf = regexp.MustCompile(`(?i)^(step[ _]?[0-9]+|[A-Za-z0-9_-]+)(?:'s| ?_?)(?:output|result|table)s?$`)
	before  = regexp.MustCompile(`(?i)^(?:the )?(?:(?:output|result|table)s? (?:of|from) (?:the )?)?(?:previous|prior|last|preceding) (?:step|output|result|table)(?:'s (?:output|result|table))?$`)
	justOne = regexp.MustCompile(`(?i)^(step[ _]?[0-9]+)$`)
)

// wanted reads a text where no text can be meant as a reference, also without marks and in words: "s1.table", "output of
// step 1".
func (r *repairing) wanted(s string) (Ref, bool) {
	if len(s) > 200 || plainNumber.MatchString(strings.TrimSpace(s)) {
		return Ref{}, false
	}
	if before.MatchString(strings.TrimSpace(s)) && r.at > 0 {
		return Ref{Step: r.plan.Steps[r.at-1].ID}, true
	}
	if ref, err := ParseRef(unspell(s)); err == nil && r.ids[ref.Step] {
		return r.known(s)
	}
	for _, re := range []*regexp.Regexp{ofStep, stepsOf, justOne} {
		m := re.FindStringSubmatch(strings.TrimSpace(s))
		if m == nil {
			continue
		}
		if id := strings.TrimRight(m[1], "_ "); r.ids[id] {
			return Ref{Step: id}, true
		} else if id := r.nearStep(id); id != "" {
			return Ref{Step: id}, true
		}
	}
	return Ref{}, false
}

// through are fields by which models go from a step to its result, where there is nothing to go through.
var through = []string{"output", "outputs", "result", "results", "response", "return", "value"}

// indexed has a number behind a dot mean an element where a list stands and nothing is called so: s1.rows.0.id.
func indexed(ref Ref, out outcome) Ref {
	to := Ref{Step: ref.Step, Path: slices.Clone(ref.Path)}
	for i, seg := range ref.Path {
		n, err := strconv.Atoi(seg.Field)
		if err != nil || strconv.Itoa(n) != seg.Field || i == 0 {
			continue
		}
		_, asField, _ := follow(out, to.Path[:i+1])
		to.Path[i] = Seg{Index: n}
		_, asElement, _ := follow(out, to.Path[:i+1])
		records := to.Path[i-1].Field == rowsField
		if asElement != "" || asField == "" && !records {
			to.Path[i] = seg
		}
	}
	return to
}

// result corrects a reference's path by the output schema of its step: a field in another case, a field that only stands for
// the result.
func (r *repairing) result(ref Ref) Ref {
	schema := r.output(ref.Step)
	if len(ref.Path) == 0 {
		return ref
	}
	out := whole(schema)
	if to := indexed(ref, out); to.String() != ref.String() {
		r.note(UnknownOutputField, ref, to, "a number with a dot before it is an element of a list")
		ref = to
	}
	if schema == nil {
		return ref
	}
	if _, code, _ := follow(out, ref.Path); code == "" {
		return ref
	}
	if slices.Contains(through, strings.ToLower(ref.Path[0].Field)) {
		if _, code, _ := follow(out, ref.Path[1:]); code == "" {
			to := Ref{Step: ref.Step, Path: ref.Path[1:]}
			r.note(UnknownOutputField, ref, to, "the field stands for the result itself")
			return to
		}
	}
	to := Ref{Step: ref.Step, Path: slices.Clone(ref.Path)}
	for i, seg := range to.Path {
		o, code, _ := follow(out, to.Path[:i])
		if code != "" || seg.Field == "" {
			continue
		}
		var names []string
		for _, s := range o.schemas {
			names = append(names, fieldNames(s)...)
		}
		if name := r.onlyLike(seg.Field, names, otherSpelling); name != "" {
			to.Path[i].Field = name
		}
	}
	if _, code, _ := follow(out, to.Path); code != "" || to.String() == ref.String() {
		return ref
	}
	r.note(UnknownOutputField, ref, to, "the only field with a name like it")
	return to
}
