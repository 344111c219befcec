package semantic_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/query/semantic"
	"catena/table"
)

func TestStatement(t *testing.T) {
	d, _ := document(t, clinicFile)
	m := infer(t, clinic(t)...).With(d, nil)
	income, _ := m.Metric("income")
	for _, c := range []struct {
		name string
		x    semantic.Metric
		ask  semantic.Ask
		want string // the statement, or what the error says
	}{
		{"all", income, semantic.Ask{},
			`SELECT SUM(patients_seen.cost_eur) AS income FROM (SELECT visit_no, doctor_id, referring_doctor_id, visited_on, minutes, cost_eur, (minutes > 20) AS long FROM visits AS patients_seen) AS patients_seen`},
		{"grouped and chosen", semantic.Metric{Name: "n", Expression: "COUNT(doctors.id)"}, semantic.Ask{GroupBy: []string{"wards.ward_name"}, Limit: 3,
			Where: []semantic.Condition{{Field: "doctors.name", Values: []table.Value{table.TextValue("O'Hara"), table.TextValue("x")}}}},
			`SELECT wards.ward_name AS ward_name, COUNT(doctors.id) AS n FROM doctors AS doctors LEFT JOIN wards AS wards ON doctors.ward_id = wards.id ` +
				`WHERE doctors.name IN ('O''Hara', 'x') GROUP BY wards.ward_name ORDER BY n DESC NULLS LAST LIMIT 3`},
		{"by month", semantic.Metric{Name: "n", Expression: "COUNT(visit_no)"}, semantic.Ask{GroupBy: []string{"patients_seen.visited_on"}, Period: "month",
			Where: []semantic.Condition{{Field: "patients_seen.visited_on", From: table.TextValue("2026-03-02")}}}, "DATE '2026-03-02' GROUP BY DATE_TRUNC('month', patients_seen.visited_on) ORDER BY DATE_TRUNC('month', patients_seen.visited_on), n DESC"},
		{"two ways", income, semantic.Ask{GroupBy: []string{"doctors.name"}}, "no dimension of it"},
		{"no such table", semantic.Metric{Name: "n", Expression: "SUM(nurses.pay)"}, semantic.Ask{}, `there is no table "nurses"`},
		{"fan-out", semantic.Metric{Name: "n", Expression: "COUNT(wards.id)"}, semantic.Ask{GroupBy: []string{"doctors.name"}}, "no dimension of it"},
		{"no condition", semantic.Metric{Name: "n", Expression: "COUNT(doctors.id)"}, semantic.Ask{Where: []semantic.Condition{{Field: "doctors.name"}}}, "needs values"},
		{"whose", semantic.Metric{Name: "n", Expression: "COUNT(*)"}, semantic.Ask{}, "does not say of which table"},
	} {
		got, err := m.Statement(c.x, c.ask)
		var fault *semantic.MetricError
		if err != nil && !errors.As(err, &fault) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.name, cmp.Diff(c.want, got))
		}
	}
}
