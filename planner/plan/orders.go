package plan

import (
	"encoding/json"
	"strings"
)

// orders checks what steps were said to wait for: by their references they must wait for the same, at least in the end. Each
// value of waits is an id or a list of ids.
func (d *decoder) orders(steps []any, waits map[int]any) {
	if len(waits) == 0 {
		return
	}
	place := map[string]int{}
	for i, s := range steps {
		if m, ok := s.(map[string]any); ok && m["id"] != nil {
			place[d.idText(m["id"])] = i
		}
	}
	named := make([][]int, len(steps)) // whose ids stand in the step, in a reference of whatever spelling
	for i, s := range steps {
		named[i] = idsIn(s, place)
	}
	for i := range steps {
		if w, ok := waits[i]; ok {
			d.waitsFor(i, w, place, named)
		}
	}
}

func (d *decoder) waitsFor(i int, w any, place map[string]int, named [][]int) {
	names, ok := w.([]any)
	if !ok && w != nil && w != "" {
		names = []any{w}
	}
	if len(names) == 0 {
		return
	}
	needs := map[int]bool{}
	for todo := named[i]; len(todo) > 0; todo = todo[1:] {
		if j := todo[0]; !needs[j] {
			needs[j] = true
			todo = append(todo, named[j]...)
		}
	}
	for _, n := range names {
		if j, known := place[d.idText(n)]; !known || !needs[j] {
			d.add(top.field("steps").item(i), BadReference, "the step is to wait for %v, but uses nothing of it; steps wait for those that they refer to", n)
		}
	}
}

// idsIn are the steps whose ids stand in what a step says beside its own id.
func idsIn(step any, place map[string]int) []int {
	m, ok := step.(map[string]any)
	if !ok {
		return nil
	}
	raw, err := json.Marshal([]any{m["args"], m["each"], m["when"]})
	if err != nil {
		return nil
	}
	var out []int
	for _, word := range strings.FieldsFunc(string(raw), func(r rune) bool { return r >= 0x80 || !idByte(byte(r)) }) {
		if j, ok := place[word]; ok {
			out = append(out, j)
		}
	}
	return out
}
