package parse

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What every parser must find in well-formed source: the classes, functions, methods and imports.
var suite = map[string]struct{ symbols, imports []string }{
	"pay.py": {[]string{"class PaymentError", "class Payment", "method Payment.__init__", "method Payment.total", "method Payment.pay", "method Payment._secret",
		"function Payment._secret.inner", "function total", "function main", "constant MAX_RETRIES", "variable default_currency"},
		[]string{"os", "json", ".ledger", "acme.money", "acme.rates"}},
	"pay.js": {[]string{"class Payment", "method Payment.constructor", "method Payment.total", "method Payment.pay", "method Payment.onClick", "function total",
		"function total.add", "function rounded", "function default", "function format", "method Payment.cancel", "constant MAX_RETRIES", "variable cache"},
		[]string{"fs", "node:path", "./polyfill.js", "./ledger", "./total.js"}},
	"view.jsx": {[]string{"function Button", "function List"}, []string{"react"}},
	"pay.ts": {[]string{"type Currency", "enum Status", "interface Payable", "method Payable.pay", "class Payment", "method Payment.constructor", "method Payment.audit",
		"method Payment.pay", "method Payment.secret", "function convert", "module Rates", "function Rates.latest", "module acme", "function acme.outer", "class View",
		"method View.changed"}, []string{"./ledger", "@acme/money", "./pay"}},
	"Pay.java": {[]string{"class Pay", "method Pay.Pay", "method Pay.pay", "method Pay.audit", "class Pay.Line", "method Pay.Line.text", "enum Pay.Status",
		"method Pay.Status.done", "interface Payable", "method Payable.pay", "method Payable.retries", "class Point", "interface Audited", "method Audited.value"},
		[]string{"java.util.List", "java.util.Map", "java.lang.Math.max", "com.acme.ledger.*"}},
	"pay.rs": {[]string{"constant MAX_RETRIES", "variable NAME", "enum PayError", "type Result", "class Payment", "interface Payable", "method Payable.amount",
		"method Payable.due", "method Payment.new", "method Payment.pay", "method Payment.amount", "function total", "function book", "module tests", "function tests.pays"},
		[]string{"std::collections::HashMap", "std::collections::hash_map::Entry", "crate::ledger::Ledger", "self::rates::*", "self::rates", "super::*"}},
}

func TestEveryParserFindsTheSame(t *testing.T) {
	for name, want := range suite {
		src, err := os.ReadFile(filepath.Join("testdata", "src", name))
		if err != nil {
			t.Fatal(err)
		}
		usual, err := Parse(context.Background(), name, src)
		if err != nil {
			t.Fatal(err)
		}
		rules := byRules(name, src)
		for _, f := range []File{usual, rules} {
			var symbols, imports []string
			for _, s := range f.Symbols {
				symbols = append(symbols, string(s.Kind)+" "+join(s.Container, s.Name))
				if (s.Kind == Function || s.Kind == Method) && s.End-s.Start > 2 && s.Metrics == nil {
					t.Errorf("%s by %s: %s has no metrics", name, f.Parser, s.Name)
				}
			}
			for _, i := range f.Imports {
				imports = append(imports, i.Path)
			}
			for _, s := range want.symbols {
				if !slices.Contains(symbols, s) {
					t.Errorf("%s by %s: no %s in %q", name, f.Parser, s, symbols)
				}
			}
			for _, i := range want.imports {
				if !slices.Contains(imports, i) {
					t.Errorf("%s by %s: no import %s in %q", name, f.Parser, i, imports)
				}
			}
			if f.Broken || f.Truncated {
				t.Errorf("%s by %s: broken %v, truncated %v", name, f.Parser, f.Broken, f.Truncated)
			}
		}
		for _, s := range usual.Symbols { // both agree on lines and comments of what both find
			i := slices.IndexFunc(rules.Symbols, func(r Symbol) bool { return r.Name == s.Name && r.Container == s.Container && r.Start == s.Start })
			if i < 0 || rules.Symbols[i].End != s.End || rules.Symbols[i].DocStart != s.DocStart || rules.Symbols[i].Doc != s.Doc || rules.Symbols[i].Kind != s.Kind {
				t.Errorf("%s: %s of line %d to %d, %q, is another one by the rules", name, s.Name, s.Start, s.End, s.Doc)
			}
		}
	}
}

// Private methods of JavaScript are named with their sign.
func TestPrivateNames(t *testing.T) {
	src := "class Till {\n  #coins = 0\n  static async #count (n) {\n    return this.#coins + n\n  }\n  open () {\n    return this.#count(1)\n  }\n}\n"
	f, err := Parse(context.Background(), "till.js", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	exported := map[string]bool{}
	for _, s := range f.Symbols {
		exported[join(s.Container, s.Name)] = s.Exported
	}
	if _, ok := exported["Till.#count"]; !ok || exported["Till.#count"] {
		t.Errorf("symbols: %v", exported)
	}
	if _, ok := exported["Till.open"]; !ok {
		t.Errorf("symbols: %v", exported)
	}
}
