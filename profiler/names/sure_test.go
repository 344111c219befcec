package names

import "testing"

func TestSayable(t *testing.T) {
	for word, want := range map[string]bool{
		"anteil": true, "umsatz": true, "stadt": true, "herbst": true, "durchschnitt": true, "wirtschaft": true, "abschnitt": true, "knoten": true, "pflege": true, "kraft": true,
		"effectif": true, "compte": true, "libelle": true, "nombre": true, "precio": true, "ciudad": true, "cuenta": true, "column": true, "tourism": true, "nightmare": true,
		"vndrs": false, "chng": false, "mrktplc": false, "totl": false, "ownr": false, "numbr": false, "zqtrx": false, "bldgs": false, "": false,
	} {
		if got := sayable(word); got != want {
			t.Errorf("sayable(%q) = %v", word, got)
		}
	}
}

// What is shown is what is almost always right.
func TestSure(t *testing.T) {
	m := Embedded()
	dictionary := map[string]string{"no": "number", "dt": "date", "id": "identifier"}
	short := func(piece string) string { return dictionary[piece] }
	tests := []struct {
		text       string
		words      []string
		confidence float64
		want       bool
	}{
		{"bouncerate", []string{"bounce", "rate"}, .95, true},
		{"bouncerate", []string{"bounce", "rate"}, .85, false},
		{"checkno", []string{"check", "number"}, .95, true},
		{"checkno", []string{"check", "note"}, .95, false},
		{"candidato", []string{"candidate", "to"}, .99, false},
		{"agncy", []string{"agency"}, .95, true},
		{"agncy", []string{"agricultural", "agency"}, .99, false},
		{"anteil", []string{"agent", "email"}, 1, false},
		{"fema", []string{"female"}, 1, false},        // a word of its own
		{"nhbd", []string{"neighborhood"}, .7, false}, // most letters are missing
		{"nhbd", []string{"neighborhood"}, .9, true},
		{"hms", []string{"homeless"}, .7, false},
		{"agncy", nil, 1, false},
	}
	for _, tt := range tests {
		if got := m.Sure(Part{Text: tt.text, Words: tt.words, Confidence: tt.confidence}, short); got != tt.want {
			t.Errorf("Sure(%s, %v, %v) = %v", tt.text, tt.words, tt.confidence, got)
		}
	}
}
