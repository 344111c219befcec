package form

import (
	"encoding/json"
	"strings"
	"testing"

	"catena/profiler"
)

// TestValues: a listed value is a cell's by what it says and not by how it is written, whole numbers are written as such, and forms beside
// null, or alone in a list of forms, are read whichever keyword names them.
func TestValues(t *testing.T) {
	a := Answer{Tables: []Table{{Title: "T", Columns: []profiler.ColumnMetadata{{OriginalName: "a"}, {OriginalName: "n"}, {OriginalName: "x.y"}},
		Rows: json.RawMessage(`[["R\u0026D","12.00",7]]`), RowCount: 1, TotalRows: 1}}}
	for schema, want := range map[string]string{
		`{"properties":{"a":{"enum":["R&D"]}}}`:                                                                  `{"a":"R\u0026D"}`,
		`{"properties":{"a":{"enum":["\u0052&D","x"]}}}`:                                                         `{"a":"R\u0026D"}`,
		`{"properties":{"n":{"type":"number","enum":[12.0,1e300]}}}`:                                             `{"n":12.00}`,
		`{"properties":{"n":{"enum":["x",12,null]}}}`:                                                            "",
		`{"properties":{"n":{"enum":[13,12,null]}}}`:                                                             `{"n":12.00}`,
		`{"properties":{"n":{"type":"integer"}}}`:                                                                `{"n":12}`,
		`{"properties":{"n":{"oneOf":[{"type":"null"},{"type":"number"}]}}}`:                                     `{"n":12.00}`,
		`{"oneOf":[{"type":"null"},{"$ref":"#/$defs/R"}],"$defs":{"R":{"properties":{"n":{"type":"integer"}}}}}`: `{"n":12}`,
		`{"allOf":[{"$ref":"#/$defs/R"}],"$defs":{"R":{"properties":{"n":{"type":"integer"}}}}}`:                 `{"n":12}`,
		`{"properties":{"n":{"anyOf":[{"const":13},{"const":14}]}}}`:                                             "",
	} {
		s, err := Read(json.RawMessage(schema))
		if err != nil {
			t.Errorf("%s: %v", schema, err)
			continue
		}
		if text, _, err := s.ByNames(t.Context(), a); text != want {
			t.Errorf("%s: %s %v", schema, text, err)
		}
	}
}

// TestChoices: of several values that a schema lists a model may give that one which alone stands in the question.
func TestChoices(t *testing.T) {
	const listed = `{"enum":["up","down",null]}`
	const forms = `{"anyOf":[{"const":"up"},{"const":"down"},{"type":"null"}]}`
	const open = `{"anyOf":[{"const":"up"},{"type":"string"}]}`
	for _, c := range []struct {
		trend, message string
		fits           bool
	}{
		{listed, "clients whose revenue goes up", true}, {listed, "does revenue go up or down", false}, {listed, "revenue", false}, {listed, "what went down", false},
		{forms, "clients whose revenue goes up", true}, {forms, "does revenue go up or down", false}, {open, "does revenue go up or down", true},
	} {
		s, err := Read(json.RawMessage(`{"properties":{"n":{"type":"integer"},"trend":` + c.trend + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		a := sales()
		a.Message = c.message
		_, err = s.FromModel(t.Context(), a, `{"fields":[{"path":"$.n","table":2,"column":1},{"path":"$.trend","const":"up"}]}`)
		if (err == nil) != c.fits {
			t.Errorf("%s %s: %v", c.trend, c.message, err)
		}
	}
}

// TestDottedNames: a name with a dot in it is no way to a field of that field, so that a mapping fills one field alone.
func TestDottedNames(t *testing.T) {
	s, err := Read(json.RawMessage(`{"properties":{"a.b":{"type":"integer"},"a":{"properties":{"b":{"type":"integer"}}},"c[]":{"type":"string"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"$.a.b": `{"a":{"b":12}}`, `$["a.b"]`: `{"a.b":12}`, `$["c[]"]`: `{"c[]":"12"}`} {
		if text, err := s.Fill(t.Context(), sales(), Mapping{{Path: path, Table: 2, Column: 1}}); text != want {
			t.Errorf("%s: %s %v", path, text, err)
		}
		if !strings.Contains(s.Prompt(sales()), path+": ") {
			t.Errorf("%s is not told", path)
		}
	}
	if n := s.at(`$["a.b"]`); n == nil || n.Type == nil {
		t.Error("a quoted name is not found")
	}
}

// TestLongExponents: a number of a few characters that has millions of digits is no number here.
func TestLongExponents(t *testing.T) {
	for text, want := range map[string]bool{"1e-99999999": false, "1e99999999": false, "1.5e-3": true, "1e300": true} {
		if isNumber(text, false) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

// TestPatterns: a pattern that values cannot be held to is refused by its text, wherever it stands; what only is called pattern is none.
func TestPatterns(t *testing.T) {
	for field, fine := range map[string]bool{
		`{"type":"string","pattern":"^[A-Z]{2}$"}`:                                  true,
		`{"type":"string","pattern":"^(?!x).*$"}`:                                   false,
		`{"type":"string","pattern":"(a)\\1"}`:                                      false,
		`{"anyOf":[{"type":"null"},{"type":"string","pattern":"(?<=x)y"}]}`:         false,
		`{"type":"object","properties":{"b":{}},"patternProperties":{"^(?=x)":{}}}`: false,
		`{"type":"object","properties":{"pattern":{"type":"string"}}}`:              true,
		`{"enum":[{"pattern":"(?!x)"}]}`:                                            true,
	} {
		_, err := Read([]byte(`{"type":"object","properties":{"a":` + field + `}}`))
		if (err == nil) != fine || err != nil && !strings.Contains(err.Error(), "cannot be checked") {
			t.Errorf("%s: %v", field, err)
		}
	}
}
