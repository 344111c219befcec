package columnar

import (
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"catena/table"
)

// What no table holds becomes null, and is told.
func TestNotFinite(t *testing.T) {
	mem := memory.DefaultAllocator
	doubles := array.NewFloat64Builder(mem)
	doubles.AppendValues([]float64{1, math.NaN(), math.Inf(1), math.NaN()}, []bool{true, true, true, false})
	singles := array.NewFloat32Builder(mem)
	singles.AppendValues([]float32{1, 2, 3, float32(math.Inf(-1))}, nil)
	halves := array.NewFloat16Builder(mem)
	halves.AppendValues([]float16.Num{float16.New(1), float16.NaN(), float16.New(2), float16.New(3)}, nil)
	var notes []string
	for _, arr := range []arrow.Array{doubles.NewArray(), singles.NewArray(), halves.NewArray()} {
		var report table.LoadReport
		field := arrow.Field{Name: "f", Type: arr.DataType(), Nullable: true}
		if _, err := arrowTable([]arrowColumn{{field: field, parts: []arrow.Array{arr}}}, &report, table.DefaultLimits); err != nil {
			t.Fatal(err)
		}
		notes = append(notes, report.Notes...)
	}
	one := `column "f": 1 number is NaN or infinite and was read as null`
	want := []string{`column "f": 2 numbers are NaN or infinite and were read as null`, one, one}
	if diff := cmp.Diff(want, notes); diff != "" {
		t.Error(diff)
	}
}

// Other programs have names of their own for what is said of a column.
func TestAboutOf(t *testing.T) {
	for key, want := range map[string]string{"description": "a", "comment": "a", "other": ""} {
		if got := aboutOf(arrow.MetadataFrom(map[string]string{key: "a"})); got != want {
			t.Errorf("%s: %q", key, got)
		}
	}
	if got := aboutOf(arrow.MetadataFrom(map[string]string{"comment": strings.Repeat("é", 1000)})); len(got) != 1000 {
		t.Errorf("%d bytes of a long one", len(got))
	}
}
