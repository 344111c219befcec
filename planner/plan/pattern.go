package plan

import (
	"regexp"
	"regexp/syntax"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"catena/internal/text"
)

// The bounds of patterns. Go's regexp is linear in a text, by the size of its program: that of "((a?){30}){30}" takes 40 µs for each byte.
const (
	maxPattern      = 4096   // bytes of one
	maxProgram      = 5000   // instructions of one
	maxProgramsOnce = 50_000 // instructions of all patterns of one schema
)

// pattern is a regular expression that knows what it costs.
type pattern struct {
	*regexp.Regexp
	program int // instructions
}

// CompilePattern reads a pattern of somebody's schema. It is nil for one that Go's syntax lacks, and for one that is too large to be
// matched: those are their owner's to check.
func CompilePattern(text string) *regexp.Regexp {
	re, _ := compilePattern(text).(*pattern)
	if re == nil {
		return nil
	}
	return re.Regexp
}

func compilePattern(source string) jsonschema.Regexp {
	if len(source) > maxPattern {
		return anything(source)
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return anything(source) // look-around, or no pattern at all
	}
	size := text.PatternSize(tree, maxProgram)
	if size > maxProgram {
		return anything(source)
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return anything(source)
	}
	return &pattern{re, size}
}

// patternEngine reads the patterns of one schema. Those behind the bound of all of them match everything, as those do that Go cannot read.
func patternEngine() jsonschema.RegexpEngine {
	left := maxProgramsOnce
	return func(text string) (jsonschema.Regexp, error) {
		if left < 0 {
			return anything(text), nil
		}
		re := compilePattern(text)
		if p, ok := re.(*pattern); ok {
			left -= p.program
		}
		return re, nil
	}
}

// matchCost is how many steps of a check the matching of a text takes at most.
func matchCost(re jsonschema.Regexp, text string) int {
	p, ok := re.(*pattern)
	if !ok {
		return 0
	}
	return 1 + p.program*len(text)/patternSteps
}

type anything string

// String is the pattern as it was written.
func (a anything) String() string { return string(a) }

// MatchString is true.
func (anything) MatchString(string) bool { return true }
