package calls

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"catena/planner/plan"
	"github.com/google/go-cmp/cmp"
)

var monday = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// house is a catalogue of our own.
func house() []plan.Tool {
	mk := func(name, description, properties string, required ...string) plan.Tool {
		req, _ := json.Marshal(required)
		return plan.Tool{Name: name, Description: description, InputSchema: json.RawMessage(`{"type":"object","properties":` + properties + `,"required":` + string(req) + `}`)}
	}
	return []plan.Tool{
		mk("ferry_departures", "Departures of ferries between two harbours on a day.", `{"from_harbour":{"type":"string","description":"Harbour of departure"},"to_harbour":{"type":"string","description":"Harbour of arrival"},"date":{"type":"string","description":"Day, YYYY-MM-DD"},"with_car":{"type":"boolean","description":"Whether a car comes along. Default is false"}}`, "from_harbour", "to_harbour"),
		mk("tank_volume", "Volume of a cylindrical tank.", `{"radius":{"type":"number","description":"Radius in metres"},"height":{"type":"number","description":"Height in metres"},"unit":{"type":"string","enum":["litre","cubic metre"]}}`, "radius", "height"),
		mk("bakery_order", "Order loaves at a bakery.", `{"bakery":{"type":"string","description":"Name of the bakery"},"loaves":{"type":"integer","description":"Number of loaves"},"kinds":{"type":"array","items":{"type":"string","enum":["rye","wheat","spelt"]},"description":"Kinds of bread"}}`, "bakery", "loaves"),
		mk("money_exchange", "Convert an amount of money from one currency to another.", `{"amount":{"type":"number","description":"Amount to convert"},"from_currency":{"type":"string","description":"Currency of the amount"},"to_currency":{"type":"string","description":"Currency that is wanted"}}`, "amount", "from_currency", "to_currency"),
	}
}

func told(r Reading) string {
	var parts []string
	for _, c := range r.Calls {
		args, _ := json.Marshal(c.Args)
		parts = append(parts, c.Tool+string(args))
	}
	return strings.Join(parts, "\n")
}

func TestRead(t *testing.T) {
	set := NewSet(house())
	for _, tt := range []struct{ name, message, want string }{
		{"a date in words", "Which ferries go from Emden to Borkum on March 5th, 2026?", `ferry_departures{"date":"2026-03-05","from_harbour":"Emden","to_harbour":"Borkum"}`},
		{"a flag", "Show ferry departures from Emden to Borkum tomorrow, with a car", `ferry_departures{"date":"2026-03-03","from_harbour":"Emden","to_harbour":"Borkum","with_car":true}`},
		{"between", "ferry departures between Norddeich and Juist", `ferry_departures{"from_harbour":"Norddeich","to_harbour":"Juist"}`},
		{"numbers beside their words", "What is the volume of a tank with a height of 3 and a radius of 1.5 metres?", `tank_volume{"height":3,"radius":1.5}`},
		{"twice the same tool", "Volume of a tank with radius 2 and height 5, and of a tank with radius 3 and height 7", "tank_volume{\"height\":5,\"radius\":2}\ntank_volume{\"height\":7,\"radius\":3}"},
		{"two tools", "Order 4 loaves at the bakery 'Korn und Salz', then convert 50 euros to pounds", "bakery_order{\"bakery\":\"Korn und Salz\",\"loaves\":4}\nmoney_exchange{\"amount\":50,\"from_currency\":\"EUR\",\"to_currency\":\"GBP\"}"},
		{"a list of what the schema lists", "Order 3 loaves at the bakery 'Mehlwurm', rye and spelt", `bakery_order{"bakery":"Mehlwurm","kinds":["rye","spelt"],"loaves":3}`},
		{"no tool fits", "Who wrote the Odyssey?", ""},
		{"small talk", "hello there", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, told(set.Read(tt.message, monday))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadAsks(t *testing.T) {
	got := NewSet(house()).Read("What is the volume of a tank with a radius of 2 metres?", monday)
	if len(got.Calls) > 0 || !strings.Contains(got.Missing, "height") {
		t.Errorf("Read = %+v, want a question for the height", got)
	}
}

func TestReadSaysWhy(t *testing.T) {
	got := NewSet(house()).Read("ferry departures from Emden to Borkum", monday)
	if len(got.Calls) != 1 || len(got.Calls[0].Why) != 2 || got.Calls[0].Why[0].Arg != "from_harbour" || got.Calls[0].Why[0].From != "Emden" {
		t.Errorf("Read = %+v, want a reason for both harbours", got)
	}
}

func TestReadIsDeterministic(t *testing.T) {
	set := NewSet(house())
	const message = "Order 4 loaves at Korn, rye and wheat, and convert 50 euros to pounds; ferry departures from Emden to Borkum and Juist"
	want := told(set.Read(message, monday))
	for range 20 {
		if got := told(NewSet(house()).Read(message, monday)); got != want {
			t.Fatalf("got %s, before %s", got, want)
		}
	}
}

// Letters whose lower case is longer, and apostrophes of several bytes, neither stop the reader nor cut a value.
func TestReadPossessives(t *testing.T) {
	set := NewSet(house())
	set.Read("ferry departures from ȺȺȺ's to Borkum", monday)
	for _, word := range []string{"Emden's", "Emden’s", "EMDEN'S"} {
		for _, tok := range tokenize(word) {
			if !strings.EqualFold(tok.text, "Emden") || tok.low != "emden" {
				t.Errorf("%s gave %q, %q", word, tok.text, tok.low)
			}
		}
	}
	for _, tok := range tokenize("l’ami’s") {
		if tok.text != "l’ami" && tok.text != "l" && tok.text != "’" && tok.text != "ami" {
			t.Errorf("l’ami’s gave %q", tok.text)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("ȺȺȺ's and l’ami’s")
	f.Add("Volume of a tank with radius 2 and height 5, 'then' [1, 2] \"x\" (3,4) $5% 1e9 a_b=c/d")
	set := NewSet(house())
	known := map[string]map[string]bool{}
	for _, fc := range set.facts {
		known[fc.name] = map[string]bool{}
		for _, p := range fc.params {
			known[fc.name][p.name] = true
		}
	}
	f.Fuzz(func(t *testing.T, message string) {
		for _, c := range set.Read(message, monday).Calls {
			if known[c.Tool] == nil {
				t.Fatalf("no tool %q", c.Tool)
			}
			for name := range c.Args {
				if !known[c.Tool][name] {
					t.Fatalf("%s has no argument %q", c.Tool, name)
				}
			}
			if _, err := json.Marshal(c.Args); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkRead500(b *testing.B) {
	tools := house()
	for i := len(tools); i < 500; i++ {
		t := tools[i%4]
		t.Name = fmt.Sprintf("%s_%d", t.Name, i)
		tools = append(tools, t)
	}
	set := NewSet(tools)
	for b.Loop() {
		set.Read("Which ferries go from Emden to Borkum on March 5th, 2026, and what is the volume of a tank with radius 2 and height 5?", monday)
	}
}
