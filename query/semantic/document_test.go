package semantic_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/query/semantic"
	"catena/table"
)

const clinicFile = `# who comes where
version: "0.2.0.dev0"
semantic_model:
  - name: clinic
    ai_context: {instructions: "Ask the wards first", synonyms: [hospital], more: {a: 1}}
    datasets:
      - name: patients_seen
        source: db.public.visits
        primary_key: [visit_no]
        unique_keys: [[visit_no], [doctor_id, visited_on]]
        ai_context: {synonyms: [consultation]}
        fields:
          - name: long
            expression: {dialects: [{dialect: ANSI_SQL, expression: "minutes > 20"}, {dialect: SNOWFLAKE, expression: MINUTES > 20}]}
            datatype: Boolean
          - name: visited_on
            expression: {dialects: [{dialect: ANSI_SQL, expression: visited_on}]}
            dimension: {is_time: false}
      - name: doctors
        source: doctors
    relationships:
      - {name: seen_by, from: patients_seen, to: doctors, from_columns: [doctor_id], to_columns: [id]}
    metrics:
      - name: income
        expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(patients_seen.cost_eur)}]}
        datatype: Decimal
    custom_extensions:
      - {vendor_name: OTHER, data: '{"x": [1, 2]}'}
`

func document(t *testing.T, text string) (*semantic.Document, []string) {
	t.Helper()
	d, notes, err := semantic.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d, notes
}

func written(t *testing.T, d *semantic.Document) string {
	t.Helper()
	b, err := d.Write()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A file says the same after it was read and written, and from then on in the same bytes.
func TestDocumentRoundTrip(t *testing.T) {
	d, _ := document(t, clinicFile)
	once := written(t, d)
	again, _ := document(t, once)
	if diff := cmp.Diff(d, again); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(once, written(t, again)); diff != "" {
		t.Error(diff)
	}
	made := semantic.DocumentOf(infer(t, clinic(t)...), func(string, string) table.Type { return table.Text })
	text := written(t, made)
	back, _ := document(t, text)
	if diff := cmp.Diff(text, written(t, back)); diff != "" || !strings.Contains(text, `"role":"referring doctor"`) {
		t.Errorf("%s\n%s", diff, text)
	}
	if found := back.Check(infer(t, clinic(t)...)); len(found) > 0 {
		t.Errorf("what is found is faulty: %v", found)
	}
}

func TestDocumentWith(t *testing.T) {
	d, _ := document(t, clinicFile)
	found := infer(t, clinic(t)...)
	m := found.With(d, nil)
	e, _ := m.Entity("visits")
	long, _ := e.Field("long")
	day, _ := e.Field("visited_on")
	if m.Name != "clinic" || e.Synonyms[0] != "consultation" || long.Expression != "minutes > 20" || day.Role != semantic.Time {
		t.Errorf("%s %q %+v %+v", m.Name, e.Synonyms, long, day)
	}
	var known []string
	for _, r := range m.Of("visits") {
		known = append(known, r.String()+" "+string(r.Known))
	}
	want := []string{"visits.doctor_id -> doctors.id file", "visits.referring_doctor_id -> doctors.id inferred"}
	if diff := cmp.Diff(want, known); diff != "" {
		t.Error(diff)
	}
	if x, ok := m.Metric("INCOME"); !ok || x.Expression != "SUM(patients_seen.cost_eur)" {
		t.Errorf("%+v", x)
	}
	denied := found.With(d, func(table string) bool { return table != "visits" })
	if e, _ := denied.Entity("visits"); len(e.Synonyms) > 0 || len(denied.Of("visits")) != 2 {
		t.Errorf("a table that the file may say nothing of: %+v", e)
	}
}

func TestDocumentFaults(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1":              "neither semantic_model",
		"semantic_model: [": "yaml",
		"version: x\nsemantic_model: []\nmore: 1": "field more not found",
		"semantic_model: []\n---\nb: 1":           "more than one",
		strings.Repeat("#", 5<<20):                "more than",
	} {
		_, _, err := semantic.Read([]byte(text))
		if !errors.Is(err, semantic.ErrForm) || !strings.Contains(err.Error(), want) && want != "yaml" || strings.Contains(err.Error(), "semantic.") {
			t.Errorf("%.30q: %v", text, err)
		}
	}
	d, _ := document(t, strings.NewReplacer("name: income", "name: in come", "to: doctors", "to: nurses", "ANSI_SQL, expression: visited_on", "MDX, expression: visited_on",
		`"0.2.0.dev0"`, `"9"`, "- name: doctors\n", "- name: Patients_Seen\n").Replace(clinicFile))
	var got []string
	for _, f := range d.Check(infer(t, clinic(t)...)) {
		got = append(got, f.String())
	}
	want := []string{
		`version: "9" is not known: this program reads 0.2.0.dev0`,
		`semantic_model[0].datasets[0].fields[1].expression: there is none in SQL: give one in the dialect ANSI_SQL`,
		`semantic_model[0].datasets[1]: the name "Patients_Seen" is taken`,
		`semantic_model[0].relationships[0]: there is no dataset "nurses"`,
		`semantic_model[0].metrics[0]: the name "in come" is part of a tool's name: letters, digits and _, at most 48`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

const dbtModels = `
semantic_models:
  - name: visit
    model: ref('visits')
    defaults: {agg_time_dimension: day}
    entities:
      - {name: visit, type: primary, expr: visit_no}
      - {name: doctor, type: foreign, expr: doctor_id}
    dimensions:
      - {name: day, type: time, expr: visited_on, type_params: {time_granularity: day}}
      - {name: long, type: categorical, expr: minutes > 20}
    measures:
      - {name: income, agg: sum, expr: cost_eur}
      - {name: visits, agg: sum, expr: 1}
      - {name: p90, agg: percentile, expr: minutes}
  - name: doctor
    model: ref('clinic', 'doctors')
    entities: [{name: doctor, type: primary, expr: id}]
metrics:
  - {name: revenue, type: simple, type_params: {measure: income}}
  - {name: long_revenue, type: simple, filter: "{{ Dimension('visit__long') }} = true", type_params: {measure: {name: income}}}
  - {name: visit_count, type: simple, type_params: {measure: visits}}
  - {name: per_visit, type: ratio, type_params: {numerator: revenue, denominator: visit_count}}
  - {name: net, type: derived, type_params: {expr: a - 10, metrics: [{name: revenue, alias: a}]}}
  - {name: running, type: cumulative, type_params: {measure: income}}
`

func TestDBT(t *testing.T) {
	d, notes := document(t, dbtModels)
	m := d.Model()
	got := map[string]string{}
	for _, x := range m.Metrics {
		got[x.Name] = x.Expression
	}
	want := map[string]string{
		"revenue":      "SUM(visit.cost_eur)",
		"long_revenue": "SUM(visit.cost_eur) FILTER (WHERE visit.long = true)",
		"visit_count":  "COUNT(visit.visit_no)",
		"per_visit":    "SUM(visit.cost_eur) * 1.0 / NULLIF(COUNT(visit.visit_no), 0)",
		"net":          "(SUM(visit.cost_eur)) - 10",
	}
	if diff := cmp.Diff(want, got); diff != "" || len(notes) != 2 {
		t.Errorf("%s\n%q", diff, notes)
	}
	if r := m.Relationships; len(r) != 1 || r[0].String() != "visit.doctor_id -> doctor.id" {
		t.Errorf("%v", r)
	}
	with := infer(t, clinic(t)...).With(d, nil)
	if e, _ := with.Entity("visits"); e.Time != "day" {
		t.Errorf("%+v", e)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(clinicFile))
	f.Add([]byte(dbtModels))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, _, err := semantic.Read(text)
		if err != nil {
			return
		}
		d.Check(nil)
		once, err := d.Write()
		if err != nil {
			t.Fatalf("what was read is not written: %v", err)
		}
		again, _, err := semantic.Read(once)
		if err != nil {
			t.Fatalf("what was written is not read: %v\n%s", err, once)
		}
		if twice, err := again.Write(); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("not stable: %v\n%s\n%s", err, once, twice)
		}
	})
}
