package plan

import (
	"regexp"
	"strings"
)

// spelledRef are the ways in which models write a reference into a text: {{s1.x}}, ${s1.x}, $s1.x$, <s1.x>, $s1.x, $.s1.x.
var spelledRef = regexp.MustCompile(`\{\{\s*([^{}]+?)\s*\}\}|\$\{\s*([^{}]+?)\s*\}|<([A-Za-z0-9_-]+[.\[][^<>]*)>|\$\.?([A-Za-z0-9_-]+(?:(?:\.[A-Za-z_][A-Za-z0-9_]*)|\[[^\]]*\])+)\$?`)

// references replaces references that are written into texts by Refs, and texts with references inside by Concats. Only ids
// of steps of this plan count. The plan is what a model wrote: results of tools never pass through here.
func (r *repairing) references(v any) any {
	switch x := v.(type) {
	case string:
		return r.spelled(x)
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = r.references(e)
		}
		return out
	case map[string]any:
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
	if !strings.ContainsAny(s, "{$<") {
		return s
	}
	var parts []any
	end := 0
	for _, m := range spelledRef.FindAllStringSubmatchIndex(s, -1) {
		ref, ok := r.known(group(s, m))
		if !ok {
			continue
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

func (r *repairing) known(s string) (Ref, bool) {
	ref, err := ParseRef(s)
	return ref, err == nil && r.ids[ref.Step]
}

// bare reads a text that is nothing but a reference with a path into rows: "s1.rows[*].client_id", or "$s1". Without
// brackets or $ it could be a file's or a host's name.
func (r *repairing) bare(s string) (Ref, bool) {
	if id, ok := strings.CutPrefix(s, "$"); ok && r.ids[id] && (id[0] < '0' || id[0] > '9') {
		return Ref{Step: id}, true
	}
	if !strings.Contains(s, "[") || strings.ContainsAny(s, "{}$<> ") {
		return Ref{}, false
	}
	return r.known(s)
}
