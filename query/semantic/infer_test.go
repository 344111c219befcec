package semantic_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/query"
	"catena/query/semantic"
	"catena/table"
	"catena/table/load"
)

// read is a table of a CSV text.
func read(t testing.TB, name, csv string) semantic.Input {
	t.Helper()
	tab, err := load.Bytes([]byte(csv), name+".csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return semantic.Input{Name: name, Table: tab.Table}
}

// rows is a CSV of a heading and lines that are made by number, from 1.
func rows(heading string, n int, line func(i int) string) string {
	var b strings.Builder
	b.WriteString(heading + "\n")
	for i := 1; i <= n; i++ {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

func infer(t testing.TB, inputs ...semantic.Input) *semantic.Model {
	t.Helper()
	m, err := semantic.Infer(context.Background(), inputs)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func usable(m *semantic.Model) []string {
	var out []string
	for _, r := range m.Relationships {
		if r.Usable() {
			out = append(out, r.String()+" "+string(r.Cardinality)+" "+r.Role)
		}
	}
	return out
}

func clinic(t testing.TB) []semantic.Input {
	return []semantic.Input{
		read(t, "wards", rows("id,ward_name", 5, func(i int) string { return fmt.Sprintf("%d,Ward %c", i, 'A'+i) })),
		read(t, "doctors", rows("id,name,chief_id,ward_id", 9, func(i int) string {
			return fmt.Sprintf("%d,Dr %c,%d,%d", i, 'A'+i, max(1, i/2), i%5+1)
		})),
		read(t, "visits", rows("visit_no,doctor_id,referring_doctor_id,visited_on,minutes,cost_eur", 60, func(i int) string {
			return fmt.Sprintf("V%04d,%d,%d,2026-03-%02d,%d,%d.50", i, i%9+1, (i+3)%9+1, i%28+1, 5+i%7, 20+i%50)
		})),
	}
}

func TestInfer(t *testing.T) {
	m := infer(t, clinic(t)...)
	want := []string{
		"doctors.ward_id -> wards.id many_to_one ",
		"visits.doctor_id -> doctors.id many_to_one doctor",
		"visits.referring_doctor_id -> doctors.id many_to_one referring doctor",
	}
	if diff := cmp.Diff(want, usable(m)); diff != "" {
		t.Error(diff)
	}
	e, _ := m.Entity("Visits")
	got := []string{e.Singular, e.Plural, strings.Join(e.Key, ","), e.Name, e.Time}
	if diff := cmp.Diff([]string{"visit", "visits", "visit_no", "", "visited_on"}, got); diff != "" {
		t.Error(diff)
	}
	if d, _ := m.Entity("doctors"); d.Name != "name" || !slices.Equal(d.Key, []string{"id"}) {
		t.Errorf("doctors: name %q, key %q", d.Name, d.Key)
	}
	adds := map[string]query.Adds{}
	for _, f := range e.Fields {
		adds[f.Name] = f.Adds
	}
	if adds["cost_eur"] != query.AddsFlow || adds["visit_no"] != query.AddsIdentifier {
		t.Errorf("adds: %v", adds)
	}
}

// A key says what rows are where the table's name does not, and nothing of another table's rows.
func TestKeyNouns(t *testing.T) {
	visits := func(name string) semantic.Input {
		return read(t, name, rows("visit_id,club,minutes", 40, func(i int) string { return fmt.Sprintf("%d,Club %d,%d", 900+i, i%3, 10+i) }))
	}
	for name, tc := range map[string]struct {
		inputs []semantic.Input
		want   []string
	}{
		"gym":    {[]semantic.Input{visits("gym")}, []string{"visit"}},
		"visits": {[]semantic.Input{visits("visits")}, nil},
		"bills":  {append(clinic(t), visits("bills")), nil},
	} {
		if e, ok := infer(t, tc.inputs...).Entity(name); !ok || !slices.Equal(e.Synonyms, tc.want) {
			t.Errorf("%s: %q", name, e.Synonyms)
		}
	}
}

// Several ways between two tables are told, none is taken; a way through two references is.
func TestPath(t *testing.T) {
	m := infer(t, clinic(t)...)
	var several *semantic.AmbiguousError
	if _, err := m.Path("visits", "doctors"); !errors.As(err, &several) || len(several.Paths) != 2 {
		t.Errorf("visits to doctors: %v", err)
	}
	p, err := m.Path("doctors", "wards")
	if err != nil || p.String() != "doctors.ward_id -> wards.id" || p.Fans() {
		t.Errorf("doctors to wards: %s, %v", p, err)
	}
	if p, err = m.Path("wards", "doctors"); err != nil || !p.Fans() {
		t.Errorf("wards to doctors: %s, %v", p, err)
	}
	if _, err := m.Path("wards", "nurses"); !errors.Is(err, semantic.ErrNoPath) {
		t.Errorf("wards to nurses: %v", err)
	}
	if p, err := m.Path("wards", "WARDS"); err != nil || len(p) != 0 {
		t.Errorf("wards to itself: %v, %v", p, err)
	}
}

// What looks like a reference and is none: numbers that happen to be in a key's range, keys that are called alike and
// stand for different things, texts of which only some are a key's.
func TestInferPrefersNone(t *testing.T) {
	number := func(i int) string { return fmt.Sprintf("%d,%d", i, i%7+1) }
	for name, inputs := range map[string][]semantic.Input{
		"quantities": {
			read(t, "parts", rows("id,weight", 20, func(i int) string { return fmt.Sprintf("%d,%d.5", i, i) })),
			read(t, "bins", rows("id,capacity", 20, number)),
		},
		"plain ids": {
			read(t, "apples", rows("id,grade", 20, number)), read(t, "pears", rows("id,grade", 20, number)),
		},
		"other texts": {
			read(t, "towns", rows("town,people", 20, func(i int) string { return fmt.Sprintf("Town %c,%d", 'A'+i, 10*i) })),
			read(t, "peaks", rows("peak,height", 20, func(i int) string { return fmt.Sprintf("Town %c,%d", 'M'+i, 10*i) })),
		},
		"nothing in common": {
			read(t, "clubs", rows("club_id,size", 20, number)),
			read(t, "players", rows("player,club_id", 20, func(i int) string { return fmt.Sprintf("P%d,%d", i, i+1000) })),
		},
		"parts of people, of whom there are two kinds": {
			read(t, "users", rows("user_id,full_name", 30, number)),
			read(t, "employees", rows("employee_id,name", 40, number)),
			read(t, "tickets", rows("ticket,created_by", 90, func(i int) string { return fmt.Sprintf("T%d,%d", i, i%30+1) })),
		},
		"a count of the same name": {
			read(t, "letters", rows("lid,title,parent_count", 30, func(i int) string { return fmt.Sprintf("%d,T%d,%d", i, i, i%3+1) })),
		},
	} {
		if got := usable(infer(t, inputs...)); len(got) > 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestInferForms(t *testing.T) {
	code := func(i int) string { return fmt.Sprintf("%c%cX%d", 'A'+i%26, 'A'+i*7%26, i) }
	for _, c := range []struct {
		name   string
		inputs []semantic.Input
		want   []string
	}{
		{"written together", []semantic.Input{
			read(t, "ABORDERS", rows("ORDERKEY,TOTAL", 30, func(i int) string { return fmt.Sprintf("%d,%d.25", i*3, i) })),
			read(t, "ABLINES", rows("LINENO,ORDERKEY", 90, func(i int) string { return fmt.Sprintf("%d,%d", i, i%30*3+3) })),
		}, []string{"ABLINES.ORDERKEY -> ABORDERS.ORDERKEY many_to_one "}},
		{"prefixes of tables", []semantic.Input{
			read(t, "xxClient", rows("xxClientId,xxClientName,xxClientTown", 30, func(i int) string { return code(i) + ",N" + code(i) + ",T" })),
			read(t, "xxBooking", rows("xxBkId,xxBkClientId,xxBkSum", 90, func(i int) string { return fmt.Sprintf("B%d,%s,%d.5", i, code(i%30+1), i) })),
		}, []string{"xxBooking.xxBkClientId -> xxClient.xxClientId many_to_one "}},
		{"by values", []semantic.Input{
			read(t, "province", rows("province_name,people", 40, func(i int) string { return fmt.Sprintf("Land of %s,%d", code(i), i) })),
			read(t, "stream", rows("stream_name,crosses", 90, func(i int) string { return fmt.Sprintf("S %s,Land of %s", code(i+50), code(i%30+1)) })),
		}, []string{"stream.crosses -> province.province_name many_to_one "}},
		{"parts of people", []semantic.Input{
			read(t, "users", rows("user_id,full_name", 30, func(i int) string { return fmt.Sprintf("%d,N %s", i, code(i)) })),
			read(t, "tickets", rows("ticket_id,created_by,assigned_to,hours", 90, func(i int) string {
				return fmt.Sprintf("T%d,%d,%d,%d", i, i%30+1, i%7+1, i%5)
			})),
		}, []string{
			"tickets.created_by -> users.user_id many_to_one created by",
			"tickets.assigned_to -> users.user_id many_to_one assigned to",
		}},
		{"the own table", []semantic.Input{
			read(t, "staff", rows("staff_id,full_name,manager_id", 40, func(i int) string { return fmt.Sprintf("%d,N %s,%d", i, code(i), i/4+1) })),
		}, []string{"staff.manager_id -> staff.staff_id many_to_one manager"}},
	} {
		if diff := cmp.Diff(c.want, usable(infer(t, c.inputs...))); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// Declared references are taken as they are, and nothing is guessed of their columns.
func TestInferDeclared(t *testing.T) {
	inputs := clinic(t)
	inputs[1].Declared.Keys = [][]string{{"ID"}}
	inputs[2].Declared.References = []table.Reference{{Columns: []string{"doctor_id"}, Table: "Doctors", Of: []string{"ID"}},
		{Columns: []string{"minutes"}, Table: "nowhere", Of: []string{"id"}}}
	m := infer(t, inputs...)
	r := m.Relationships[0]
	inputs[2].Declared.References[0].Of = []string{"nothing"} // what refers to nothing does not keep it from being found
	if got := infer(t, inputs...).Of("visits"); len(got) == 0 || got[0].Known != semantic.Inferred {
		t.Errorf("%+v", got)
	}
	if r.Known != semantic.Declared || r.String() != "visits.doctor_id -> doctors.id" || r.Score != 1 {
		t.Errorf("%+v", r)
	}
	if got := len(m.Of("visits")); got != 2 {
		t.Errorf("%d relationships of visits", got)
	}
}

// Numbers that refer to rows are no amounts, whatever they look like.
func TestInferReferencesIdentify(t *testing.T) {
	m := infer(t,
		read(t, "users", rows("user_id,full_name", 30, func(i int) string { return fmt.Sprintf("%d,N %d", i, i) })),
		read(t, "tickets", rows("ticket_id,assigned_to,hours", 90, func(i int) string { return fmt.Sprintf("T%d,%d,%d", i, i*7%30+1, i%5) })),
	)
	e, _ := m.Entity("tickets")
	at := slices.IndexFunc(e.Fields, func(f semantic.Field) bool { return f.Name == "assigned_to" })
	if f := e.Fields[at]; f.Role != semantic.Identifier || f.Adds != query.AddsIdentifier {
		t.Errorf("%+v", f)
	}
}

// Of a sample nothing says that a column is a key, nor that a value is none of its: declarations and names count.
func TestInferSample(t *testing.T) {
	inputs := clinic(t)
	for i := range inputs {
		inputs[i].Sample, inputs[i].Table = true, inputs[i].Table.Slice(2, 3)
	}
	if m := infer(t, inputs...); len(usable(m)) > 0 || m.Entities[0].Key != nil {
		t.Errorf("%q, key %q", usable(m), m.Entities[0].Key)
	}
	inputs[0].Declared.Keys = [][]string{{"id"}}
	if got := usable(infer(t, inputs...)); len(got) != 1 || !strings.Contains(got[0], "doctors.ward_id -> wards.id") {
		t.Errorf("%q", got)
	}
}

func TestInferOdd(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := semantic.Infer(ended, clinic(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
	if m := infer(t); len(m.Entities) != 0 {
		t.Errorf("%+v", m)
	}
	gaps := read(t, "gaps", "id,x\n1,a\n1,b\n,c\n")
	wide := read(t, "wide", strings.Repeat("id,", 999)+"id\n"+strings.Repeat("1,", 999)+"1\n")
	empty := semantic.Input{Name: "empty", Table: gaps.Table.Slice(0, 0)}
	odd := read(t, `a"b`, "\"from\",\"a b\"\n1,2\n")
	m := infer(t, gaps, wide, empty, odd)
	if e, _ := m.Entity("gaps"); len(m.Entities) != 4 || e.Key != nil {
		t.Errorf("%d entities, key %q", len(m.Entities), e.Key)
	}
}
