package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"catena/internal/access"
	"catena/planner/plan/plantest"
	"catena/tools"
)

// hostileTool is a tool's definition that is larger than it should be.
type hostileTool struct {
	name, raw string
	refused   string // what the door says; "" lets it in
	cut       string // the field that has less than it had
}

// hostileTools makes such definitions; n says how large they are. The tests and the fuzz target share them.
func hostileTools(n int) []hostileTool {
	tool := func(schema, more string) string {
		return `{"name":"t","description":"Does it.","inputSchema":{"type":"object"` + schema + `}` + more + `}`
	}
	long := func(part string) string { return strings.Repeat(part, n) }
	list := func(format string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	return []hostileTool{
		{name: "description", raw: strings.Replace(tool("", ""), "Does it.", long("Does it. "), 1), cut: "description"},
		{name: "description of escapes", raw: strings.Replace(tool("", ""), "Does it.", long(`\u0041\nx`), 1), cut: "description"},
		{name: "title", raw: tool("", `,"title":"`+long("title ")+`"`), cut: "title"},
		{name: "icons", raw: tool("", `,"icons":[{"src":"data:`+long("0123456789")+`"}]`), cut: "icons"},
		{name: "meta", raw: tool("", `,"_meta":{"x":"`+long("0123456789")+`"}`), cut: "_meta"},
		{name: "name", raw: `{"name":"` + long("name") + `","inputSchema":{"type":"object"}}`, refused: "its name has"},
		{name: "properties", raw: tool(`,"properties":{`+list(`"p%d":{}`)+`}`, ""), refused: "more than 2000 properties"},
		{name: "nested properties", raw: tool(`,"properties":{"a":{"properties":{`+list(`"p%d":{}`)+`}}}`, ""), refused: "more than 2000 properties"},
		{name: "required", raw: tool(`,"required":[`+list(`"p%d"`)+`]`, ""), refused: "values in its lists"},
		{name: "enum", raw: tool(`,"properties":{"a":{"enum":[`+list(`%d`)+`]}}`, ""), refused: "values in its lists"},
		{name: "anyOf", raw: tool(`,"anyOf":[`+list(`{"minProperties":%d}`)+`]`, ""), refused: "values in its lists"},
		{name: "definitions", raw: tool(`,"$defs":{`+list(`"p%d":{"not":{}}`)+`}`, ""), refused: "more than 8000 objects"},
		{name: "levels", raw: tool(long(`,"items":{"type":"object"`)+long("}"), ""), refused: "levels of brackets"},
		{name: "lists in lists", raw: tool(`,"enum":`+long("[")+long("]"), ""), refused: "levels of brackets"},
		{name: "a long key", raw: tool(`,"properties":{"`+long("key")+`":{}}`, ""), refused: "a name of"},
		{name: "text in the schema", raw: tool(`,"description":"`+strings.Repeat("0123456789", 4*n)+`"`, ""), refused: "its definition has"},
		{name: "the output", raw: tool("", `,"outputSchema":{"type":"object","properties":{`+list(`"p%d":{}`)+`}}`), refused: "its outputSchema has more than 2000"},
	}
}

// What is larger than a bound is cut or left out, and the door says which; the bytes of what it lets in are bounded.
func TestDoor(t *testing.T) {
	for _, h := range hostileTools(7000) {
		t.Run(h.name, func(t *testing.T) {
			if !json.Valid([]byte(h.raw)) {
				t.Fatal("the test's own JSON is broken")
			}
			var d door
			small, ok := d.admit(json.RawMessage(h.raw), "name", maxKey)
			told := fmt.Sprint(d.told())
			if ok != (h.refused == "") || !strings.Contains(told, h.refused) {
				t.Fatalf("let in: %v, told %s", ok, told)
			}
			if len(told) > 1000 {
				t.Errorf("what is told has %d bytes", len(told))
			}
			if !ok {
				return
			}
			var read remoteTool
			if err := json.Unmarshal(small, &read); err != nil || len(read.Description) > 16<<10 || len(small) > maxDefinition {
				t.Errorf("%v; %d bytes of description, %d of it all", err, len(read.Description), len(small))
			}
			if !strings.Contains(told, "the "+h.cut+" of") {
				t.Errorf("what is cut is not told: %s", told)
			}
			again, lost, _, err := bounded(small)
			if err != nil || len(lost) > 0 || string(again) != string(small) {
				t.Errorf("what was let in is changed again: %v, %v", lost, err)
			}
		})
	}
}

func TestDoorKeepsWhatIsSmall(t *testing.T) {
	raw := json.RawMessage(`{"name":"t", "description":"` + strings.Repeat("é", 8000) + `", "inputSchema":{"properties":{"properties":{"properties":{"a":{}}}},"type":"object"}}`)
	small, lost, props, err := bounded(raw)
	if string(small) != string(raw) || len(lost) != 0 || err != nil || props.properties != 2 {
		t.Errorf("lost %v, %v properties and objects, %v", lost, props, err)
	}
}

// A list as a whole is bounded too, and the owner is told what of it is there.
func TestDoorOfLists(t *testing.T) {
	var d door
	let := 0
	for i := range 100 {
		text := strings.Repeat("x", 200<<10)
		if _, ok := d.admit(json.RawMessage(fmt.Sprintf(`{"name":"t%d","inputSchema":{"title":%q}}`, i, text)), "name", maxKey); ok {
			let++
		}
	}
	if let != 40 || !strings.Contains(fmt.Sprint(d.told()), "and 40 more") {
		t.Errorf("%d were let in: %v", let, d.told())
	}

	path := filepath.Join(t.TempDir(), "list")
	var list []string
	for i := range maxListed + 5 {
		list = append(list, fmt.Sprintf(`{"name":"t%d","inputSchema":{"type":"object"}}`, i))
	}
	list[0] = strings.Replace(hostileTools(250_000)[0].raw, `"t"`, `"long"`, 1)
	list[1] = strings.Replace(hostileTools(10_000)[6].raw, `"t"`, `"wide"`, 1)
	if err := os.WriteFile(path, []byte(strings.Join(list, ",")), 0o600); err != nil {
		t.Fatal(err)
	}
	reg := tools.NewRegistry(tools.Options{})
	run(t, reg, Options{}, tiny("file", "LIST", path))
	st := status(t, reg, "tiny")
	notes := strings.Join(st.Notes, "\n")
	if st.Tools != maxListed-1 {
		t.Errorf("%d tools", st.Tools)
	}
	for _, want := range []string{"more than 2000; the first", `"wide": its inputSchema has more than 2000 properties`, `the description of "long"`} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q:\n%s", want, notes)
		}
	}
	long, ok := reg.Lookup("tiny__long")
	if !ok || len(long.Def.Description) > 16<<10 || len(long.Raw) > 32<<10 || !strings.HasSuffix(long.Def.Description, cutMark) {
		t.Errorf("there: %v; %d bytes are handed on", ok, len(long.Raw))
	}
}

// maxCallMemory is what reading a definition and one call may take, all in all.
const maxCallMemory = 512 << 20

// fuzzed is a value in which there is something for each keyword of a schema.
func fuzzed() map[string]any {
	list := make([]any, 1000)
	for i := range list {
		list[i] = map[string]any{"a": json.Number("1e300"), "b": []any{"x", nil, true}}
	}
	var deep any = "text"
	for range 50 {
		deep = map[string]any{"a": deep, "b": []any{deep}}
		if len(fmt.Sprint(deep)) > 1<<12 {
			break
		}
	}
	return map[string]any{"a": deep, "b": list, "c": strings.Repeat("a", 10_000), "l": []any{[]any{[]any{}}}}
}

// FuzzDefinition holds for any bytes as a tool's definition: what is let in keeps the bounds and stays as it is when it is read again,
// reading it takes memory that grows no faster than its bytes, and a call of it, where it is a tool, is checked within a bound.
func FuzzDefinition(f *testing.F) {
	for _, n := range []int{3, 300, 6000} {
		for _, h := range hostileTools(n) {
			f.Add([]byte(h.raw))
		}
	}
	f.Add([]byte(`{"name":"tricky","inputSchema":` + trickySchema + `}`))
	for _, n := range []int{3, 40} {
		for _, h := range plantest.HostileSchemas(n) {
			f.Add([]byte(`{"name":"in","inputSchema":` + h.Schema + `}`))
			f.Add([]byte(`{"name":"out","inputSchema":{"type":"object"},"outputSchema":` + h.Schema + `}`))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var d door
		small, ok := d.admit(raw, "name", maxKey)
		var read remoteTool
		var tool tools.Tool
		if ok = ok && json.Unmarshal(small, &read) == nil; ok {
			tool = (&server{Config: Config{Name: "x"}}).tool(read)
			hash(read.raw)
		}
		runtime.ReadMemStats(&after)
		if took, most := after.TotalAlloc-before.TotalAlloc, uint64(4<<20+600*len(raw)); took > most {
			t.Fatalf("%d bytes took %d bytes of memory, at most %d", len(raw), took, most)
		}
		tool.Handler = func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{Structured: fuzzed()}, nil
		}
		if reg := tools.NewRegistry(tools.Options{}); ok && reg.Replace("x", tool) == nil {
			if _, err := reg.Call(t.Context(), tools.Call{Tool: tool.Def.Name, Args: fuzzed(), Caller: access.Local("fuzz")}); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > maxCallMemory {
			t.Fatalf("a call took %d MiB", took>>20)
		}
		if !ok {
			return
		}
		if len(small) > maxDefinition {
			t.Fatalf("%d bytes were let in", len(small))
		}
		if again, lost, _, err := bounded(small); err != nil || len(lost) > 0 || string(again) != string(small) {
			t.Fatalf("what was let in is changed again: %v, %v", lost, err)
		}
	})
}
