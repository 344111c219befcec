package code

import (
	"regexp"
	"strings"

	"catena/internal/text"
)

// kind is what a question wants to know. Each has its own form of an answer by quoting.
type kind string

const (
	askWhere        kind = "definition"   // where is X defined
	askCallers      kind = "callers"      // what calls X, where is X used
	askCallees      kind = "callees"      // what does X call
	askDependents   kind = "dependents"   // which files depend on X
	askDependencies kind = "dependencies" // what does X depend on
	askTests        kind = "tests"        // which tests cover X
	askWhat         kind = "description"  // what is X, what does X do
	askHow          kind = "explanation"  // everything else
)

// asked is a question taken apart.
type asked struct {
	kind    kind
	subject string // X, without articles and quotes; "" for askHow without one
}

// forms are tried in order; the first group is the subject.
var forms = []struct {
	kind kind
	re   *regexp.Regexp
}{
	{askTests, form(`(?:which|what) (?:tests?|test files?) (?:cover|covers|test|tests|exercise|check|use)s? (.+)`)},
	{askTests, form(`(?:where|how) (?:is|are) (.+?) tested`)},
	{askDependencies, form(`(?:what|which)(?: \w+)? (?:does|do) (.+?) (?:depend on|import|need|require)s?`)},
	{askDependencies, form(`(?:what are )?(?:the )?(?:dependencies|imports) of (.+)`)},
	{askDependents, form(`(?:what|which|who)(?: other)?(?: \w+)? (?:depends?|relies|rely) on (.+)`)},
	{askDependents, form(`(?:what|which|who)(?: other)?(?: \w+)? imports? (.+)`)},
	{askDependents, form(`(?:which|what)(?: other)? (?:files?|modules?|packages?) uses? (.+)`)},
	{askDependents, form(`(?:what are )?(?:the )?dependents of (.+)`)},
	{askCallees, form(`(?:what|which)(?: \w+)? (?:does|do) (.+?) (?:call|invoke)s?`)},
	{askCallers, form(`(?:what|which|who)(?: \w+)? (?:calls?|invokes?|uses?|references?) (.+)`)},
	{askCallers, form(`where (?:is|are|do we|does it) (?:call|use|invoke)?\s*(.+?)(?: (?:being )?(?:called|used|invoked|referenced))`)},
	{askCallers, form(`(?:what are |list |find |show )?(?:me )?(?:all )?(?:the )?(?:callers|usages|uses|references|call sites) (?:of|to) (.+)`)},
	{askWhere, form(`where (?:is|are|can i find|do i find|do we|does) (?:the )?(?:definition of |declaration of |implementation of )?(.+?)(?: (?:defined|declared|implemented|located|found|live|lives))?`)},
	{askWhere, form(`(?:which|what) (?:file|package|module|folder)s? (?:defines?|declares?|implements?|contains?|has|have|holds?) (.+)`)},
	{askWhere, form(`(?:find|show|locate)(?: me)? (?:the )?(?:definition|declaration|implementation) of (.+)`)},
	{askWhat, form(`what (?:does|do) (.+?) do`)},
	{askWhat, form(`(?:what (?:is|are)|describe|explain) (.+)`)},
	{askHow, form(`(?:how (?:does|do|is|are)) (.+?)(?: (?:work|works|done|implemented|made|handled))?`)},
}

func form(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?i)^` + pattern + `$`) }

// subjectNoise stands around the name in a subject and is no part of it.
var subjectNoise = regexp.MustCompile(`(?i)^(?:the|a|an|our|this|that|all|any)\s+|^(?:function|method|class|struct|type|interface|constant|variable|file|module|package|symbol)s?\s+(?:named |called )?|\s+(?:function|method|class|struct|type|interface|constant|variable|symbol)s?$|\(\)$`)

// placeWords say that the repository is meant, which goes without saying.
var placeWords = regexp.MustCompile(`(?i)\s+(?:in|of) (?:this|the|our) (?:repository|repo|code|codebase|code base|project|index)$`)

// understand takes a question apart.
func understand(question string) asked {
	q := strings.Join(strings.Fields(question), " ")
	q = placeWords.ReplaceAllString(strings.TrimRight(q, "?!. "), "")
	for _, lead := range []string{"please ", "can you tell me ", "could you tell me ", "tell me ", "do you know "} {
		if len(q) > len(lead) && strings.EqualFold(q[:len(lead)], lead) {
			q = q[len(lead):]
		}
	}
	for _, f := range forms {
		if m := f.re.FindStringSubmatch(q); m != nil {
			return asked{kind: f.kind, subject: bareSubject(m[1])}
		}
	}
	return asked{kind: askHow}
}

func bareSubject(s string) string {
	s = strings.TrimSpace(s)
	for {
		next := strings.Trim(strings.TrimSpace(subjectNoise.ReplaceAllString(s, "")), "`\"'")
		if next == s || next == "" {
			return s
		}
		s = next
	}
}

// stopWords carry nothing of what a question is about.
var stopWords = text.WordSet(`a about all also am an and any are as at be been being by call calls can code codebase could did do does
	done during each else file files find for from get gets go had happen happens has have how i if implement implemented implements in
	into is it its kind let made make makes many me much my of on or our out please program repo repository same say says set shall should
	show so some such tell than that the their them then there these they thing this those to under use used uses using via was we
	were what when where whether which while who whom whose why will with work works would you your`)

var wordPattern = regexp.MustCompile(`[\pL\pN]+`)

// keyWords are the words that carry a text, folded and cut to their stem, identifiers split; in order, each once.
func keyWords(s string) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range wordPattern.FindAllString(splitCase(s), -1) {
		w = strings.ToLower(w)
		if base := irregular[w]; base != "" {
			w = base
		}
		if len(w) < 2 || stopWords[w] {
			continue
		}
		if w = stem(w); !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// splitCase puts spaces between the words of identifiers: parseHTTPFile becomes parse HTTP File.
func splitCase(s string) string {
	var b strings.Builder
	runes := []rune(s)
	upper := func(i int) bool { return i >= 0 && i < len(runes) && runes[i] >= 'A' && runes[i] <= 'Z' }
	lower := func(i int) bool { return i >= 0 && i < len(runes) && runes[i] >= 'a' && runes[i] <= 'z' }
	for i, r := range runes {
		if upper(i) && (lower(i-1) || upper(i-1) && lower(i+1)) || r == '_' {
			b.WriteByte(' ')
		}
		if r != '_' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// irregular are forms of verbs that people write about code and that no ending shows.
var irregular = map[string]string{"begun": "begin", "bound": "bind", "broken": "break", "built": "build", "caught": "catch", "chosen": "choose", "done": "do", "found": "find",
	"frozen": "freeze", "given": "give", "held": "hold", "hidden": "hide", "kept": "keep", "known": "know", "left": "leave", "lost": "lose", "meant": "mean", "sent": "send",
	"shown": "show", "spent": "spend", "split": "split", "taken": "take", "thrown": "throw", "told": "tell", "took": "take", "understood": "understand", "woken": "wake",
	"written": "write", "wrote": "write", "sought": "seek", "bought": "buy", "paid": "pay", "ran": "run", "sold": "sell", "stolen": "steal"}

// stem cuts the endings that English gives to one word: indexes, indexed and indexing become index. It is for comparing the
// words of a question with those of a sentence, where a rare wrong match costs little.
func stem(w string) string {
	for _, end := range []struct{ from, to string }{{"ies", "y"}, {"sses", "ss"}, {"xes", "x"}, {"ches", "ch"}, {"shes", "sh"}, {"ings", ""},
		{"ing", ""}, {"edly", ""}, {"ed", ""}, {"ations", "ate"}, {"ation", "ate"}, {"ers", "er"}, {"es", "e"}, {"s", ""}} {
		root, ok := strings.CutSuffix(w, end.from)
		if !ok || len(root) < 3 || end.from == "s" && strings.HasSuffix(root, "s") {
			continue
		}
		w = root + end.to
		if n := len(w); strings.ContainsAny(end.from, "id") && n > 3 && w[n-1] == w[n-2] && strings.ContainsRune("bdgmnprt", rune(w[n-1])) {
			w = w[:n-1] // running, stopped
		}
		break
	}
	return strings.TrimSuffix(w, "e")
}
