package declared_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"catena/tools/declared"
)

var update = flag.Bool("update", false, "write the golden files anew")

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// told is what a file gives, for people.
func told(t *testing.T, list []declared.Definition, left []error) string {
	t.Helper()
	var b strings.Builder
	for _, d := range list {
		tool, err := d.Make(t.Context(), databases("shop", shop(t)))
		if err != nil {
			fmt.Fprintf(&b, "%s:%v\n", d.Name, err)
			continue
		}
		fmt.Fprintf(&b, "%s: %s\n  reads %v, destroys %v, again %v\n", d.Name, strings.ReplaceAll(d.Description, "\n", " | "),
			*tool.Def.Annotations.ReadOnlyHint, *tool.Def.Annotations.DestructiveHint, *tool.Def.Annotations.IdempotentHint)
		if d.HTTP != nil {
			body, err := json.Marshal(d.HTTP.Body)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "  %s %s %v %v %s\n", d.HTTP.Method, d.HTTP.URL, d.HTTP.Query, d.HTTP.Headers, body)
		}
		fmt.Fprintf(&b, "  %s\n", tool.Def.RawInputSchema)
	}
	for _, err := range left {
		fmt.Fprintln(&b, err)
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(filepath.Join("testdata", name), []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want := string(readFile(t, name)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestOpenAPI(t *testing.T) {
	f := declared.File{
		Name: "pets.yaml", Data: readFile(t, "pets.yaml"), Prefix: "pets_",
		Each: declared.Request{Headers: map[string]string{"Authorization": "Bearer x"}},
	}
	list, left, err := f.Tools(nil)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "pets.golden", told(t, list, left))
	f.ReadOnly, f.Deny = true, []string{"list*"}
	list, left, err = f.Tools(nil)
	if err != nil || len(list) != 1 || list[0].Name != "pets_get_pets_by_pet-id" {
		t.Errorf("%v %v %v", list, left, err)
	}
}

// What an operation sends is what its parameters' places say.
func TestOperations(t *testing.T) {
	var asked string
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var body any
		_ = json.NewDecoder(r.Body).Decode(&body) // of some requests there is none
		asked = fmt.Sprint(r.Method, " ", r.URL.RequestURI(), " ", r.Header.Get("X-Request-ID"), " ", body)
		fmt.Fprint(w, `[{"id": 1, "name": "Rex"}]`)
	})
	f := declared.File{Name: "pets.yaml", Data: readFile(t, "pets.yaml"), BaseURL: base, Each: declared.Request{Allow: []string{"127.0.0.1"}}}
	list, _, err := f.Tools(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ tool, args, want string }{
		{"listPets", `{"status": ["sold", "free"], "limit": 5, "X_Request_ID": "r1"}`, "GET /pets?limit=5&status%5B%5D=sold%2Cfree r1 <nil>"},
		{"get_pets_by_pet-id", `{"pet_id": 7}`, "GET /pets/7  <nil>"},
		{"addPet", `{"name": "Rex", "tags": ["a"], "limit_body": 3}`, "POST /pets  map[limit:3 name:Rex tags:[a]]"},
		{"addTree", `{"children": [{"name": "x"}]}`, "POST /trees  map[children:[map[name:x]]]"},
		{"get_pets_by_pet-id", `{"pet_id": null}`, ""}, {"addPet", `{"tags": ["a"]}`, ""}, {"listPets", `{"limit": 500}`, ""}, {"listPets", `{"status": ["lost"]}`, ""},
	} {
		i := slices.IndexFunc(list, func(d declared.Definition) bool { return d.Name == test.tool })
		if i < 0 {
			t.Errorf("there is no %s", test.tool)
			continue
		}
		asked = ""
		res := registered(t, list[i], nil)(test.args)
		if asked != test.want || res.IsError != (test.want == "") {
			t.Errorf("%s %s: asked %s, got %s", test.tool, test.args, asked, rows(res))
		}
	}
}

func TestToolbox(t *testing.T) {
	kinds := map[string]string{"shop": "sqlite"}
	f := declared.File{Name: "tools.yaml", Data: readFile(t, "tools.yaml")}
	list, left, err := f.Tools(kinds)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "tools.golden", told(t, list, left))
	for _, test := range []struct{ tool, args, want string }{
		{"orders-of", `{"who": "Ann", "least": 2}`, "id paid 3 10"}, {"orders-of", `{"who": "Eve"}`, "invalid_arguments"},
		{"days", `{"names": ["Ann", "x' --"]}`, "day 2025-01-02 2025-03-04"},
		{"column", `{"who": "Ann", "column": "id"}`, "x 1 3"}, {"column", `{"who": "Ann", "column": "id", "direction": "DESC", "table": "main.orders"}`, "x 3 1"},
		{"column", `{"who": "Ann", "column": "day"}`, "x 2025-01-02 2025-03-04"}, {"column", `{"who": "Ann", "column": "paid"}`, "invalid_arguments"},
		{"column", `{"who": "Ann", "column": "id", "table": "orders; DROP TABLE orders"}`, "invalid_arguments"},
	} {
		i := slices.IndexFunc(list, func(d declared.Definition) bool { return d.Name == test.tool })
		if got := rows(registered(t, list[i], databases("shop", shop(t)))(test.args)); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s %s: %s", test.tool, test.args, got)
		}
	}
	_, _, err = f.Tools(map[string]string{"other": "postgres"})
	if err == nil || !strings.Contains(err.Error(), "shop is no database of data.sources; write {kind: sqlite, name: shop, path: shop.db} there") {
		t.Error(err)
	}
}

// Files that are none, and documents that would never end, say so in bounded time.
func TestFilesThatAreNone(t *testing.T) {
	deep := strings.Repeat(`{"type":"array","items":`, 500) + "{}" + strings.Repeat("}", 500)
	bomb := "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	for i := range 9 {
		bomb += fmt.Sprintf("a%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", i+1, i+1, i, i, i, i, i, i, i, i, i, i)
	}
	operation := func(schema string) string {
		return `{"openapi":"3.1.0","servers":[{"url":"http://h"}],"paths":{"/":{"post":{"operationId":"x","requestBody":{"content":{"application/json":{"schema":` +
			schema + `}}}}}},"components":{"schemas":{"A":{"$ref":"#/components/schemas/B"},"B":{"$ref":"#/components/schemas/A"},
			"C":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/C"},"b":{"$ref":"#/components/schemas/C"}}}}}}`
	}
	for what, test := range map[string]struct{ text, want string }{
		"nothing": {"", "it is empty"}, "a list": {"[1]", "cannot be read"}, "an object": {"a: 1", "neither an OpenAPI 3 document nor"},
		"Swagger": {`{"swagger": "2.0"}`, "convert it to OpenAPI 3"}, "no paths": {`{"openapi": "3.0.0"}`, "it has no paths"},
		"aliases": {bomb, "excessive aliasing"}, "a circle": {operation(`{"$ref":"#/components/schemas/A"}`), ""},
		"a tree": {operation(`{"$ref":"#/components/schemas/C"}`), ""}, "depth": {operation(deep), ""},
		"elsewhere": {operation(`{"$ref":"http://h/schema.json"}`), ""},
	} {
		f := declared.File{Name: "f", Data: []byte(test.text)}
		list, left, err := f.Tools(nil)
		if test.want == "" && (err != nil || len(list)+len(left) != 1) || test.want != "" && !strings.Contains(fmt.Sprint(err), test.want) {
			t.Errorf("%s: %v %v %v", what, list, left, err)
		}
	}
}
