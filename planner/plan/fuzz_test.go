package plan

import (
	"catena/planner/plan/plantest"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzValidate: what Validate accepts can run. Each step is reached, its tool is there, its references find what the schemas
// of the results promise, and its arguments then fit the tool's schema. Mend changes nothing that it does not tell, and nothing
// twice; writing the plan and reading it again gives the same plan.
func FuzzValidate(f *testing.F) {
	f.Add(shopPlan)
	f.Add(`{"steps":[{"id":"s1","tool":"fetch_orders","args":{"shop":"{{s2.orders}}"}},{"id":"s2","tool":"fetch_orders","args":{"shop":"x","limit":"7"}}]}`)
	f.Add(`{"steps":[{"id":"a","tool":"mail_report","args":{"to":["a@b.co"],"text":"n: ${b.total}"},"when":{"$ref":"b.total","op":"gt","value":3}},{"id":"b","tool":"functions.fetch_orders","args":{"Shop":1}}],"answer":"b"}`)
	f.Add(`{"steps":[{"tool":"pick_columns","args":{"orders":"$s2","columns":"a"}},{"tool":"fetch_orders","shop":"x"},{"id":"z","tool":"finish","args":{}}]}`)
	f.Add(`{"steps":[{"id":"s1","tool":"fetch_orders","args":{"shop":{"$ref":"each"}},"each":{"$ref":"s2.orders"}},{"id":"s2","tool":"pick_columns","args":{"orders":{"$ref":"s1"},"columns":[]}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		plantest.Bounded(t, text, func(text string) {
			p, err := Parse(text, Limits{})
			if err != nil {
				return
			}
			before, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			q, repairs := Mend(p, shopTools)
			if raw, err := json.Marshal(p); err != nil || string(raw) != string(before) {
				t.Fatalf("Mend changed its argument: %v\n%s\n%s", err, before, raw)
			}
			p.Repairs, q.Repairs = nil, nil
			if diff := cmp.Diff(p, q); diff != "" && len(repairs) == 0 {
				t.Fatalf("changed without a word: %s", diff)
			}
			if found := Validate(q, shopTools, nil, Limits{}); len(found) > 0 || len(q.Steps) == 0 {
				return
			}
			if again, repairs := Mend(q, shopTools); len(repairs) > 0 {
				t.Fatalf("mended twice: %+v\n%+v", repairs, again)
			}
			raw, err := json.Marshal(q)
			if err != nil {
				t.Fatal(err)
			}
			if r, err := Parse(string(raw), Limits{Bytes: 8 << 20}); err != nil || cmp.Diff(q, r) != "" {
				t.Fatalf("%v %s", err, cmp.Diff(q, r))
			}
			if err := rehearse(q, shopTools); err != nil {
				t.Fatalf("accepted, but cannot run: %v\n%s", err, raw)
			}
		})
	})
}

// rehearse runs a plan against results that its tools' schemas promise.
func rehearse(p Plan, tools []Tool) error {
	g := GraphOf(p)
	waves, err := g.Waves()
	if err != nil {
		return err
	}
	results := map[string]any{}
	result := func(step string) (any, bool) { v, ok := results[step]; return v, ok }
	reached := 0
	for _, wave := range waves {
		for _, i := range wave {
			reached++
			s := p.Steps[i]
			tool, ok := FindTool(tools, s.Tool)
			if !ok {
				return fmt.Errorf("step %s: no tool %s", s.ID, s.Tool)
			}
			if s.When != nil {
				if _, err := s.When.Holds(result); errors.Is(err, ErrNoResult) {
					return fmt.Errorf("step %s: %w", s.ID, err)
				}
			}
			var element any
			if s.Each != nil {
				if element, err = Resolve(*s.Each, result, nil); err != nil {
					return fmt.Errorf("step %s: %w", s.ID, err)
				}
				if list, ok := element.([]any); ok && len(list) > 0 {
					element = list[0]
				}
			}
			args, err := Resolve(s.Args, result, element)
			if err != nil && !errors.Is(err, ErrNoSuchPart) { // a result may lack what its schema leaves open
				return fmt.Errorf("step %s: %w", s.ID, err)
			}
			if err == nil && len(Refs(s.Args)) == 0 {
				schema, err := CompileSchema(tool.InputSchema)
				if err != nil {
					return err
				}
				if err := schema.Validate(args); err != nil {
					return fmt.Errorf("step %s: %w", s.ID, err)
				}
			}
			results[s.ID] = map[string]any{"orders": "tbl_1", "total": json.Number("3"), "id": "x"}
		}
	}
	if reached != len(p.Steps) {
		return fmt.Errorf("%d of %d steps are reached", reached, len(p.Steps))
	}
	for _, a := range p.Answers() {
		if _, err := Resolve(a, result, nil); errors.Is(err, ErrNoResult) {
			return err
		}
	}
	return nil
}

// benchPlan is a chain of n steps, each of which uses the one before it.
func benchPlan(n int) string {
	var b strings.Builder
	b.WriteString(`{"title":"a chain","confidence":0.9,"steps":[{"id":"s1","tool":"fetch_orders","args":{"shop":"Bonn","limit":5}}`)
	for i := 2; i <= n; i++ {
		fmt.Fprintf(&b, `,{"id":"s%d","tool":"pick_columns","args":{"orders":{"$ref":"s%d.orders"},"columns":["a","b"],"mode":"keep"}}`, i, i-1)
	}
	fmt.Fprintf(&b, `],"answer":[{"$ref":"s%d.orders"}]}`, n)
	return b.String()
}

// BenchmarkPlan is Parse, Mend and Validate as a model's answer goes through them. The bar is 100 µs for 20 steps; the time
// per step must not grow with their number.
func BenchmarkPlan(b *testing.B) {
	for _, n := range []int{20, 128, 512} {
		text := benchPlan(n)
		b.Run(fmt.Sprint("parse+validate-", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p, err := Parse(text, Limits{})
				if err != nil {
					b.Fatal(err)
				}
				if f := Validate(p, shopTools, nil, Limits{}); len(f) > 0 {
					b.Fatal(f)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/step")
		})
		b.Run(fmt.Sprint("mend-", n), func(b *testing.B) {
			p, err := Parse(text, Limits{})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				Mend(p, shopTools)
			}
		})
	}
}
