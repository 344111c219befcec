package profiler

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"catena/table"
	tablecsv "catena/table/csv"
)

// oneColumn is the metadata of a column with these cells, loaded as a file is.
func oneColumn(t *testing.T, name string, cells ...string) ColumnMetadata {
	t.Helper()
	return columnsOf(t, name+",other\n"+strings.Join(cells, ",x y\n")+",x y\n")[0]
}

func columnsOf(t *testing.T, csv string) []ColumnMetadata {
	t.Helper()
	named, err := tablecsv.Read(strings.NewReader(csv), "columns.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return Profile(context.Background(), named.Table)
}

func TestConcepts(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, cells, want string // cells between bars
	}{
		{"first_name", "Anna|Jean-Luc|Mary Ann|O'Neil", ConceptFirstName},
		{"given name", "Anna|Ole|Sven", ConceptFirstName},
		{"first_name_count", "12 a|13 b|14 c", ""},
		{"surname", "Van der Berg|Smith|Ng", ConceptLastName},
		{"LAST NAME", "SMITH|LEE|GARCIA", ConceptLastName},
		{"last_name", "47 Main|99 Elm|12 Oak", ""},
		{"middle_initial", "A|B.|C", ConceptMiddleInitial},
		{"middle_name", "Anne|Lee|J", ConceptMiddleName},
		{"suffix", "Jr.|III|SR", ConceptNameSuffix},
		{"suffix", "St|Ave|Blvd", ""},
		{"salutation", "Mr.|Mrs.|Dr", ConceptHonorific},
		{"owner", "John Smith|Mary Jones|Ana Garcia|Robert Lee|Linda Brown", ConceptPersonName},
		{"product_name", "Red Chair|Oak Table|Desk Lamp|Blue Sofa|Bed Frame", ""},
		{"gender", "M|F|X", ConceptGender},
		{"sex", "male|female", ConceptGender},
		{"gender", "12 kg|13 kg|9 kg", ""},
		{"race", "White|Black or African American|Asian", ConceptEthnicity},
		{"race", "Monaco|Monza|Spa", ""},
		{"marital_status", "Single|Married|Divorced", ConceptMaritalStatus},
		{"language", "en|de|fr", ConceptLanguage},
		{"language", "Spanish|German|Portuguese", ConceptLanguage},
		{"language", "Go|Rust|COBOL", ""},
		{"street_address", "12 Main St|4 Elm Ave|P.O. Box 7", ConceptStreet},
		{"email_address", "a@b.org|c@d.org|e@f.org", ""},
		{"address_line_2", "Suite 4|Apt 12|Floor 3", ConceptAddressLine2},
		{"job_title", "Police Officer|Nurse|Head of Sales", ConceptJobTitle},
		{"title", "Sales Manager|Chief Engineer|Senior Analyst|Director of Research|Head Nurse", ConceptJobTitle},
		{"title", "Heat|Alien|Jaws|Up|Her", ""},
		{"company", "Acme Inc|Globex LLC|Initech", ConceptCompany},
		{"company_id", "A-1|B-2|C-3", ""},
		{"county", "Harris|Travis|El Paso", ConceptCounty},
		{"state", "OR|WA|CA", ConceptState},
		{"state", "Oregon|Texas|New York", ConceptState},
		{"state", "open|closed|waiting", ""},
		{"age", "31|64|7", ConceptAge},
		{"age", "31|640|7", ""},
		{"average_age", "31|64|7", ""},
		{"token", "d41d8cd98f00b204e9800998ecf8427e|0cc175b9c0f1b6a831c399e269772661", ConceptHash},
		{"vehicle", "1M8GDM9AXKP042788|1HGCM82633A004352", ConceptVIN},
		{"vehicle", "1M8GDM9A1KP042788|1HGCM82683A004352", ""},
		{"comments", "called back|left a message|no answer", ConceptFreeText},
	} {
		if got := oneColumn(t, tc.name, strings.Split(tc.cells, "|")...).Concept; got != tc.want {
			t.Errorf("%s of %s: concept %q, want %q", tc.name, tc.cells, got, tc.want)
		}
	}
}

// Zeros and ones beside one another are answers; a single column of them may count something.
func TestFlags(t *testing.T) {
	t.Parallel()
	table := func(columns ...string) string {
		var b strings.Builder
		b.WriteString(strings.Join(columns, ",") + ",amount\n")
		for i := range 40 {
			for c := range columns {
				fmt.Fprintf(&b, "%d,", (i>>c)&1)
			}
			fmt.Fprintf(&b, "%d.5\n", i)
		}
		return b.String()
	}
	for _, tc := range []struct {
		columns string
		want    string // of the first column
	}{
		{"dental vision medical", Boolean},
		{"is_open", Boolean},
		{"open_flag", Boolean},
		{"flag_x", Boolean},
		{"dental", Integer},
		{"children parents cousins", Integer},
		{"orders visits clicks", Integer},
	} {
		if got := columnsOf(t, table(strings.Fields(tc.columns)...))[0]; got.SemanticType != tc.want {
			t.Errorf("%s: %s, want %s", tc.columns, got.SemanticType, tc.want)
		}
	}
}

// Fractions on both sides of zero are shares of nothing that their values show.
func TestSignedFractions(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"change": Decimal, "delta": Decimal, "share": Decimal, "score": Decimal, "conversion": Decimal,
		"growth": Percentage, "gross_margin": Percentage, "change_pct": Percentage, "percent_change": Percentage,
	} {
		if got := oneColumn(t, name, "0.12", "-0.03", "0.4", "-0.21", "0.05").SemanticType; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
