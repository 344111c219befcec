package wireschema

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Forms of values that are worth a name: longer than shortForm bytes, and written at least oftenForm times.
const (
	shortForm = 36
	oftenForm = 3
)

// share writes forms of values that come again and again once, under $defs, and a reference everywhere else: a schema
// of many tools then has half the tokens.
func share(root object) object {
	count := map[string]int{}
	each(root, func(s object) object {
		count[string(encode(s))]++
		return s
	})
	often := slices.DeleteFunc(slices.Collect(maps.Keys(count)), func(text string) bool {
		return count[text] < oftenForm || len(text) < shortForm
	})
	slices.SortFunc(often, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	names := make(map[string]string, len(often))
	for i, text := range often {
		names[text] = fmt.Sprintf("t%d", i+1)
	}
	defs, _ := root.get("$defs").(object)
	shared := map[string]object{}
	out := each(root, func(s object) object {
		name := names[string(encode(s))]
		if name == "" {
			return s
		}
		shared[name] = s
		return object{{"$ref", "#/$defs/" + name}}
	})
	for _, text := range often {
		if s, ok := shared[names[text]]; ok {
			defs = append(defs, member{names[text], s})
		}
	}
	return append(slices.DeleteFunc(out, func(m member) bool { return m.key == "$defs" }), member{"$defs", defs})
}

// each calls do for every form of a value in a schema, the outermost first, and puts what it gives in its place. What
// do replaced is not looked into.
func each(s object, do func(object) object) object {
	out := slices.Clone(s)
	for i, m := range out {
		switch x := m.value.(type) {
		case object:
			switch m.key {
			case "items":
				out[i].value = inner(x, do)
			case "properties":
				out[i].value = eachField(x, do)
			}
		case []any:
			out[i].value = eachForm(x, do)
		}
	}
	return out
}

// eachField is each of the schemas of the members of an object.
func eachField(fields object, do func(object) object) object {
	out := slices.Clone(fields)
	for i, f := range out {
		if s, ok := f.value.(object); ok {
			out[i].value = inner(s, do)
		}
	}
	return out
}

// eachForm is each of the schemas of a list; values that are none stay.
func eachForm(list []any, do func(object) object) []any {
	out := slices.Clone(list)
	for i, form := range out {
		if s, ok := form.(object); ok {
			out[i] = inner(s, do)
		}
	}
	return out
}

func inner(s object, do func(object) object) object {
	to := do(s)
	if to.get("$ref") != nil {
		return to
	}
	return each(to, do)
}
