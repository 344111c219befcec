package infer_test

import (
	"strings"
	"testing"
	"time"

	"catena/table"
	"catena/table/csv"
	"catena/table/infer"
)

func TestReadDuration(t *testing.T) {
	tests := []struct {
		text string
		want time.Duration // 0 is an error
	}{
		{"1h30m", 90 * time.Minute},
		{"1 h 30 min", 90 * time.Minute},
		{"-1h30m0.5s", -90*time.Minute - 500*time.Millisecond},
		{"1.5 hours", 90 * time.Minute},
		{"0.1 h", 6 * time.Minute},
		{"2 days 03:04:05", 51*time.Hour + 4*time.Minute + 5*time.Second},
		{"01:30:00", 90 * time.Minute},
		{"100:00:00.25", 100*time.Hour + 250*time.Millisecond},
		{"PT1H30M", 90 * time.Minute},
		{"P2DT3H", 51 * time.Hour},
		{"P1W", 168 * time.Hour},
		{"PT0,5S", 500 * time.Millisecond},
		{"250ms", 250 * time.Millisecond},
		{"3us", 3 * time.Microsecond},
		{"P1Y", 0}, {"P1M", 0}, {"P", 0}, {"PT", 0}, {"1:30", 0}, {"01:60:00", 0}, {"30m1h", 0}, {"5", 0}, {"h", 0}, {"1.5h30m", 0}, {"1h1h", 0}, {"", 0}, {"-", 0}, {"999999999999h", 0},
		{"5 apples", 0}, {"1:02:3", 0}, {"2 hours 03:04:05", 0}, {"PT1H30", 0}, {"1..5h", 0},
	}
	for _, tt := range tests {
		got, err := infer.ReadDuration(tt.text)
		if got != tt.want || (err == nil) != (tt.want != 0) {
			t.Errorf("%q reads %v, %v, want %v", tt.text, got, err, tt.want)
		}
	}
}

func TestDurationColumns(t *testing.T) {
	for _, tt := range []struct{ cells, want string }{
		{"PT1H30M\nPT45S\n", "duration"},
		{"2026年11月21日\n2026年1月2日\n", "date"},
		{"P1M\nP2M\n", "text"},
		{"$2.5 million\n$300k\n", "integer"},
		{"USD 2.5bn\nUSD 300M\n", "integer"},
		{"12.5 percent\n9 percent\n", "decimal"},
		{"5m\n6m\n", "text"},
		{"A 12\nB 13\n", "text"},
	} {
		named, err := csv.Read(strings.NewReader("x\n"+tt.cells), "t.csv", table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := named.Table.Columns()[0].Type.String(); got != tt.want {
			t.Errorf("%q is %s, want %s", tt.cells, got, tt.want)
		}
	}
}
