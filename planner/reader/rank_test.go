package reader

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
)

// The file is what WriteWeights writes, so that learning anew changes only what was learnt.
func TestWeightsFile(t *testing.T) {
	w, err := readWeights(strings.NewReader(weightsFile))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := WriteWeights(&out, w.byName); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(weightsFile, out.String()); d != "" {
		t.Error(d)
	}
	if len(weightsFile) > 2<<20 {
		t.Errorf("%d bytes", len(weightsFile))
	}
}

func TestReadWeights(t *testing.T) {
	for _, text := range []string{"a", "a\tx", "\t1", "a\t1\na\t2"} {
		if _, err := readWeights(strings.NewReader(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	w, err := readWeights(strings.NewReader("skip:x\t-2\nrule:y\t0.5\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := w.score([]Feature{{"skip:x", 2}, {"rule:y", 1}, {"none", 7}}); got != -3.5 {
		t.Error(got)
	}
}

func TestShapeNames(t *testing.T) {
	for _, tc := range []struct {
		shape plan.ResultShape
		want  string
	}{
		{plan.ResultShape{}, "shape:unknown"},
		{plan.ResultShape{Known: true, Columns: 2}, "shape:empty"},
		{plan.ResultShape{Known: true, Rows: 1, Columns: 1, Nulls: 1, NoNumber: true, First: 1}, "shape:nothing"},
		{plan.ResultShape{Known: true, Rows: 1, Columns: 1, First: 1}, "shape:cell"},
		{plan.ResultShape{Known: true, Rows: 7, Columns: 2, Nulls: 1, First: 6}, "shape:several shape:repeated shape:holes"},
		{plan.ResultShape{Known: true, Rows: 70, Columns: 2, First: 70}, "shape:many"},
	} {
		if got := strings.Join(shapeNames(tc.shape), " "); got != tc.want {
			t.Errorf("%+v: %s, want %s", tc.shape, got, tc.want)
		}
	}
	r := Reading{Features: []Feature{{"asks:count", 1}}}
	r.addShape(plan.ResultShape{Known: true, Rows: 1, Columns: 1, First: 1})
	want := []Feature{{"asks:count", 1}, {"shape:cell", 1}, {"shape:cell&asks:count", 1}}
	if d := cmp.Diff(want, r.Features); d != "" {
		t.Error(d)
	}
}
