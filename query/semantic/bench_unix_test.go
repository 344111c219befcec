//go:build unix

package semantic_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"

	"catena/profiler"
	"catena/query/semantic"
	"catena/table"
)

// BenchmarkInfer is the model of 30 tables of 100,000 rows with keys of numbers and of texts; the profiles are
// there. cpu-ms is the time of all processors together, which other work on the machine is not in.
func BenchmarkInfer(b *testing.B) {
	const tables, size = 30, 100_000
	inputs := make([]semantic.Input, tables)
	for i := range inputs {
		name := fmt.Sprintf("thing%c%c", 'a'+i/10, 'a'+i%10)
		last := fmt.Sprintf("thing%c%c", 'a'+max(i-1, 0)/10, 'a'+max(i-1, 0)%10)
		build := table.NewBuilder(table.Column{Name: name + "_id", Type: table.Int}, table.Column{Name: name + "_code", Type: table.Text},
			table.Column{Name: last + "_id", Type: table.Int}, table.Column{Name: last + "_code", Type: table.Text},
			table.Column{Name: "label", Type: table.Text}, table.Column{Name: "amount", Type: table.Float},
			table.Column{Name: "day", Type: table.Date}, table.Column{Name: "level", Type: table.Int})
		if i == 0 {
			build = table.NewBuilder(table.Column{Name: name + "_id", Type: table.Int}, table.Column{Name: name + "_code", Type: table.Text})
		}
		for row := range int64(size) {
			cells := []table.Value{table.IntValue(row*7 + 1000), table.TextValue(fmt.Sprintf("%c%07d", 'A'+row%26, row)),
				table.IntValue(row*row%size*7 + 1000), table.TextValue(fmt.Sprintf("%c%07d", 'A'+row*3%size%26, row*3%size)),
				table.TextValue(fmt.Sprintf("label %d", row%1000)), table.FloatValue(float64(row) / 7),
				table.DateOfDays(row % 3000), table.IntValue(row % 10)}
			if i == 0 {
				cells = cells[:2]
			}
			if err := build.Append(cells...); err != nil {
				b.Fatal(err)
			}
		}
		inputs[i] = semantic.Input{Name: name, Table: build.Table()}
		inputs[i].Columns = profiler.Describe(context.Background(), inputs[i].Table)
	}
	var before, after syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	n := 0
	for b.Loop() {
		n++
		m, err := semantic.Infer(context.Background(), inputs)
		if err != nil || len(usable(m)) < tables-1 {
			b.Fatalf("%d relationships, %v", len(usable(m)), err)
		}
	}
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	b.ReportMetric(float64(after.Utime.Nano()-before.Utime.Nano())/1e6/float64(n), "cpu-ms/op")
}
