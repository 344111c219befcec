package tabletest

import "strings"

// JSON are the classes of JSON and JSON Lines.
func JSON() []Class {
	of := func(name, head, piece, end string) Class {
		return Class{name, "hostile.json", func(size int) []byte { return repeatedPiece(size, head, piece, end) }}
	}
	pieces := func(name, head string, piece func(b *strings.Builder, i int), end string) Class {
		return Class{name, "hostile.json", func(size int) []byte {
			return append(append([]byte(head), build(size-len(head)-len(end), piece)...), end...)
		}}
	}
	return []Class{
		pieces("one object of many keys", `{"a":0`, func(b *strings.Builder, i int) { write(b, `,"k`, i, `":1`) }, "}"),
		pieces("one row of many keys", `[{"a":0`, func(b *strings.Builder, i int) { write(b, `,"k`, i, `":1`) }, "}]"),
		pieces("a key of its own in every row", `[{"a":0}`, func(b *strings.Builder, i int) {
			write(b, `,{"k`, i, `":1}`)
		}, "]"),
		pieces("lines with a key of their own", "{\"a\":0}\n", func(b *strings.Builder, i int) {
			write(b, `{"k`, i, "\":1}\n")
		}, ""),
		of("one key again and again", `[{"a":0`, `,"a":1`, "}]"),
		pieces("objects by their keys", `{"a":{"x":1,"y":2}`, func(b *strings.Builder, i int) {
			write(b, `,"k`, i, `":{"x":1,"y":2}`)
		}, "}"),
		pieces("objects with keys of their own", `{"a":{"x":1}`, func(b *strings.Builder, i int) {
			write(b, `,"k`, i, `":{"x`, i, `":1}`)
		}, "}"),
		pieces("lists by their keys", `{"a":[1]`, func(b *strings.Builder, i int) { write(b, `,"k`, i, `":[1]`) }, "}"),
		pieces("tables by their keys", `{"a":[{"x":1}]`, func(b *strings.Builder, i int) {
			write(b, `,"k`, i, `":[{"x`, i, `":1},{"x`, i, `":1}]`)
		}, "}"),
		pieces("tables in tables", `{"data":{"a":[{"x":1}]`, func(b *strings.Builder, i int) {
			write(b, `,"k`, i, `":{"rows":[{"x":1}]}`)
		}, "}}"),
		of("results in results", strings.Repeat(`{"result":`, 60)+"[", `{"a":1},`, `{"a":2}]`+strings.Repeat("}", 60)),
		of("results that are no tables", strings.Repeat(`{"data":[1],"rows":[2],"result":`, 50)+"[", `{"a":1},`,
			`{"a":2}]`+strings.Repeat("}", 50)),
		{"a long name of an object of many members", "hostile.json", func(size int) []byte {
			return []byte(`[{"` + strings.Repeat("x", size/2) + `":{"a":1` +
				numbered(`,"k`, 0, min(size/20, 16_000), `":1`) + "}}]")
		}},
		{"a name of an object of many members, again and again", "hostile.json", func(size int) []byte {
			return repeatedPiece(size, `[{"a":1}`,
				`,{"`+strings.Repeat("x", 4<<10)+`":{"a":1`+numbered(`,"k`, 0, 1000, `":1`)+"}}", "]")
		}},
		{"texts among objects", "hostile.json", func(size int) []byte {
			return []byte(`[{"a":{"b":{"c":1}}},{"a":{"b":"` + strings.Repeat("<", size) + `"}}]`)
		}},
		of("open objects", "", `{"a":`, ""),
		of("open lists", "", "[", ""),
		of("lists in lists", "[", "[[[[[[[[]]]]]]]],", "[]]"),
		of("objects in cells", `[`, `{"a":{"b":{"c":{"d":[1,2]}}}},`, `{"a":1}]`),
		pieces("keys of objects in cells", `[{"a":{"x":1}}`, func(b *strings.Builder, i int) {
			write(b, `,{"a":{"k`, i, `":1}}`)
		}, "]"),
		of("rows of lists", `[["a","b"]`, `,[1,2]`, "]"),
		of("rows of other lengths", `[[1]`, `,[1,2,3],[],[1,2]`, "]"),
		of("one row of one cell again", `[{"a":1}`, `,{"a":1}`, "]"),
		of("lines", "", "{\"a\":1}\n", ""),
		of("lines with a fault at the end", "", "{\"a\":1}\n", "{\"a\":"),
		of("lines with commas", "", "{\"a\":1},\n", ""),
		of("rows with a fault at the end", "[", `{"a":1},`, `{"a":`),
		of("scalars", "[", "1,", "2]"),
		of("mixed scalars", "[", `1,"x",null,true,`, "2]"),
		of("one long number", "[", "9", "]"),
		of("one long text", `["`, "x", `"]`),
		of("one text of escapes", `["`, `\u00e9\n`, `"]`),
		of("half escapes", `["`, `\ud800`, `"]`),
		of("blanks", "[", " ", "1]"),
		of("wire columns", `{"columns":[{"name":"a"}`, `,{"name":"a","type":"integer"}`, `],"rows":[[1]]}`),
		of("wire rows", `{"columns":["a","b"],"rows":[[1,2]`, `,[1,2]`, `]}`),
		of("text behind", `[{"a":1}]`, "\nx", ""),
		of("values behind", `[{"a":1}]`, "\n[1]", ""),
		of("JSON in texts", `[{"a":"{}"}`, `,{"a":"{\"b\":[1,2]}"}`, "]"),
	}
}

// Listings are the classes of what a tool prints: every form that a listing is read from, long names above many rows
// among them.
func Listings() []Class {
	long := func(name, head, piece, end string) Class {
		return Class{name, "hostile listing", func(size int) []byte {
			return repeatedPiece(size, strings.ReplaceAll(head, "NAME", strings.Repeat("n", size/4)), piece, end)
		}}
	}
	pieces := func(name string, piece func(b *strings.Builder, i int), end string) Class {
		return Class{name, "hostile listing", func(size int) []byte {
			return append(build(size-len(end), piece), end...)
		}}
	}
	return []Class{
		long("a long name above rows", `{"columns":["NAME","b"],"rows":[`, `["x",2],`, `["x",2]]}`),
		long("a long name of a list", `{"NAME":[`, `"x",`, `"x"]}`),
		long("a long name in the first row", `[["NAME","b"],`, `["x",2],`, `["x",2]]`),
		long("a long name in Python", `[('NAME', 'b'),`, `('x',2),`, `('x',2)]`),
		long("rows without names", "[", `[1,"x"],`, `[1,"x"]]`),
		pieces("one wide row without names", func(b *strings.Builder, i int) {
			write(b, []string{`[["x"`, `,"x"`}[min(i, 1)])
		}, `],[]]`),
		pieces("blocks of many keys", func(b *strings.Builder, i int) { write(b, "k", i%900, ": 1\n") }, ""),
		pieces("a block with a key of its own", func(b *strings.Builder, i int) {
			write(b, "a: 1\nb: 2\nc: 3\nk", i, ": 4\n\n")
		}, ""),
		pieces("numbered blocks", func(b *strings.Builder, i int) { write(b, i+1, ". x\n a: 1\n") }, ""),
		pieces("numbers alone", func(b *strings.Builder, i int) { write(b, i+1, ".\n") }, "a: 1"),
		pieces("sections", func(b *strings.Builder, i int) { write(b, "# x (ID: ", i, ")\n- a: 1\n") }, ""),
		pieces("headings alone", func(b *strings.Builder, i int) { write(b, "# ", i, "\n") }, "a: 1"),
		pieces("places", func(b *strings.Builder, i int) { write(b, "a.go:", i, ":\n") }, ""),
		long("paths", "", "a/\n", "b/"),
		long("bullets", "", "- a\n", "- b (c)"),
		long("tags", "", "[FILE] a.txt  3\n", "[DIR] b"),
		long("blanks between brackets", "[", "\n", "]"),
		long("commas and blanks", "[{'a': 1}", ", ", "]"),
		long("a text in a text", "", `"\"`, `"`),
		long("lines of brackets", "x:\n", "]\n", "[{"),
		long("fences", "", "```\n", "```"),
		long("open calls", "[{'a': ", "f(", ""),
		long("bars", "|a|b|\n|-|-|\n", "|1|2|\n", ""),
		long("names and quotes", "a,b\n", `"",""`+"\n", ""),
		long("open tables", "", "<table>", "</table>"),
		long("open comments", "<table><tr><td>1</td></tr></table>", "<!--", ""),
		long("objects in a field", `{"a":`, `{"a":`, "[{}]"),
		long("fields that hold texts", `{"a":"[`, `{\"b\":1},`, `{\"b\":1}]"}`),
	}
}
