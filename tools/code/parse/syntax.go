package parse

import "strings"

// syntax is what the lexer and the rules must know of a language.
type syntax struct {
	comments  []comment
	quotes    []quote
	keywords  map[string]bool
	prefixes  string // letters that may stand before a quote
	raw       func(prefix, rest string) int
	templates bool // `...${...}...`
	regexps   bool // /.../
	lifetimes bool // 'a is no string
	special   [256]bool
	rules     rules
	// decisions are the words and operators that each add a path to a function.
	decisions map[string]bool
	// declares are the words that a declaration's name follows.
	declares map[string]SymbolKind
	// lines says that a line's end may end a statement.
	lines bool
	// fold says that keywords may be written in capitals.
	fold bool
	// calls says that a name before a bracketed list and a body is a function, as in C.
	calls bool
}

// rules is the way to find declarations.
type rules uint8

const (
	rulesNone rules = iota
	rulesBraces
	rulesIndent
	rulesRuby
	rulesShell
	rulesSQL
	rulesMarkdown
)

func (s *syntax) ready() *syntax {
	for _, c := range s.comments {
		s.special[c.open[0]] = true
	}
	for _, q := range s.quotes {
		s.special[q.open[0]] = true
	}
	s.special['`'] = s.special['`'] || s.templates
	s.special['/'] = s.special['/'] || s.regexps
	s.special['\''] = s.special['\''] || s.lifetimes
	return s
}

// keyword says that a word is reserved.
func (s *syntax) keyword(w string) bool {
	return s.keywords[w] || s.fold && s.keywords[strings.ToLower(w)]
}

// decides says that a word or an operator adds a path.
func (s *syntax) decides(w string) bool {
	return s.decisions[w] || s.fold && s.decisions[strings.ToLower(w)]
}

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// kinds reads "class:class fn:function".
func kinds(pairs string) map[string]SymbolKind {
	m := make(map[string]SymbolKind)
	for _, p := range strings.Fields(pairs) {
		word, kind, _ := strings.Cut(p, ":")
		m[word] = SymbolKind(kind)
	}
	return m
}

var (
	slashes   = []comment{{open: "//"}, {open: "/*", close: "*/"}}
	hash      = []comment{{open: "#"}}
	nesting   = []comment{{open: "//"}, {open: "/*", close: "*/", nest: true}}
	double    = quote{open: `"`, close: `"`, escape: true}
	single    = quote{open: `'`, close: `'`, escape: true}
	triple    = quote{open: `"""`, close: `"""`, escape: true, lines: true}
	triple1   = quote{open: `'''`, close: `'''`, escape: true, lines: true}
	backquote = quote{open: "`", close: "`", lines: true}
)

// decisionsC are what McCabe counts in languages like C.
const decisionsC = "if for while case catch && || ?"

var syntaxes = map[string]*syntax{
	"go": (&syntax{comments: slashes, quotes: []quote{double, single, backquote}, keywords: set(keywordsGo), rules: rulesBraces, lines: true,
		decisions: set("if for case && ||"), declares: kinds("func:function type:type var:variable const:constant")}).ready(),
	"python": (&syntax{comments: hash, quotes: []quote{triple, triple1, double, single}, prefixes: "rbfuRBFU", keywords: set(keywordsPython),
		rules: rulesIndent, decisions: set("if elif for while except and or case")}).ready(),
	"javascript": (&syntax{comments: slashes, quotes: []quote{double, single}, templates: true, regexps: true, keywords: set(keywordsJS),
		rules: rulesBraces, lines: true, decisions: set(decisionsC + " ??"), declares: kinds(declaresJS)}).ready(),
	"typescript": (&syntax{comments: slashes, quotes: []quote{double, single}, templates: true, regexps: true, keywords: set(keywordsJS + keywordsTS),
		rules: rulesBraces, lines: true, decisions: set(decisionsC + " ??"), declares: kinds(declaresJS + declaresTS)}).ready(),
	"java": (&syntax{comments: slashes, quotes: []quote{triple, double, single}, keywords: set(keywordsJava), rules: rulesBraces, calls: true,
		decisions: set(decisionsC), declares: kinds("class:class interface:interface enum:enum record:class @interface:interface")}).ready(),
	"rust": (&syntax{comments: nesting, quotes: []quote{{open: `"`, close: `"`, escape: true, lines: true}}, prefixes: "rb", raw: rawRust, lifetimes: true,
		keywords: set(keywordsRust), rules: rulesBraces, decisions: set("if for while && || => ?"),
		declares: kinds("fn:function struct:class enum:enum trait:interface union:class mod:module type:type const:constant static:variable impl:impl macro_rules:function")}).ready(),
	"c": (&syntax{comments: slashes, quotes: []quote{double, single}, keywords: set(keywordsC), rules: rulesBraces, calls: true,
		decisions: set(decisionsC), declares: kinds("struct:class union:class enum:enum")}).ready(),
	"cpp": (&syntax{comments: slashes, quotes: []quote{double, single}, prefixes: "RLu8U", raw: rawCPP, keywords: set(keywordsC + keywordsCPP), rules: rulesBraces, calls: true,
		decisions: set(decisionsC), declares: kinds("class:class struct:class union:class enum:enum namespace:module concept:interface using:type")}).ready(),
	"csharp": (&syntax{comments: slashes, quotes: []quote{triple, {open: `@"`, close: `"`, double: true, lines: true}, {open: `$@"`, close: `"`, double: true, lines: true}, double, single},
		keywords: set(keywordsJava + keywordsCSharp), rules: rulesBraces, calls: true, decisions: set(decisionsC + " foreach ??"),
		declares: kinds("class:class struct:class interface:interface enum:enum record:class namespace:module")}).ready(),
	"kotlin": (&syntax{comments: nesting, quotes: []quote{triple, double, single}, keywords: set(keywordsKotlin), rules: rulesBraces, lines: true,
		decisions: set("if for while catch && || ?: ->"), declares: kinds("class:class interface:interface enum:enum object:class fun:function typealias:type val:constant var:variable")}).ready(),
	"swift": (&syntax{comments: nesting, quotes: []quote{triple, double}, keywords: set(keywordsSwift), rules: rulesBraces, lines: true,
		decisions: set("if guard for while case catch && || ? ??"),
		declares:  kinds("class:class struct:class actor:class protocol:interface enum:enum func:function extension:impl typealias:type let:constant var:variable init:function")}).ready(),
	"php": (&syntax{comments: []comment{{open: "//"}, {open: "/*", close: "*/"}, {open: "#", first: true, spaced: true}},
		quotes: []quote{{open: `"`, close: `"`, escape: true, lines: true}, {open: `'`, close: `'`, escape: true, lines: true}}, keywords: set(keywordsPHP), rules: rulesBraces,
		decisions: set(decisionsC + " elseif foreach and or ??"),
		declares:  kinds("class:class interface:interface trait:class enum:enum function:function namespace:module const:constant")}).ready(),
	"ruby": (&syntax{comments: []comment{{open: "=begin", close: "\n=end", first: true}, {open: "#"}}, quotes: []quote{double, single, backquote}, regexps: true, keywords: set(keywordsRuby),
		rules: rulesRuby, decisions: set("if elsif unless while until for when rescue and or && || ?")}).ready(),
	"shell": (&syntax{comments: []comment{{open: "#", first: true, spaced: true}}, quotes: []quote{{open: `"`, close: `"`, escape: true, lines: true}, {open: `'`, close: `'`, lines: true}},
		keywords: set(keywordsShell), rules: rulesShell, decisions: set("if elif for while until && ||")}).ready(),
	"sql": (&syntax{comments: []comment{{open: "--"}, {open: "/*", close: "*/"}}, quotes: []quote{{open: "'", close: "'", double: true, lines: true}, {open: "$$", close: "$$", lines: true}},
		keywords: set(keywordsSQL), fold: true, rules: rulesSQL, decisions: set("if elsif when case loop while and or")}).ready(),
	"markdown": (&syntax{rules: rulesMarkdown}).ready(),
}

// plain is the syntax of the languages of which only chunks are made.
var plain = (&syntax{}).ready()

func syntaxOf(language string) *syntax {
	if s := syntaxes[language]; s != nil {
		return s
	}
	return plain
}
