package load_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"catena/table"
	"catena/table/load"
	"catena/table/tabletest"

	"github.com/google/go-cmp/cmp"
)

// TestReadListing: each form gives the same table of two rows; what stands beside it is kept.
func TestReadListing(t *testing.T) {
	const (
		rows   = `[{"name":"a.txt","size":3},{"name":"b c","size":4}]`
		python = `[{'name': 'a.txt', 'size': 3}, {'name': "b c", 'size': 4}]`
		csv    = "name,size\na.txt,3\nb c,4\n"
	)
	tests := map[string]struct{ text, around string }{
		"JSON":                 {text: rows},
		"beside a count":       {text: `{"count":2,"results":` + rows + `}`},
		"deep":                 {text: `{"ok":true,"data":{"page":1,"entries":` + rows + `}}`},
		"JSON in a text":       {text: fmt.Sprintf(`{"result":%q}`, rows)},
		"object in a text":     {text: fmt.Sprintf(`{"content":%q}`, `{"items":`+rows+`}`)},
		"texts of objects":     {text: `["{\"name\":\"a.txt\",\"size\":3}","{\"name\":\"b c\",\"size\":4}"]`},
		"CSV in a text":        {text: fmt.Sprintf(`{"result":%q}`, csv)},
		"JSON Lines":           {text: "{\"name\":\"a.txt\",\"size\":3}\n\n{\"name\":\"b c\",\"size\":4}"},
		"Python":               {text: python},
		"Python in an object":  {text: "{'more': False, 'rows': " + python + ",}"},
		"tuples":               {text: "(" + strings.Trim(python, "[]") + ",)"},
		"columns and rows":     {text: `{"columns":["name","size"],"rows":[["a.txt",3],["b c",4]]}`},
		"described columns":    {text: `{"fields":[{"name":"name"},{"name":"size"}],"data":[["a.txt",3],["b c",4]]}`},
		"columns, types, rows": {text: `{"columns":["name","size"],"columnTypes":["VARCHAR","INTEGER"],"rows":[["a.txt",3],["b c",4]]}`},
		"described objects":    {text: `{"columns":[{"name":"name","type":"text"},{"name":"size","type":"int"}],"rows":` + rows + `}`},
		"names above":          {text: `{"range":"A1:B3","values":[["name","size"],["a.txt",3],["b c",4]]}`},
		"a text says it too":   {text: fmt.Sprintf(`{"message":%q,"files":%s}`, "| name |\n|---|\n| a.txt |\n", rows)},
		"numbered blocks":      {text: "1. row\nname: a.txt\nsize: 3\n\n2. row\nname: b c\nsize: 4\n\nResult: 2 rows", around: "Result: 2 rows"},
		"starred blocks":       {text: "*** 1. row ***\n  name: a.txt\n  size: 3\n*** 2. row ***\n  name: b c\n  size: 4\n2 rows in set", around: "2 rows in set"},
		"records":              {text: "Record 1:\n- name: a.txt\n- size: 3\nRecord 2:\n- name: b c\n- size: 4"},
		"HTML":                 {text: "<h2>Files</h2>\n<table><tr><th>name</th><th>size</th></tr><tr><td>a.txt</td><td>3</td></tr><tr><td>b c</td><td>4</td></tr></table>", around: "Files"},
		"a sheet as HTML": {text: "<table>\n<tr><th></th><th>A</th><th>B</th></tr>\n<tr><th>1</th><td>name</td><td>size</td></tr>\n" +
			"<tr><th>2</th><td>a.txt</td><td>3</td></tr>\n<tr><th>3</th><td>b c</td><td>4</td></tr>\n</table>"},
		"CSV below a note":     {text: "[Reading 3 lines, 0 remaining]\n\n" + csv, around: "[Reading 3 lines, 0 remaining]"},
		"CSV":                  {text: csv},
		"tabs":                 {text: strings.ReplaceAll(csv, ",", "\t")},
		"CSV below a sentence": {text: "Query results:\n\n" + csv, around: "Query results:"},
		"Markdown":             {text: "| name | size |\n|---|---:|\n| a.txt | 3 |\n| b c | 4 |\n"},
		"Markdown in prose":    {text: "So:\n\n| name | size |\n|---|---|\n| a.txt | 3 |\n| b c | 4 |\n\nDone.", around: "So:\nDone."},
		"blocks":               {text: "name: a.txt\nsize: 3\n\nname: b c\nsize: 4\n"},
		"blocks below a title": {text: "Files:\n- name: a.txt\n- size: 3\n---\n- name: b c\n- size: 4", around: "Files:"},
		"blocks in a row":      {text: "**name**: a.txt\n**size**: 3\n**name**: b c\n**size**: 4"},
		"JSON below a line":    {text: "Found 2:\n" + rows + "\n(end)", around: "Found 2:\n(end)"},
		"in a fence":           {text: "```json\n" + rows + "\n```"},
		"fence below a line":   {text: "Found:\n\n```json\n" + rows + "\n```\nDone.", around: "Found:\nDone."},
		"text below a fence":   {text: "```json\n" + rows + "\n```\n\nDone.", around: "Done."},
		"CSV in a fence":       {text: "Found:\n```csv\n" + csv + "```\nDone.", around: "Found:\nDone."},
		"CSV with spaces":      {text: "name, size\na.txt, 3\nb c, 4\n"},
		"quoted with spaces":   {text: "\"name\"; \"size\"\n\"a.txt\"; 3\n\"b c\"; 4\n"},
		"lines below a title":  {text: "Found 2:\n{\"name\":\"a.txt\",\"size\":3}\n{\"name\":\"b c\",\"size\":4}\n... and 5 more", around: "Found 2:\n... and 5 more"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l, ok := load.ReadListing([]byte(tt.text), "test", table.Limits{})
			if !ok {
				t.Fatalf("no table of %s", tt.text)
			}
			got := [][]string{l.Table.Names()}
			for i := range l.Table.NumRows() {
				got = append(got, []string{l.Table.Value(i, 0).String(), l.Table.Value(i, 1).String()})
			}
			if diff := cmp.Diff([][]string{{"name", "size"}, {"a.txt", "3"}, {"b c", "4"}}, got); diff != "" {
				t.Error(diff)
			}
			if l.Around != tt.around {
				t.Errorf("around it %q", l.Around)
			}
		})
	}
}

func TestListingBeside(t *testing.T) {
	for text, want := range map[string]string{
		`{"total":9,"results":[{"a":1}],"next":"p2"}`:                            `{"total":9,"next":"p2"}`,
		`{"zulu":1,"items":[{"a":1}],"mike":[],"alpha":{"y":1,"b":2}}`:           `{"zulu":1,"mike":[],"alpha":{"y":1,"b":2}}`,
		`{"z":1,"data":{"y":2,"z":3,"rows":[{"a":1}],"x":4},"w":5}`:              `{"y":2,"x":4,"z":1,"w":5}`,
		`{"took":"3 ms","names":["a","b"],"rows":[[1,2],[3,4]],"asked":"today"}`: `{"took":"3 ms","asked":"today"}`,
		`{"total":2,"files":["a.txt","b.txt"],"page":1}`:                         `{"total":2,"page":1}`,
		`{"b":1,"items":[{"a":1}],"b":2,"a":3}`:                                  `{"b":2,"a":3}`,
		`[{"a":1}]`:                                                              `{}`,
	} {
		l, ok := load.ReadListing([]byte(text), "test", table.Limits{})
		if got, err := json.Marshal(l.Beside); !ok || err != nil || string(got) != want {
			t.Errorf("%s: %v %s, want %s, %v", text, ok, got, want, err)
		}
	}
	l, ok := load.ReadListing([]byte("[DIR] sub\n[FILE] a b.txt"), "test", table.Limits{})
	if !ok || l.Table.Value(1, 0).String() != "FILE" || l.Table.Value(1, 1).String() != "a b.txt" {
		t.Errorf("%v %v", ok, l.Table)
	}
	l, ok = load.ReadListing([]byte(`[{'id': UUID('0a'), 'at': datetime.datetime(2025, 1, 2, 3, 4), 'n': Decimal('1.50'), 'gone': None}]`), "test", table.Limits{})
	if !ok || l.Table.NumCols() != 4 || l.Table.Value(0, 0).String() != "0a" {
		t.Errorf("%v %v", ok, l.Table)
	}
}

// TestListingForms: forms whose tables have names of their own.
func TestListingForms(t *testing.T) {
	for text, want := range map[string][][]string{
		"[(1, 'Ann', None), (2, 'Bob', 1.5)]":                                        {{"column_1", "column_2", "column_3"}, {"1", "Ann", ""}, {"2", "Bob", "1.5"}},
		"1. Name: Oslo\n   People: 7\n\n2. **Name**: Rome\n   People: 9":             {{"Name", "People"}, {"Oslo", "7"}, {"Rome", "9"}},
		"1. Dune: Two\n   Year: 2024\n2. Alien: Three\n   Year: 1992":                {{"item", "Year"}, {"Dune: Two", "2024"}, {"Alien: Three", "1992"}},
		"1. Name: Oslo\n   Name: x\n2. Name: Rome\n   Name: y":                       {{"item", "Name"}, {"Name: Oslo", "x"}, {"Name: Rome", "y"}},
		"1. Oslo\n   People: 7\n   Sea: yes\n2. Rome\n   People: 9\n   Sea: no":      {{"item", "People", "Sea"}, {"Oslo", "7", "yes"}, {"Rome", "9", "no"}},
		"a: 1\nb: 2\nc: 3\nd: 4\n\na: 5\nb: 6\nd: 7":                                 {{"a", "b", "c", "d"}, {"1", "2", "3", "4"}, {"5", "6", "", "7"}},
		`["orders", "clients", "2024 report"]`:                                       {{"value"}, {"orders"}, {"clients"}, {"2024 report"}},
		`{"tables": ["orders", "clients"]}`:                                          {{"tables"}, {"orders"}, {"clients"}},
		`{"status": "ok", "message": "Found 2.", "wells": ["Mia Berg", "Tom Vale"]}`: {{"wells"}, {"Mia Berg"}, {"Tom Vale"}},
		`{"count": 2, "hasMore": false, "tags": ["red", "blue"]}`:                    {{"tags"}, {"red"}, {"blue"}},
		`{"result": ["a.txt", "b"]}`:                                                 {{"value"}, {"a.txt"}, {"b"}},
		`{"result": "[\"a.txt\", \"b\"]"}`:                                           {{"value"}, {"a.txt"}, {"b"}},
		"[FILE] a b.txt   67 B\n[DIR] sub\n\nTotal: 1 file":                          {{"kind", "name", "size"}, {"FILE", "a b.txt", "67 B"}, {"DIR", "sub", ""}},
		"Open:\n  [HIGH] T-1 - Draw it\n  [LOW] T-2 - Store it": {
			{"kind", "item", "text"}, {"HIGH", "T-1", "Draw it"}, {"LOW", "T-2", "Store it"}},
		"Open:\n  [HIGH] draw it\n\nDone:\n  [LOW] sell it\n\nThat is all.": {
			{"group", "kind", "name"}, {"Open", "HIGH", "draw it"}, {"Done", "LOW", "sell it"}},
		"Found 2:\n/srv/a b.txt\n./c":                                    {{"path"}, {"/srv/a b.txt"}, {"./c"}},
		"http://x:80\nhttp://y/z":                                        {{"url"}, {"http://x:80"}, {"http://y/z"}},
		"README.md\nsrc/main.go\n\n2 files":                              {{"path"}, {"README.md"}, {"src/main.go"}},
		"src/a.go:3:x := 1\n/b c.py:14:\n":                               {{"file", "line", "text"}, {"src/a.go", "3", "x := 1"}, {"/b c.py", "14", ""}},
		"a.go:3:7: no name\nb.go:4:1: no type: x":                        {{"file", "line", "column", "text"}, {"a.go", "3", "7", " no name"}, {"b.go", "4", "1", " no type: x"}},
		"a.go:3:7\nb.go:4:x":                                             {{"file", "line", "text"}, {"a.go", "3", "7"}, {"b.go", "4", "x"}},
		"a.go:3\nsub/b:14":                                               {{"file", "count"}, {"a.go", "3"}, {"sub/b", "14"}},
		"Tables:\n- orders\n- `clients`":                                 {{"item"}, {"orders"}, {"clients"}},
		"3f9c2ab Draw it\n1234567 Store it, too\n0badcaf 2: sell\n":      {{"commit", "text"}, {"3f9c2ab", "Draw it"}, {"1234567", "Store it, too"}, {"0badcaf", "2: sell"}},
		`{"message":"Log:","result":"3f9c2ab Draw it\n0badcaf Sell it"}`: {{"commit", "text"}, {"3f9c2ab", "Draw it"}, {"0badcaf", "Sell it"}},
		`{"content":[{"type":"text","text":"3f9c2ab Draw it\n0badcaf Sell it"}],"isError":false,"metadata":{"took":2}}`: {{"commit", "text"}, {"3f9c2ab", "Draw it"}, {"0badcaf", "Sell it"}},
		"alpha,beta,gamma":                                  {{"item"}, {"alpha"}, {"beta"}, {"gamma"}},
		"order_items, clients":                              {{"item"}, {"order_items"}, {"clients"}},
		"Files of the project: notes.md,sub/b.txt":          {{"item"}, {"notes.md"}, {"sub/b.txt"}},
		"## Pages\n1: about:blank\n2: about:new [selected]": {{"item", "detail"}, {"about:blank", ""}, {"about:new", "selected"}},
		"### Result\n- 0: [Bees](data:text/html,<p>hum)\n- 1: (current) [](about:new)": {{"item", "url", "detail"}, {"Bees", "data:text/html,<p>hum", ""}, {"", "about:new", "current"}},
		"1. [The sea](https://a.example/x)\n2. [A (big) hill](https://b.example)":      {{"item", "url"}, {"The sea", "https://a.example/x"}, {"A (big) hill", "https://b.example"}},
		"* [Oslo](/o) - a town\n* [Rome](/r) (old)":                                    {{"item", "url", "detail"}, {"Oslo", "/o", "a town"}, {"Rome", "/r", "old"}},
		"* main\n  side\n  fix/one":                                                    {{"item", "mark"}, {"main", "*"}, {"side", ""}, {"fix/one", ""}},
		"  dev\n* main":                                                                {{"item", "mark"}, {"dev", ""}, {"main", "*"}},
		`{"a.xlsx":4844,"sub/b.xlsx":4756}`:                                            {{"path", "value"}, {"a.xlsx", "4844"}, {"sub/b.xlsx", "4756"}},
		"1. orders\n2. clients":                                                        {{"item"}, {"orders"}, {"clients"}},
		"Files:\n- my notes.txt (3 KB)\n- b/\n\nThat is all.":                          {{"item", "detail"}, {"my notes.txt", "3 KB"}, {"b/", ""}},
		"* **Draw it** (ID: a1)\n* **Store it** (ID: b2)":                              {{"item", "ID"}, {"Draw it", "a1"}, {"Store it", "b2"}},
		"- `find` - looks for files\n- `read` - reads one":                             {{"item", "text"}, {"find", "looks for files"}, {"read", "reads one"}},
		"# Tasks\n\n## State\n- open: 2\n\n### Draw (ID: 7)\n\n**Note:** `x`\n\n**On:** 2\n\n### Store (ID: 8)\n\n**Note:** y\n\n**On:** 3\n\n## Hints\n- none": {
			{"item", "ID", "Note", "On"}, {"Draw", "7", "x", "2"}, {"Store", "8", "y", "3"}},
	} {
		l, ok := load.ReadListing([]byte(text), "test", table.Limits{})
		if !ok {
			t.Errorf("no table of %q", text)
			continue
		}
		got := [][]string{l.Table.Names()}
		for i := range l.Table.NumRows() {
			var row []string
			for c := range l.Table.NumCols() {
				row = append(row, l.Table.Value(i, c).Text())
			}
			got = append(got, row)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// TestNoListing: prose, single objects and outputs with two lists are none.
func TestNoListing(t *testing.T) {
	for _, text := range []string{
		"", "```\n```", "null", "[]", "{}", "7", `"done"`, "The file was written.", "Hello, world.\nThis is a letter, as you see.", `{"ok":true}`, `[1,2]`, `{"a":{"b":1}}`,
		`{"left":[{"a":1}],"right":[{"b":2}]}`, `[{"a":1},2]`, "Error: no such file\nHint: look again", "key: value", "Name: Ann\nAge: 3\n\nShe lives there.\n\nName: Bob\nAge: 4",
		"Name: Ann\nAge: 3\n\nName: Bob\nCity: Oslo", "import os, sys\nimport re, json\n", "one, two\nthree, four", "[{'a': open('x')}]", "[{'a': 1}", "[DIR] only", "Open:\n[DIR] only", "[DIR] a\nand more\n[DIR] b",
		"[DIR] a\n[DIR] b\n\nThat is all.\n[DIR] c", "Open:\nDone:\n[DIR] a\n[DIR] b",
		`{"columns":["a","b"],"rows":[[1]]}`, "a,b\n1,2,3\n4,5", "- one\n- two, three", `[[1,2],[3,4]]`, `{"at":[[59.9,10.7],[60.1,5.3]]}`, `[["a",1]]`, `[["a","b"],["c"]]`,
		`["done"]`, `["a",2]`, `["a",null]`, `["a",""]`, `["The file was written.","It is large."]`, `["Wash the dishes, then","go home. Or not"]`,
		`{"title":"x","tags":["a","b"]}`, `{"item":{"tags":["a","b"]}}`, `["a","two\nlines"]`, `["Is it?","Is it so?"]`, `["a","` + strings.Repeat("long", 30) + `"]`, "1. Wash the dishes\n2. Call: Ann\n3. Sleep",
		"1.\n2.\n3\nA: 1", "1.\n\n2.\n\na: b", "- size: 3\n- count: 4", "- Wash it.\n- Dry it.", "- one (1)\n- it is so, and so on (see below)", "- a\n  - b\n- c", "- a", "/srv/a.txt",
		"The path is\n/srv/a\n/srv/b", "/srv/a\n/srv/b\nare there", "a.go:3:x\nplain\nb.go:4:y", "12:30\n14:45", "a.go:3:x\nb.go:4", "3.14\n2.71",
		"# A\ntext\n# B\ntext", "# A\n- x: 1\n- y: 2\n## B\n- x: 1\n- y: 2", "# A\n- x: 1\n# B\n- y: 2", "fmt.Println(\"a\")\nos.Exit(1)", "one\ntwo\nthree",
		"defaced the wall\neffaced the name", "1234567 Oslo\n2345678 Rome", "3f9c2ab one\n3f9c2ab two", "3f9c2ab alone", "Hello, Ann", "red, green, blue",
		"* main\n  side\nand more", "* one\n* two three", "* main\nside\nfix", "* Wash it\n  now", `{"a.b":1,"c":2}`, `{"a.xlsx":1,"b.xlsx":[2]}`, `{"a.xlsx":"x"}`,
		"- [x] wash\n- [ ] dry", "- see [a](b) first\n- then [c](d)", "1: Wash the dishes\n2: Dry them", "2024: Oslo\n2025: Rome", "1: Oslo\n3: Rome", "## Steps\n1. Wash it.\n2. Dry it.",
		"Note: wash, dry", "1.5, 2.5", "Found a.txt, b.txt", "a.txt, and b.txt.", "Oslo,Norway", "order_items", "Ann, Oslo\nBob, Rome\nCid, 4", "{\"a\":1}\nand\n{\"a\":2}", "{\"a\":1}\nThat is all.", "So:\n```\na,b\n1,2\n```\nor:\n```\na,b\n3,4\n```", "a(), b_c()",
		`{"content":[{"type":"text","text":"It is done."}],"isError":false}`, `[{"type":"text","text":"It is done."}]`,
		"Steps:\n1. Open the door.\nNote: it creaks.\n2. Go in.\nNote: it is dark.\nAnd now the end, which is a line.\n3. Sleep",
	} {
		if l, ok := load.ReadListing([]byte(text), "test", table.Limits{}); ok {
			t.Errorf("%q became %v", text, l.Table.Names())
		}
	}
}

// FuzzReadListing: nothing of a foreign output stops the program.
func FuzzReadListing(f *testing.F) {
	f.Add("[{'a': 'b\\'c', 'd': Decimal('1.5')}]")
	f.Add("x:\n{\"a\":\"[{\\\"b\\\":1}]\"}\n")
	f.Add("a: 1\nb: 2\n\na: 3\nb: 4")
	f.Add("1. Oslo\n   People: 7\n2. Rome\n   People: 9\nTotal: 2")
	f.Add("1.\n2.\n3\nA: 1")
	f.Add("<table><tr><td>1</td></tr" + strings.Repeat("\xf8", 100) + "</table>")
	f.Add("<TABLE><tr><td>ȺK</td><td>b</td></tr></table>" + strings.Repeat("K", 40))
	f.Add("[FILE] a.txt   67 B\n[DIR] sub\n\nTotal: 1 file")
	f.Add("```\n|a|b|\n|-|-|\n|1|2|\n```")
	for _, c := range tabletest.Listings() {
		f.Add(string(c.Make(4 << 10)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<20 {
			return
		}
		watchHostile(t, len(text), func(lim table.Limits) {
			if l, ok := load.ReadListing([]byte(text), "fuzz", lim); ok && (l.Table == nil || l.Table.NumRows() == 0) {
				t.Fatalf("%+v", l)
			}
		})
	})
}

// TestSole: an object that holds but one object says no more than that; lists of such objects are lists of what they
// hold.
func TestSole(t *testing.T) {
	for in, want := range map[string]string{
		`{"row": {"id": 1}}`:                      `{"id": 1}`,
		`{"row": {"id": {"deep": 1}}}`:            `{"id": {"deep": 1}}`,
		`[{"node":{"id":1}},{"node":{"id":2}}]`:   `[{"id":1},{"id":2}]`,
		`[{"a":{"id":1}},{"b":{"id":2}}]`:         `[{"a":{"id":1}},{"b":{"id":2}}]`,
		`{"row": {"id": 1}, "more": 2}`:           `{"row": {"id": 1}, "more": 2}`,
		`{"row": {}}`:                             `{"row": {}}`,
		`{"row": 5}`:                              `{"row": 5}`,
		`{"rows": [{"id": 1}]}`:                   `{"rows": [{"id": 1}]}`,
		`[{"node":{"id":1}},{"node":null}]`:       `[{"node":{"id":1}},{"node":null}]`,
		`[]`:                                      `[]`,
		`{"row": {"id": 1}`:                       `{"row": {"id": 1}`,
		``:                                        ``,
		`[{"node":{"id":1}},{"node":{"id":2}},7]`: `[{"node":{"id":1}},{"node":{"id":2}},7]`,
	} {
		if got := string(load.Sole([]byte(in))); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	tab, err := load.Any([]any{map[string]any{"node": map[string]any{"id": 1}}}, table.Limits{})
	if err != nil || tab.Column(0).Name != "id" {
		t.Errorf("%v %v", tab, err)
	}
}
