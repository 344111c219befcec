package run

import (
	"cmp"
	"regexp"
	"strings"
	"unicode/utf8"

	"catena/table"
)

func textMap(f func(string) string) kernel {
	return lift1(textLane, textLane, func(s string) (string, bool) { return f(s), true })
}

func textTest(f func(a, b string) bool) function {
	k := lift2(textLane, textLane, boolLane, func(a, b string) (bool, bool) { return f(a, b), true })
	return function{2, 2, typed(table.Bool, k, table.Text, table.Text)}
}

func init() {
	text, whole := table.Text, table.Int
	register(map[string]function{
		"contains": textTest(
			strings.Contains,
		), "starts_with": textTest(strings.HasPrefix), "ends_with": textTest(strings.HasSuffix),
		"lower":   {1, 1, typed(text, textMap(strings.ToLower), text)},
		"upper":   {1, 1, typed(text, textMap(strings.ToUpper), text)},
		"reverse": {1, 1, typed(text, textMap(reversed), text)},
		"length": {1, 1, typed(whole, lift1(textLane, intLane, func(s string) (int64, bool) {
			return int64(utf8.RuneCountInString(s)), true
		}), text)},
		"ascii": {1, 1, typed(whole, lift1(textLane, intLane, func(s string) (int64, bool) {
			r, n := utf8.DecodeRuneInString(s)
			return int64(r), n > 0
		}), text)},
		"chr": {1, 1, typed(text, lift1(intLane, textLane, func(i int64) (string, bool) {
			return string(rune(i)), i > 0 && i <= utf8.MaxRune && utf8.ValidRune(rune(i))
		}), whole)},
		"position": {2, 2, typed(whole, lift2(textLane, textLane, intLane, position), text, text)},
		"replace": {3, 3, typed(text, making(func(m *maker) kernel {
			return lift3(textLane, textLane, textLane, textLane, m.replace)
		}), text, text, text)},
		"split": {3, 3, typed(text, lift3(textLane, textLane, intLane, textLane, splitPart), text, text, whole)},
		"repeat": {2, 2, typed(text, making(func(m *maker) kernel {
			return lift2(textLane, intLane, textLane, m.repeat)
		}), text, whole)},
		"trim": trimming(strings.Trim), "ltrim": trimming(strings.TrimLeft), "rtrim": trimming(strings.TrimRight),
		"lpad": padding(
			func(s, fill string) string { return fill + s },
		), "rpad": padding(func(s, fill string) string { return s + fill }),
		"substring":      {2, 3, buildSubstring},
		"concat":         {1, -1, buildConcat(true)},
		"join_text":      {1, -1, buildConcat(false)},
		"like":           {2, 3, buildLike("(?s)")},
		"ilike":          {2, 3, buildLike("(?si)")},
		"matches":        {2, 2, buildMatches},
		"regexp_replace": {3, 3, buildRegexpReplace},
	})
}

func reversed(s string) string {
	b := make([]byte, 0, len(s))
	for len(s) > 0 {
		_, n := utf8.DecodeLastRuneInString(s)
		b = append(b, s[len(s)-n:]...)
		s = s[:len(s)-n]
	}
	return string(b)
}

// position is where b begins in a, in characters.
func position(a, b string) (int64, bool) {
	i := strings.Index(a, b)
	if i < 0 {
		return 0, true
	}
	return int64(utf8.RuneCountInString(a[:i])) + 1, true
}

func (m *maker) replace(s, old, with string) (string, bool) {
	if old == "" {
		return s, true
	}
	size := int64(len(s)) + int64(strings.Count(s, old))*int64(len(with)-len(old))
	if !m.takes(size) {
		return "", false
	}
	return strings.ReplaceAll(s, old, with), true
}

// splitPart is the n-th part, from 1.
func splitPart(s, separator string, n int64) (string, bool) {
	if separator == "" || n < 1 {
		return s, separator == "" && n == 1
	}
	for ; n > 1; n-- {
		_, rest, ok := strings.Cut(s, separator)
		if !ok {
			return "", false
		}
		s = rest
	}
	part, _, _ := strings.Cut(s, separator)
	return part, true
}

func (m *maker) repeat(s string, n int64) (string, bool) {
	if n <= 0 || s == "" {
		return "", true
	}
	if size := min(n, maxText+1) * int64(len(s)); !m.takes(size) { // no more is multiplied than shows that it is too much
		return "", false
	}
	return strings.Repeat(s, int(n)), true
}

// trimming takes characters off; spaces where none are given.
func trimming(f func(s, cut string) string) function {
	k := lift2(textLane, textLane, textLane, func(s, cut string) (string, bool) { return f(s, cut), true })
	build := typed(table.Text, k, table.Text, table.Text)
	return function{1, 2, func(c *compiler, args []*node) (*node, error) {
		if len(args) == 1 {
			args = append(args, constant(table.TextValue(" ")))
		}
		return build(c, args)
	}}
}

// padding fills a text up to so many characters, or cuts it.
func padding(join func(s, fill string) string) function {
	k := making(func(m *maker) kernel {
		return lift3(textLane, intLane, textLane, textLane, func(s string, n int64, fill string) (string, bool) {
			have := int64(utf8.RuneCountInString(s))
			switch {
			case n <= have:
				return characters(s, 0, max(n, 0)), true
			case fill == "":
				return s, true
			case !m.takes(min(n, maxText+1) + int64(len(fill))):
				return "", false
			}
			missing := n - have
			filled := strings.Repeat(fill, int(missing)/utf8.RuneCountInString(fill)+1)
			return join(s, characters(filled, 0, missing)), true
		})
	})
	build := typed(table.Text, k, table.Text, table.Int, table.Text)
	return function{2, 3, func(c *compiler, args []*node) (*node, error) {
		if len(args) == 2 {
			args = append(args, constant(table.TextValue(" ")))
		}
		return build(c, args)
	}}
}

// characters are those of a text from the place lo, from 0, up to hi.
func characters(s string, lo, hi int64) string {
	if hi <= lo {
		return ""
	}
	return s[byteOf(s, lo):byteOf(s, hi)]
}

// byteOf is where a character begins; the end of the text where there are fewer.
func byteOf(s string, n int64) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

const allCharacters = 1 << 40

// buildSubstring counts from 1, and from the end where from is negative. Characters before the first are counted, as
// SQL does.
func buildSubstring(c *compiler, args []*node) (*node, error) {
	if len(args) == 2 {
		args = append(args, constant(table.IntValue(allCharacters)))
	}
	return typed(table.Text, lift3(textLane, intLane, intLane, textLane, func(s string, from, n int64) (string, bool) {
		n = min(max(n, 0), allCharacters)
		from = min(max(from, -allCharacters), allCharacters)
		if from < 0 {
			from += int64(utf8.RuneCountInString(s)) + 1
		}
		return characters(s, max(from-1, 0), from-1+n), true
	}), table.Text, table.Int, table.Int)(c, args)
}

// buildConcat joins texts; nulls are left out or make the result null.
func buildConcat(skip bool) builder {
	return func(c *compiler, args []*node) (*node, error) {
		s := of(table.Text)
		for i, a := range args {
			var err error
			if args[i], err = c.cast(a, table.Text, -1, false); err != nil {
				return nil, err
			}
		}
		if !skip {
			return apply(s, making(joinTexts), args...), nil
		}
		return &node{shape: s, column: -1, eval: func(b *block) (vec, error) {
			vs := make([]vec, len(args))
			for i, a := range args {
				var err error
				if vs[i], err = a.eval(b); err != nil {
					return vec{}, err
				}
			}
			out := vec{shape: s}
			out.grow(b.n)
			return out, making(joinTexts)(b.n, vs, &out)
		}}, nil
	}
}

func joinTexts(m *maker) kernel {
	return func(n int, args []vec, out *vec) error {
		var buf []byte
		for i := range n {
			buf = buf[:0]
			for k := range args {
				if !args[k].isNull(i) {
					buf = append(buf, args[k].texts[i*args[k].step()]...)
				}
			}
			if !m.takes(int64(len(buf))) {
				return m.err
			}
			out.texts[i] = string(buf)
		}
		return nil
	}
}

// likePattern is a pattern of LIKE as a regular expression; false where it ends with its escape.
func likePattern(flags, pattern, escape string) (string, bool) {
	var b strings.Builder
	b.WriteString(flags + `\A`)
	escaped := false
	for _, r := range pattern {
		switch {
		case !escaped && escape != "" && string(r) == escape:
			escaped = true
			continue
		case !escaped && r == '%':
			b.WriteString(`.*`)
		case !escaped && r == '_':
			b.WriteString(`.`)
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
		escaped = false
	}
	b.WriteString(`\z`)
	return b.String(), !escaped
}

// simpleLike is a pattern without _ as a test of texts, nil for any other: its parts are looked for one behind the
// other.
func simpleLike(pattern string) func(s string) bool {
	if strings.Contains(pattern, "_") || !utf8.ValidString(pattern) {
		return nil
	}
	parts := strings.Split(pattern, "%")
	if len(parts) == 1 {
		return func(s string) bool { return s == pattern }
	}
	first, last, middle := parts[0], parts[len(parts)-1], parts[1:len(parts)-1]
	return func(s string) bool {
		if len(s) < len(first)+len(last) || !strings.HasPrefix(s, first) || !strings.HasSuffix(s, last) {
			return false
		}
		s = s[len(first) : len(s)-len(last)]
		for _, part := range middle {
			_, rest, found := strings.Cut(s, part)
			if !found {
				return false
			}
			s = rest
		}
		return true
	}
}

func buildLike(flags string) builder {
	return func(c *compiler, args []*node) (*node, error) {
		if len(args) == 2 {
			args = append(args, constant(table.TextValue("")))
		}
		pattern, escape := args[1].literal, args[2].literal
		if pattern != nil && escape != nil && !pattern.IsNull() && flags == "(?s)" && escape.Text() == "" {
			if test := simpleLike(pattern.Text()); test != nil {
				return typed(
					table.Bool,
					lift1(textLane, boolLane, func(s string) (bool, bool) { return test(s), true }),
					table.Text,
				)(
					c,
					args[:1],
				)
			}
		}
		return typed(table.Bool, func(n int, args []vec, out *vec) error {
			seen := newExpressions(c.ctx)
			err := lift3(textLane, textLane, textLane, boolLane, func(s, pattern, escape string) (bool, bool) {
				re := seen.find(pattern+"\x00"+escape, s,
					func() (string, bool) { return likePattern(flags, pattern, escape) })
				return re != nil && re.MatchString(s), true
			})(n, args, out)
			return cmp.Or(seen.err, err)
		}, table.Text, table.Text, table.Text)(c, args)
	}
}

// validPattern refuses a constant pattern that does not compile.
func validPattern(n *node) error {
	if n.literal == nil || n.literal.IsNull() {
		return nil
	}
	_, err := newExpression(n.literal.Text(), len(n.literal.Text()))
	if _, large := err.(*Error); large { //nolint:errorlint // newExpression says so
		return err
	}
	if err != nil {
		return faultf("the pattern %q is not one of RE2: %v", n.literal.Text(), err)
	}
	return nil
}

func buildMatches(c *compiler, args []*node) (*node, error) {
	if err := validPattern(args[1]); err != nil {
		return nil, err
	}
	return typed(table.Bool, func(n int, args []vec, out *vec) error {
		seen := newExpressions(c.ctx)
		err := lift2(textLane, textLane, boolLane, func(s, pattern string) (bool, bool) {
			re := seen.find(pattern, s, func() (string, bool) { return pattern, true })
			return re != nil && re.MatchString(s), re != nil
		})(n, args, out)
		return cmp.Or(seen.err, err)
	}, table.Text, table.Text)(c, args)
}

func buildRegexpReplace(c *compiler, args []*node) (*node, error) {
	if err := validPattern(args[1]); err != nil {
		return nil, err
	}
	k := making(func(m *maker) kernel {
		seen := newExpressions(c.ctx)
		return lift3(textLane, textLane, textLane, textLane, func(s, pattern, with string) (string, bool) {
			re := seen.find(pattern, s, func() (string, bool) { return pattern, true })
			m.err = cmp.Or(m.err, seen.err)
			if re == nil || m.err != nil {
				return "", false
			}
			matches := int64(len(re.FindAllStringIndex(s, -1)))
			parts := int64(strings.Count(with, "$")) // each of which may be all that was found
			if !m.takes(int64(len(s))*(1+parts) + matches*int64(len(with))) {
				return "", false
			}
			return re.ReplaceAllString(s, with), true
		})
	})
	return typed(table.Text, k, table.Text, table.Text, table.Text)(c, args)
}
