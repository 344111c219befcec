package shape

import "testing"

func TestPeriod(t *testing.T) {
	for _, x := range []string{"2025Q1", "2025-Q1", "2025 Q4", "Q3 2026", "Q1-25", "Q1'25", "1Q25", "4Q 2019", "2025H1", "H2 2025", "1H25", "2025-W07", "W07 2025", "2025W7", "Week 7 2025", "2025M01", "2025-M12",
		"FY25", "FY2025", "FY 2024/25", "Q1 FY25", "FY25Q1", "FY25-Q1", "FY2025 H1", "Jan-25", "25-Jan", "Jan 25", "Dec-99", "q2 2024"} {
		if !Period(x) {
			t.Errorf("%q is no period", x)
		}
	}
	for _, x := range []string{"", "2025", "2025-01", "Q1", "Q5 2025", "W54 2025", "2025M13", "M1-25", "W0725", "Q125", "H1N1", "FY", "FYI25", "A-25", "2025/26", "Jan 2025", "January", "1Q", "25Q1Q2", "Q1 Q2 2025",
		"2025Q12", "AB-12", "Q1 3025", "FY25 26 27", "1Q257", "2025Q1x", "-Q1-", "0Q25", "Q0 2025", "fy", "cy cy25", "MA25", "T1 2025"} {
		if Period(x) {
			t.Errorf("%q is a period", x)
		}
	}
}
