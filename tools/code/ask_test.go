package code

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestUnderstand(t *testing.T) {
	for question, want := range map[string]asked{
		"Where is Charge defined?":                           {askWhere, "Charge"},
		"where is the function `Charge` declared":            {askWhere, "Charge"},
		"Which file contains the Ledger struct?":             {askWhere, "Ledger"},
		"find the definition of Engine.Turn":                 {askWhere, "Engine.Turn"},
		"what calls Charge()?":                               {askCallers, "Charge"},
		"Who uses the Ledger type?":                          {askCallers, "Ledger"},
		"where is Refund called?":                            {askCallers, "Refund"},
		"show me all callers of Refund":                      {askCallers, "Refund"},
		"What functions does Turn call?":                     {askCallees, "Turn"},
		"what does main call":                                {askCallees, "main"},
		"which files depend on the payment module?":          {askDependents, "payment module"},
		"Please tell me what depends on engine.go":           {askHow, ""},
		"what depends on engine.go":                          {askDependents, "engine.go"},
		"which packages import mail":                         {askDependents, "mail"},
		"what does server depend on?":                        {askDependencies, "server"},
		"which packages does server import":                  {askDependencies, "server"},
		"What are the dependencies of server/server.go?":     {askDependencies, "server/server.go"},
		"which tests cover the ledger?":                      {askTests, "ledger"},
		"how is Charge tested?":                              {askTests, "Charge"},
		"what does Charge do?":                               {askWhat, "Charge"},
		"What is a Ledger?":                                  {askWhat, "Ledger"},
		"explain Remind":                                     {askWhat, "Remind"},
		"How does charging work?":                            {askHow, "charging"},
		"Why is the account empty?":                          {askHow, ""},
		"":                                                   {askHow, ""},
		"where is Charge defined in this repository":         {askWhere, "Charge"},
		"could you tell me where is the Ledger class?":       {askWhere, "Ledger"},
		"which module has the retry loop":                    {askWhere, "retry loop"},
		"which other files depend on   payment/ledger.go  ?": {askDependents, "payment/ledger.go"},
	} {
		if question == "Please tell me what depends on engine.go" {
			want = asked{askDependents, "engine.go"} // courtesies are dropped, one after the other
		}
		if got := understand(question); got != want {
			t.Errorf("%q: %+v, want %+v", question, got, want)
		}
	}
}

func TestKeyWords(t *testing.T) {
	for text, want := range map[string]string{
		"How are retries handled?":       "retry handl",
		"parseHTTPFile":                  "pars http",
		"indexes indexed indexing":       "index",
		"the running jobs were stopped":  "run job stop",
		"money taken, takes, took, take": "money tak",
		"max_open_conns":                 "max open conn",
		"класс Ängste":                   "класс ängst",
		"":                               "",
	} {
		if got := strings.Join(keyWords(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// ask asks over the market and returns the structured answer.
func (k kitchen) ask(id, question string) map[string]any {
	k.t.Helper()
	res := k.call("ask_index", fmt.Sprintf(`{"index_id":%q,"question":%q}`, id, question))
	if res.IsError {
		k.t.Fatalf("%s: %s", question, res.Text)
	}
	return structured(k.t, res)
}

var cited = regexp.MustCompile(`\[([\w./-]+):(\d+)\]`)

// Each form of question gives its own answer, and each of its citations names a line that there is.
func TestAsk(t *testing.T) {
	k := cook(t, market)
	id := k.index()
	for question, want := range map[string]string{
		"Where is Ledger defined?":               "[payment/ledger.go:10]",
		"where is mail.go":                       "[mail/mail.go:1]",
		"What calls Remind?":                     "[server/server.go:7]",
		"what does Remind call?":                 "[payment/ledger.go:13]",
		"Which files depend on mail/mail.go?":    "[server/server.go:4]",
		"What does server depend on?":            "[server/server.go:4]",
		"which tests cover Charge?":              "[payment/ledger_test.go:1]",
		"What is a Ledger?":                      "[payment/ledger.go:9]",
		"how are letters written":                "[mail/mail.go:1]",
		"When is a refund paid?":                 "[README.md:",
		"what happens if there is little money?": "[payment/ledger.go:",
	} {
		m := k.ask(id, question)
		text, _ := m["answer"].(string)
		if m["found"] != true || m["confidence"] == "" || m["written_by"] != writtenExtractive || !strings.Contains(text, want) {
			t.Errorf("%s: found %v: %s", question, m["found"], text)
		}
		for _, c := range cited.FindAllStringSubmatch(text, -1) {
			lines := strings.Count(market[c[1]], "\n")
			if n, _ := strconv.Atoi(c[2]); n < 1 || n > lines {
				t.Errorf("%s: %s names a line that is not there", question, c[0])
			}
		}
	}
	for _, question := range []string{"How are satellites launched?", "where is the blockchain?", "what is quantum entanglement", "?!"} {
		if m := k.ask(id, question); m["found"] != false || m["confidence"] != confidenceLow || !strings.Contains(m["answer"].(string), "Not found in this index") {
			t.Errorf("%s: %v", question, m["answer"])
		}
	}
}

// The answer follows what the best hits call.
func TestAskHops(t *testing.T) {
	k := cook(t, map[string]string{"go.mod": "module m\n",
		"a/a.go": "package a\n\nimport \"m/b\"\n\n// Dispatch sends an order on its way.\nfunc Dispatch() { b.Pack() }\n",
		"b/b.go": "package b\n\nimport \"m/c\"\n\n// Pack wraps it.\nfunc Pack() { c.Seal() }\n",
		"c/c.go": "package c\n\n// Seal closes the box with wax.\nfunc Seal() {}\n"})
	m := k.ask(k.index(), "how is an order sent on its way?")
	if m["hops"].(float64) < 1 || m["chunks"].(float64) > askChunks {
		t.Errorf("%v hops, %v chunks", m["hops"], m["chunks"])
	}
	if text := m["answer"].(string); !strings.Contains(text, "[a/a.go:5]") || !strings.Contains(text, "[c/c.go:3]") {
		t.Errorf("got %s", text)
	}
}

// A model's answer is kept as far as it cites what it was given.
func TestProse(t *testing.T) {
	question := "How is money taken from an account?"
	for name, c := range map[string]struct {
		model     func(prompt string) (string, error)
		want      string // of the answer
		not, note string
		written   string
	}{
		"good":      {says("Charge tries three times [payment/ledger.go:17] and then fails [payment/ledger.go:23]."), "three times [payment/ledger.go:17]", "", "", writtenModel},
		"invented":  {says("It does [payment/ledger.go:13]. It also flies [payment/wings.go:3] high [payment/ledger.go:9999]."), "flies high.", "wings", "2 of the model's citations", writtenModel},
		"mixed":     {says("It does [payment/ledger.go:13, mail/nothing.go:1]."), "[payment/ledger.go:13].", "nothing", "1 of the model's citations", writtenModel},
		"no cites":  {says("It just works."), "[payment/ledger.go:12]", "just works", "cited nothing", writtenExtractive},
		"links":     {says("See ![x](http://evil.example/p.png) <img src=x> [payment/ledger.go:13] https://evil.example"), "[payment/ledger.go:13]", "evil", "", writtenModel},
		"broken":    {func(string) (string, error) { return "", errors.New("down") }, "[payment/ledger.go:12]", "", "could not be reached", writtenExtractive},
		"empty":     {says(""), "[payment/ledger.go:12]", "", "cited nothing", writtenExtractive},
		"the limit": {says(strings.Repeat("long [payment/ledger.go:13] ", 10_000)), "long", "", "", writtenModel},
	} {
		t.Run(name, func(t *testing.T) {
			var prompts []string
			k := cook(t, market, func(o *Options) {
				o.Write = now(func(_ context.Context, _, prompt string) (string, error) {
					prompts = append(prompts, prompt)
					return c.model(prompt)
				})
			})
			m := k.ask(k.index(), question)
			text := m["answer"].(string)
			notes := fmt.Sprint(m["notes"])
			if m["written_by"] != c.written || !strings.Contains(text, c.want) || c.not != "" && strings.Contains(text, c.not) || !strings.Contains(notes, c.note) || len(text) > proseAnswer {
				t.Errorf("by %v: %s (notes: %v)", m["written_by"], text, notes)
			}
			if len(prompts) != 1 || !strings.Contains(prompts[0], question) || strings.Contains(prompts[0], "AKIA") || len(prompts[0]) > prosePrompt+prosePassage {
				t.Errorf("%d prompts: %.200s", len(prompts), prompts)
			}
		})
	}
}

// now is a model that is there all the time.
func now(write func(context.Context, string, string) (string, error)) func() func(context.Context, string, string) (string, error) {
	return func() func(context.Context, string, string) (string, error) { return write }
}

// TestProseFromNowOn: a model that is chosen while the toolkit lives writes the next answer, and one that is given up writes no more.
func TestProseFromNowOn(t *testing.T) {
	var model func(context.Context, string, string) (string, error)
	k := cook(t, market, func(o *Options) {
		o.Write = func() func(context.Context, string, string) (string, error) { return model }
	})
	index := k.index()
	for i, there := range []bool{false, true, false} {
		model = nil
		want := writtenExtractive
		if there {
			want = writtenModel
			model = func(context.Context, string, string) (string, error) { return "There [payment/ledger.go:13].", nil }
		}
		if m := k.ask(index, "How is money taken from an account?"); m["written_by"] != want {
			t.Errorf("%d: by %v: %v", i, m["written_by"], m["answer"])
		}
	}
}

func says(text string) func(string) (string, error) {
	return func(string) (string, error) { return text, nil }
}

// A question that nothing answers is not given to a model.
func TestProseIsNotAskedInVain(t *testing.T) {
	k := cook(t, market, func(o *Options) {
		o.Write = now(func(context.Context, string, string) (string, error) {
			t.Error("the model was asked")
			return "", nil
		})
	})
	if m := k.ask(k.index(), "How are satellites launched?"); m["found"] != false {
		t.Errorf("got %v", m["answer"])
	}
}

func TestCheckCitations(t *testing.T) {
	given := map[string][]span{"a.go": {{1, 5}, {10, 12}}}
	for text, want := range map[string]struct {
		text        string
		kept, taken int
	}{
		"x [a.go:1] y":               {"x [a.go:1] y", 1, 0},
		"x [a.go:6] y":               {"x y", 0, 1},
		"x [./a.go:10-12]":           {"x [./a.go:10-12]", 1, 0},
		"x [`a.go:2`]":               {"x [a.go:2]", 1, 0},
		"x [a.go:2, b.go:1, a.go:3]": {"x [a.go:2, a.go:3]", 2, 1},
		"list[0] and [note]":         {"list[0] and [note]", 0, 0},
		"[a.go:99999999999]":         {"[a.go:99999999999]", 0, 0},
		"nul \x00 [b.go:1]":          {"nul", 0, 1},
	} {
		got, kept, taken := checkCitations(text, given)
		if got != want.text || kept != want.kept || taken != want.taken {
			t.Errorf("%q: %q %d %d, want %+v", text, got, kept, taken, want)
		}
	}
}

// Whatever a model writes: what is left cites only what it was given.
func FuzzCheckCitations(f *testing.F) {
	for _, s := range []string{"x [a.go:1]", "[[a.go:1]]", "[a.go:1", "[a.go:1,b.go:2]", "[a.go:1][b.go:1]", "[\x00]", "[[b.go:1]a.go:2]", "[a.go:1-3, ]"} {
		f.Add(s)
	}
	given := map[string][]span{"a.go": {{1, 5}}}
	f.Fuzz(func(t *testing.T, s string) {
		got, kept, _ := checkCitations(s, given)
		again, keptAgain, taken := checkCitations(got, given)
		if taken != 0 || again != got || keptAgain != kept {
			t.Errorf("%q became %q, then %q: %d and %d kept, %d more taken", s, got, again, kept, keptAgain, taken)
		}
	})
}

func FuzzUnderstand(f *testing.F) {
	for _, s := range []string{"where is X defined?", "what calls", "which files depend on  ", "how?", "\xff\xfe", "what is the the the"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := understand(s)
		if q.kind == "" || utf8.ValidString(s) && !utf8.ValidString(q.subject) || len(q.subject) > len(s) {
			t.Errorf("%q: %+v", s, q)
		}
		for _, w := range keyWords(s) {
			if w == "" || w != strings.ToLower(w) {
				t.Errorf("%q: the key word %q", s, w)
			}
		}
	})
}

func TestFirstSentences(t *testing.T) {
	for doc, want := range map[string]string{
		"One. Two. Three.":                  "One. Two.",
		"A list, e.g. of names, is here. B": "A list, e.g. of names, is here. B",
		"no stop":                           "no stop",
		"":                                  "",
		"v1.2 is\nnew. Yes! No.":            "v1.2 is new. Yes!",
	} {
		if d := cmp.Diff(want, firstSentences(doc, 2, 200)); d != "" {
			t.Errorf("%q: %s", doc, d)
		}
	}
	if got := firstSentences(strings.Repeat("é", 300), 2, 99); !utf8.ValidString(got) || len(got) > 110 {
		t.Errorf("got %q", got)
	}
}

// A file name neither ends its citation nor begins a line or a link.
func TestOddNamesInAnswers(t *testing.T) {
	const odd = "x](javascript:alert(1)).go"
	if got := inBrackets(cite(odd, 3)); got != `[x\](javascript:alert(1)).go:3]` {
		t.Error(got)
	}
	prompt, _ := prosePromptOf("why?", []passage{{path: "a\nb.go", start: 1, end: 1, text: "package a"}})
	if !strings.Contains(prompt, `"a\nb.go" lines 1 to 1`) {
		t.Error(prompt)
	}
}
