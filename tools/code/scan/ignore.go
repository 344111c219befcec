package scan

import (
	"bytes"
	"path"
	"strings"
)

// Limits of one ignore file, and of the rules that hold in one folder. They bound the work of matching, which is rules times files. Where there are
// more, all that they could leave out is left out: a file that is hidden by the rule behind the last one must not be read for it.
const (
	ignoreSize   = 1 << 20
	ignoreRules  = 5000
	ignoreLayers = 10_000
	longestRule  = 4096 // bytes; a longer one matches no path
)

// verdict is what rules say about a path.
type verdict int8

const (
	silent verdict = iota
	ignored
	included
)

// rule is one line of an ignore file, after gitignore(5).
type rule struct {
	negated  bool
	dirOnly  bool
	anchored bool     // holds against the whole path below the file's folder, else against the last name
	segments []string // the pattern split at slashes; ** is a segment of its own
}

// ruleSet is an ignore file.
type ruleSet struct {
	base  string // its folder, relative to the tree, "" for the root itself
	above string // for a file above the tree: the path from its folder down to the tree
	rules []rule
	full  bool // there are more rules than are read: all is left out
}

// tooMany reports whether so many rules hold in one folder that the last of them leaves out everything.
func tooMany(sets []*ruleSet) bool {
	n := 0
	for _, s := range sets {
		n += len(s.rules)
	}
	return n > ignoreLayers
}

// parseIgnore reads an ignore file. It cannot fail: a pattern that makes no sense matches nothing, as in git.
func parseIgnore(base string, src []byte) *ruleSet {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	set := &ruleSet{base: base, full: len(src) > ignoreSize}
	for line := range bytes.Lines(src) {
		if set.full = set.full || len(set.rules) == ignoreRules; set.full {
			break
		}
		text := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
		if r, ok := parseRule(text); ok {
			set.rules = append(set.rules, r)
		}
	}
	return set
}

// parseRule reads one line.
func parseRule(line string) (rule, bool) {
	if strings.HasPrefix(line, "#") {
		return rule{}, false
	}
	line = trimSpaces(line)
	var r rule
	if rest, ok := strings.CutPrefix(line, "!"); ok {
		r.negated, line = true, rest
	}
	if rest, ok := strings.CutSuffix(line, "/"); ok {
		r.dirOnly, line = true, rest
	}
	if line == "" || len(line) > longestRule {
		return rule{}, false
	}
	r.anchored = strings.Contains(line, "/")
	r.segments = strings.Split(strings.TrimPrefix(line, "/"), "/")
	return r, true
}

// trimSpaces takes away trailing spaces, but not one that is quoted by a backslash.
func trimSpaces(line string) string {
	end := len(line)
	for end > 0 && line[end-1] == ' ' {
		slashes := 0
		for i := end - 2; i >= 0 && line[i] == '\\'; i-- {
			slashes++
		}
		if slashes%2 == 1 {
			break
		}
		end--
	}
	return line[:end]
}

// match says what the set says about a path of the tree. The last rule that matches decides.
func (s *ruleSet) match(name string, dir bool) verdict {
	rel := name
	if s.base != "" {
		rel = name[len(s.base)+1:]
	}
	if s.above != "" {
		rel = s.above + "/" + rel
	}
	return s.matchBelow(rel, dir)
}

// covers reports whether the set leaves out the tree itself, or a folder that holds it.
func (s *ruleSet) covers() bool {
	for i := range len(s.above) + 1 {
		if i == len(s.above) || s.above[i] == '/' {
			if i > 0 && s.matchBelow(s.above[:i], true) == ignored {
				return true
			}
		}
	}
	return false
}

// matchBelow is match for a path relative to the set's own folder.
func (s *ruleSet) matchBelow(rel string, dir bool) verdict {
	if s.full {
		return ignored
	}
	last := newSubject(path.Base(rel))
	var parts []*subject
	for i := len(s.rules) - 1; i >= 0; i-- {
		r := &s.rules[i]
		if r.dirOnly && !dir {
			continue
		}
		var hit bool
		if r.anchored {
			if parts == nil {
				for part := range strings.SplitSeq(rel, "/") {
					parts = append(parts, newSubject(part))
				}
			}
			hit = matchPath(r.segments, parts)
		} else {
			hit = last.matches(r.segments[0])
		}
		switch {
		case hit && r.negated:
			return included
		case hit:
			return ignored
		}
	}
	return silent
}

// matchPath matches segments against the names of a path. ** stands for any number of names; at the end for at least one. It
// backtracks to the last ** only, so that it takes at most len(pattern)*len(parts) steps.
func matchPath(pattern []string, parts []*subject) bool {
	p, n := 0, 0
	back, resume := -1, 0
	for n < len(parts) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			if p == len(pattern)-1 {
				return true
			}
			back, resume = p, n
			p++
		case p < len(pattern) && parts[n].matches(pattern[p]):
			p++
			n++
		case back >= 0:
			resume++
			p, n = back+1, resume
		default:
			return false
		}
	}
	return p == len(pattern)
}

// parseSet reads the bracket expression that a pattern begins with: which bytes it means. One without an end is none.
func parseSet(pattern string) (set [256]bool, size int, ok bool) {
	i := 1
	negated := i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^')
	if negated {
		i++
	}
	for first := true; ; first = false {
		if i >= len(pattern) {
			return set, 0, false
		}
		if pattern[i] == ']' && !first {
			break
		}
		if class, size := posixClass(pattern[i:]); size > 0 {
			for c := range set {
				set[c] = set[c] || class(byte(c))
			}
			i += size
			continue
		}
		lo, next, ok := setByte(pattern, i)
		if !ok {
			return set, 0, false
		}
		hi := lo
		if next+1 < len(pattern) && pattern[next] == '-' && pattern[next+1] != ']' {
			if hi, next, ok = setByte(pattern, next+1); !ok {
				return set, 0, false
			}
		}
		for c := int(lo); c <= int(hi); c++ {
			set[c] = true
		}
		i = next
	}
	for c := range set {
		set[c] = set[c] != negated
	}
	return set, i + 1, true
}

// setByte reads one byte of a bracket expression, which a backslash may quote.
func setByte(pattern string, i int) (c byte, next int, ok bool) {
	if pattern[i] == '\\' {
		i++
	}
	if i >= len(pattern) {
		return 0, 0, false
	}
	return pattern[i], i + 1, true
}

var posixClasses = map[string]func(byte) bool{
	"alnum": func(c byte) bool { return isAlpha(c) || isDigit(c) },
	"alpha": isAlpha,
	"blank": func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl": func(c byte) bool { return c < ' ' || c == 0x7f },
	"digit": isDigit,
	"graph": func(c byte) bool { return c > ' ' && c < 0x7f },
	"lower": func(c byte) bool { return 'a' <= c && c <= 'z' },
	"print": func(c byte) bool { return c >= ' ' && c < 0x7f },
	"punct": func(c byte) bool { return c > ' ' && c < 0x7f && !isAlpha(c) && !isDigit(c) },
	"space": func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' },
	"upper": func(c byte) bool { return 'A' <= c && c <= 'Z' },
	"xdigit": func(c byte) bool {
		return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
	},
}

// posixClass reads [:name:] and says how long it is; 0 when there is none.
func posixClass(s string) (func(byte) bool, int) {
	if !strings.HasPrefix(s, "[:") {
		return nil, 0
	}
	name, _, ok := strings.Cut(s[2:min(len(s), len("[:xdigit:]"))], ":]") // the longest: what follows is not read for each [:
	class := posixClasses[name]
	if !ok || class == nil {
		return nil, 0
	}
	return class, len(name) + 4
}

func isAlpha(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
