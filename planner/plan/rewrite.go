package plan

// Rewritten is a copy of the step with leaf applied to everything that its arguments, its condition and its each hold: texts,
// numbers, booleans, nil and references (Ref). What leaf makes of a reference that stands alone, in each or when, must be one, else
// it stays. key, where it is not nil, is applied to the keys of the arguments, at every depth. The step is not changed.
func (s Step) Rewritten(leaf func(any) any, key func(string) string) Step {
	s.Args, _ = Rewrite(s.Args, leaf, key).(map[string]any)
	if s.Each != nil {
		each := rewrittenRef(*s.Each, leaf)
		s.Each = &each
	}
	if s.When != nil {
		s.When = &When{Ref: rewrittenRef(s.When.Ref, leaf), Op: s.When.Op, Value: Rewrite(s.When.Value, leaf, key)}
	}
	return s
}

func rewrittenRef(r Ref, leaf func(any) any) Ref {
	if out, ok := leaf(r).(Ref); ok {
		return out
	}
	return r
}

// Rewrite is a copy of a tree of arguments with leaf applied to all that is no list, no object and no Concat, and key, where it is
// not nil, to the keys of objects. The tree is not changed; a nil object becomes an empty one.
func Rewrite(v any, leaf func(any) any, key func(string) string) any {
	switch x := v.(type) {
	case Concat:
		return Concat{Parts: rewriteAll(x.Parts, leaf, key)}
	case []any:
		return rewriteAll(x, leaf, key)
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			if key != nil {
				k = key(k)
			}
			out[k] = Rewrite(e, leaf, key)
		}
		return out
	}
	return leaf(v)
}

func rewriteAll(list []any, leaf func(any) any, key func(string) string) []any {
	out := make([]any, len(list))
	for i, e := range list {
		out[i] = Rewrite(e, leaf, key)
	}
	return out
}
