package loosejson

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"catena/planner/plan/plantest"
)

func TestRead(t *testing.T) {
	for name, tt := range map[string]struct {
		text, want string
		guess, cut bool
		faults     string // one of them; "" is none at all
	}{
		"strict":             {`{"a":[1,2.50,null]}`, `{"a":[1,2.50,null]}`, false, false, ""},
		"python":             {`{'a': (True, None), 'b': 'it's'}`, `{"a":[true,null],"b":"it's"}`, false, false, "a tuple"},
		"fence":              {"```json\n{\"a\":1}\n```", `{"a":1}`, false, false, "text around it"},
		"prose":              {`Here it is: {"a":1} as you asked`, `{"a":1}`, false, false, "text around it"},
		"brace too many":     {`[{"a":1}}, {"a":2}]`, `[{"a":1},{"a":2}]`, false, false, "a closing bracket too many"},
		"no quotes":          {`{name: Ann Lee, city: "Ulm"}`, `{"city":"Ulm","name":"Ann Lee"}`, true, false, "a text without quotes"},
		"no end quote":       {`{"a":"x,"b":"y"}`, `{"a":"x","b":"y"}`, true, false, "a quote missing"},
		"cut":                {`{"a":[1,2,{"b":"abc`, `{"a":[1,2,{"b":"abc"}]}`, true, true, "a text cut off"},
		"cut number":         {`[1, 2.`, `[1,2.0]`, true, true, "a text cut off"},
		"dots":               {`[1, 2, ...]`, `[1,2]`, true, true, "..."},
		"no value":           {`{"a": , "b": 2}`, `{"a":null,"b":2}`, true, false, "a value missing"},
		"twice":              {`{"a":1,"a":2}`, `{"a":2}`, true, false, "a key twice"},
		"lines":              {"{\"a\":1}\n{\"a\":2}\n", `[{"a":1},{"a":2}]`, true, false, "several values"},
		"call":               {`load(["x"]);`, `["x"]`, false, false, "text around it"},
		"call of a number":   {`load(7);`, `7`, true, false, "a call around a value"},
		"joined":             {`["one " + "two"]`, `["one two"]`, true, false, "texts joined by +"},
		"address":            {`{u:https://example.com/a?b=1,v:2}`, `{"u":"https://example.com/a?b=1","v":2}`, true, false, "a text without quotes"},
		"leading zeros":      {`[007]`, `["007"]`, true, false, "a text without quotes"},
		"words":              {`just words`, `"just words"`, true, false, "a text without quotes"},
		"regular expression": {`{"r": /a\/b"c/}`, `{"r":"/a\\/b\"c/"}`, true, false, "a text without quotes"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Read(tt.text, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			raw, err := json.Marshal(got.Value)
			if err != nil || string(raw) != tt.want {
				t.Errorf("got %s, want %s", raw, tt.want)
			}
			if said := strings.Join(got.Faults, ","); got.Guess != tt.guess || got.Cut != tt.cut || !strings.Contains(said, tt.faults) || tt.faults == "" && said != "" {
				t.Errorf("guess %t, cut %t, faults %q", got.Guess, got.Cut, said)
			}
		})
	}
	for _, text := range []string{"", "  ", `{"a":2}{}x`, "\"a\x00\"", `{:1}`, `"\uZZ00"`, strings.Repeat("[", 300), "\xff", strings.Repeat("a", 2<<20)} {
		if got, err := Read(text, Limits{}); !isProblem(err) {
			t.Errorf("%.20q: %v %v", text, got, err)
		}
	}
}

func ExampleRead() {
	got, err := Read("Sure:\n```json\n{'name': 'Ann', 'age': 41,}\n```", Limits{})
	fmt.Println(got.Value, got.Faults, got.Guess, err)
	// Output: map[age:41 name:Ann] [a trailing comma quotes other than " text around it] false <nil>
}

func isProblem(err error) bool {
	_, ok := errors.AsType[*Problem](err)
	return ok
}

// FuzzRead: strict JSON is read as what it is, whatever is read can be written, and reading that again changes nothing.
func FuzzRead(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e3,"x",null,true]}`, `{'a': (1, None)}`, "```\n[1]\n```", `{name: Ann, "b" "c"`, `f({"a":"b,"c":"d"})`, `[1,2,...,9]`, `"a" + "b"`, `{"a":"\ud83d\ude00 \x41"`, `[https://a.b/c?d,2]`, `/x\/y/`, `{“a”: ‘b’}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got JSON
		var err error
		plantest.Bounded(t, text, func(s string) { got, err = Read(s, Limits{}) })
		if err != nil {
			if !isProblem(err) {
				t.Fatalf("error %v is no Problem", err)
			}
			return
		}
		raw, err := json.Marshal(got.Value)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read(string(raw), Limits{Bytes: 8 << 20})
		if err != nil || again.Guess {
			t.Fatalf("%v %v\n%s", err, again.Faults, raw)
		}
		if second, err := json.Marshal(again.Value); err != nil || string(second) != string(raw) {
			t.Fatalf("%v\n%s\n%s", err, raw, second)
		}
	})
}
