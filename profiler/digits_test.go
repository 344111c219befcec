package profiler

import (
	"context"
	"testing"
)

func TestDigitsKeepNumbersApart(t *testing.T) {
	tests := []struct{ name, cells, want string }{
		{"close decimals", "1.00023|1.00025", "decimal:,.5f"},
		{"close decimals of nine figures", "1.00000023|1.00000025|1.00000020", "decimal:,.8f"},
		{"close doubles", "1.00023E-03|1.00025E-03|1.00027E-03", "decimal:,.8f"},
		{"nanometres", "1e-9|2e-9|3e-9", "decimal:,.9f"},
		{"means of nanometres", "1.5e-9|3e-9", "decimal:,.10f"},
		{"noise of computing", "0.3e0|0.30000000000000004e0|0.5e0", "decimal:,.4f"},
		{"spread decimals", "1.23456|5.43219|9.87654", "decimal:,.3f"},
		{"equal decimals", "1.23456|1.23456|1.23456", "decimal:,.3f"},
		{"prices beside a close pair", "12.50|12.75|13", "decimal:,.2f"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Describe(context.Background(), column(t, "reading", tt.cells))[0].FormattingSuggestion; got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
