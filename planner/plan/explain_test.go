package plan

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// ms is the table of latencies that the tests measure by.
func ms(tool string, _ map[string]any) (time.Duration, bool) {
	took, ok := map[string]time.Duration{"fetch_orders": 40 * time.Millisecond, "pick_columns": 10 * time.Millisecond}[tool]
	return took, ok
}

func TestExplain(t *testing.T) {
	tools := slices.Clone(shopTools)
	for i := range tools {
		tools[i].Toolset = "shop"
	}
	p, err := Parse(`{"steps":[`+fetchStep+`,`+pickStep+`,{"id":"s3","tool":"fetch_orders","args":{"shop":"Ulm"}},
		{"id":"s4","tool":"mail_report","args":{"to":["a@example.com"],"text":{"$concat":["n: ",{"$ref":"s3.total"}]}},"when":{"$ref":"s1.total","op":"gt","value":3}},
		{"id":"s5","tool":"pick_columns","args":{"orders":"clients","columns":[]}}],"answer":[{"$ref":"s2.orders"}]}`, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Explain(p, tools, ms)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{"s1", "s3", "s5"}, {"s2", "s4"}}, got.Waves); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Flow{{"s1", "s1.orders", "table", "s2", "/orders", "shop"}, {"s1", "s1.total", "value", "s4", "when", "shop"},
		{"s3", "s3.total", "value", "s4", "/text/$concat/1", "shop"}, {"tables", "clients", "table", "s5", "/orders", "shop"}, {"s2", "s2.orders", "table", "answer", "", ""}}, got.Flows); diff != "" {
		t.Error(diff)
	}
	if got.EstimatedMS != 50 || !slices.Equal(got.Unmeasured, []string{"mail_report"}) || !slices.Equal(got.Destructive, []string{"s4"}) {
		t.Errorf("%+v", got)
	}
	if s := got.Steps[3]; s.Wave != 2 || s.When != "s1.total gt 3" || s.EstimatedMS != nil || !slices.Equal(s.Needs, []string{"s1", "s3"}) {
		t.Errorf("%+v", s)
	}
	if _, err := Explain(Plan{Steps: []Step{{ID: "a", Args: map[string]any{"x": Ref{Step: "a"}}}}}, nil, nil); !FindingsOf(err).Has(Cycle) {
		t.Error(err)
	}
	if e, err := Explain(Plan{}, nil, nil); err != nil || e.Waves == nil || e.Flows == nil {
		t.Errorf("%+v %v", e, err)
	}
	var b strings.Builder
	if n, err := got.WriteTo(&b); err != nil || int(n) != b.Len() || !strings.Contains(b.String(), "s4  mail_report (shop), only when s1.total gt 3, changes things") {
		t.Errorf("%d %v\n%s", n, err, b.String())
	}
}

func ExampleExplain() {
	p, err := Parse(`{"steps":[{"id":"s1","tool":"fetch_orders","args":{"shop":"Ulm"}},{"id":"s2","tool":"pick_columns","args":{"orders":{"$ref":"s1.orders"},"columns":["id"]}}]}`, Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := Explain(p, shopTools, ms)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _ = e.WriteTo(os.Stdout) // standard output
	// Output:
	// wave 1
	//   s1  fetch_orders (), only reads, about 40.0 ms
	// wave 2
	//   s2  pick_columns (), only reads, about 10.0 ms
	// data
	//   s1.orders -> s2 orders (), table
	//   s2 -> answer, any
	// about 50.0 ms
}
