package code

import (
	"slices"
	"strings"
	"testing"
)

// bazaar has a module in each language that the parsers know, and one that imports it.
var bazaar = map[string]string{
	"py/ledger.py":         "\"\"\"Accounts.\"\"\"\n\n\nclass Ledger:\n    def charge(self, cents):\n        \"\"\"Take money.\"\"\"\n        if cents > 0 and cents < 10:\n            return cents\n        return 0\n",
	"py/shop.py":           "from ledger import Ledger\n\n\ndef sell():\n    return Ledger().charge(3)\n",
	"ts/ledger.ts":         "// chargeCard takes money from a card.\nexport function chargeCard(cents: number): number {\n  if (cents > 0) {\n    return cents;\n  }\n  return 0;\n}\n",
	"ts/shop.ts":           "import { chargeCard } from './ledger';\n\nexport function sellOnline(): number {\n  return chargeCard(3);\n}\n",
	"java/acme/Till.java":  "package acme;\n\n/** A till. */\npublic class Till {\n  /** Opens it. */\n  public int open(int cents) {\n    if (cents > 0) {\n      return cents;\n    }\n    return 0;\n  }\n}\n",
	"java/acme/Store.java": "package acme;\n\nimport acme.Till;\n\npublic class Store {\n  int sellHere() {\n    return new Till().open(3);\n  }\n}\n",
	"rust/src/lib.rs":      "pub mod purse;\n\npub fn sell_abroad() -> u32 {\n    purse::draw_coins(3)\n}\n",
	"rust/src/purse.rs":    "/// draw_coins takes coins out.\npub fn draw_coins(n: u32) -> u32 {\n    if n > 2 {\n        return n;\n    }\n    0\n}\n",
	"broken.go":            "package broken\n\nfunc half( {\n",
	"latin1.py":            "# caf\xe9\ndef order_coffee():\n    return 1\n",
	"long.js":              strings.Repeat("let x = 1;\n", 100_000),
}

func TestLanguages(t *testing.T) {
	k := cook(t, bazaar)
	id := k.index()
	functions := strings.Join(column(t, k.call("list_functions", `{"limit":1000}`), "function"), " ")
	for _, want := range []string{"charge", "sell", "chargeCard", "sellOnline", "open", "sellHere", "draw_coins", "sell_abroad", "order_coffee"} {
		if !strings.Contains(functions, want) {
			t.Errorf("%s is not in %s", want, functions)
		}
	}
	for file, want := range map[string]string{"py/ledger.py": "py/shop.py", "ts/ledger.ts": "ts/shop.ts", "Till.java": "java/acme/Store.java", "purse.rs": "rust/src/lib.rs"} {
		if got := column(t, k.call("get_dependents", `{"filepath":"`+file+`"}`), "path"); !slices.Contains(got, want) {
			t.Errorf("dependents of %s: %v, want %s", file, got, want)
		}
	}
	for function, at := range map[string]string{"chargeCard": "[ts/ledger.ts:2]", "draw_coins": "[rust/src/purse.rs:2]", "Ledger": "[py/ledger.py:4]", "Till": "[java/acme/Till.java:4]"} {
		if m := k.ask(id, "where is "+function+" defined?"); !strings.Contains(m["answer"].(string), at) {
			t.Errorf("%s: %v, want %s", function, m["answer"], at)
		}
	}
	if m := k.ask(id, "what calls chargeCard?"); !strings.Contains(m["answer"].(string), "[ts/shop.ts:4]") {
		t.Errorf("callers: %v", m["answer"])
	}
	if notes := k.call("get_files_context", `{"filepath":"broken.go"}`).Notes; !strings.Contains(strings.Join(notes, " "), "syntax errors") {
		t.Errorf("a broken file is not told as one: %v", notes)
	}
	for _, row := range rows(k.call("get_complexity", `{"files":["ts/ledger.ts","purse.rs","charge"]}`)) {
		if row[5] < "2" {
			t.Errorf("a function with a branch has the complexity %s: %v", row[5], row)
		}
	}
}
