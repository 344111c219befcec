package code

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"catena/tools/code/workspace"
)

// chart is an atlas over some paths; those with a package are written path=package.
func chart(list ...string) atlas {
	var all []place
	for _, s := range list {
		p, pkg, _ := strings.Cut(s, "=")
		all = append(all, place{path: p, pkg: pkg, test: strings.Contains(p, "test")})
	}
	return atlas{root: "/srv/shop", places: func() []place { return all },
		has: func(p string) bool { return slices.ContainsFunc(all, func(x place) bool { return x.path == p }) },
		declares: func(name string) []string {
			if name == "Wallet" {
				return []string{"src/main/java/com/acme/pay/Money.java"}
			}
			return nil
		}}
}

var places = []string{"main.go=main", "README.md", "chat/engine.go=chat", "chat/engine_test.go=chat", "chat/turn.go=chat", "payments/ledger.go=payments", "payments/bank/wire.go=bank",
	"web/app.ts", "web/chat/app.ts", "src/main/java/com/acme/pay/Money.java=com.acme.pay", "src/test/java/com/acme/pay/MoneyTest.java=com.acme.pay", "lib/util.py", "tools/util.py",
	"docs/über uns.md", "lib/odd=name.py"}

func TestFind(t *testing.T) {
	a := chart(places...)
	for given, want := range map[string]string{
		"chat/engine.go":                 "chat/engine.go",
		"./chat/engine.go":               "chat/engine.go",
		"/srv/shop/chat/engine.go":       "chat/engine.go",
		`chat\engine.go`:                 "chat/engine.go",
		" `chat/engine.go` ":             "chat/engine.go",
		"chat/engine.go:45":              "chat/engine.go",
		"chat/engine.go:45-50":           "chat/engine.go",
		"chat/../chat/engine.go":         "chat/engine.go",
		"/main.go":                       "main.go",
		"engine.go":                      "chat/engine.go",
		"ENGINE.GO":                      "chat/engine.go",
		"docs/über uns.md":               "docs/über uns.md",
		"chat":                           "chat/engine.go chat/engine_test.go chat/turn.go",
		"chat/":                          "chat/engine.go chat/engine_test.go chat/turn.go",
		"payments":                       "payments/ledger.go",
		"payment":                        "payments/ledger.go",
		"the payment module":             "payments/ledger.go",
		"our payments package":           "payments/ledger.go",
		"bank":                           "payments/bank/wire.go",
		"acme/pay":                       "",
		"pay":                            "src/main/java/com/acme/pay/Money.java",
		"com.acme.pay":                   "src/main/java/com/acme/pay/Money.java",
		"turn":                           "chat/turn.go",
		"the ledger file":                "payments/ledger.go",
		"Wallet":                         "src/main/java/com/acme/pay/Money.java",
		"util.py":                        "",
		"util":                           "",
		"app.ts":                         "",
		"nothing like it":                "",
		"..":                             "",
		"../shop2/main.go":               "",
		"/etc/passwd":                    "",
		"":                               "",
		"\x00":                           "",
		"the":                            "",
		strings.Repeat("a/", 3000) + "b": "",
	} {
		got, err := a.find(given)
		if strings.Join(got.files, " ") != want {
			t.Errorf("%.80q: got %v %v, want %q", given, got.files, err, want)
		}
		var f *fault
		if want == "" && (!errors.As(err, &f) || f.hint == "") {
			t.Errorf("%.80q: the error %v is no fault with a hint", given, err)
		}
		exact := a.has(strings.TrimPrefix(given, "./"))
		if exact && got.note != "" || want != "" && !strings.ContainsAny(given, "./`:\\") && given != "chat" && given != "payments" && got.note == "" {
			t.Errorf("%q: the note is %q", given, got.note)
		}
	}
}

func TestFindNames(t *testing.T) {
	a := chart(places...)
	for given, want := range map[string]string{"util.py": CodeAmbiguous, "app.ts": CodeAmbiguous, "acme/pay": CodeAmbiguous, "nothing like it": CodeFileUnknown, "../x": workspace.CodePathNotAllowed,
		"C:/Windows": CodeFileUnknown, "": CodeBadArgument} {
		_, err := a.find(given)
		var f *fault
		if !errors.As(err, &f) || f.code != want {
			t.Errorf("%q: %v, want %s", given, err, want)
		}
	}
	_, err := a.find("util.py")
	if f := (*fault)(nil); !errors.As(err, &f) || !slices.Equal(f.nearest, []string{"lib/util.py", "tools/util.py"}) {
		t.Errorf("the candidates are not named: %v", err)
	}
	_, err = a.find("enginee.go")
	if f := (*fault)(nil); !errors.As(err, &f) || !slices.Contains(f.nearest, "chat/engine.go") {
		t.Errorf("the nearest path is not named: %v", err)
	}
}

// Whatever is asked for: no panic, and nothing but files of the index comes out.
func FuzzFind(f *testing.F) {
	for _, p := range append(places, "../../etc/passwd", "the payment module", "chat/engine.go:12", "C:\\x", "//", "a\x00b", "%2e%2e/x", "\xff") {
		f.Add(p)
	}
	a := chart(places...)
	f.Fuzz(func(t *testing.T, given string) {
		got, err := a.find(given)
		if err == nil && len(got.files) == 0 {
			t.Errorf("%q: neither files nor an error", given)
		}
		for _, p := range got.files {
			if !a.has(p) {
				t.Errorf("%q gives %q, which the index does not have", given, p)
			}
		}
		if !utf8.ValidString(got.note) || err != nil && !utf8.ValidString(err.Error()) {
			t.Errorf("%q: a message is no valid text", given)
		}
	})
}

// Arguments that fit the schema give a result or an error that can be read, never a panic or something of outside.
func FuzzArguments(f *testing.F) {
	k := cook(f, market)
	id := k.index()
	for _, s := range []string{"payment", "../../etc/passwd", "(*Ledger).Charge", "[a-", "a**", "/x/", "where is \x00?", "(?P<n", strings.Repeat("((((", 100), "ledger.go:5", "*?", "\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for tool, args := range map[string]map[string]any{
			"get_dependents": {"filepath": s}, "get_files_context": {"filepath": s}, "list_functions": {"pattern": s}, "get_complexity": {"files": []any{s}},
			"search_code": {"query": s, "limit": 2}, "find_similar": {"code": s}, "ask_index": {"index_id": id, "question": s}, "search_repo": {"index_id": id, "query": s, "k": 2},
			"get_repo_bundle": {"index_id": s},
		} {
			res, err := k.reg.Call(t.Context(), toolCall(tool, args))
			if err != nil {
				t.Fatalf("%s %q: %v", tool, s, err)
			}
			if res.IsError && res.Text == "" {
				t.Errorf("%s %q: an error without words", tool, s)
			}
			if strings.Contains(res.Text, "root:x:") {
				t.Errorf("%s %q: %s", tool, s, res.Text)
			}
		}
	})
}
