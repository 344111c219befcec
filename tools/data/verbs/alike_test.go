package verbs

import (
	"testing"
)

// registered are names that are one thing each.
var registered = []string{
	"Acme Ltd", "Acme Inc", "Northwind Traders GmbH", "Müller & Söhne KG", "Société Générale SA", "Data Bank Services LLC",
	"Maria Jansen", "Mario Jansen", "John Smith", "Joan Smith", "Peter Petersen", "Peter Peterson", "Route 66 Diner",
	"Route 67 Diner", "Gambia", "Zambia", "Niger", "Nigeria", "Austria", "Australia", "South Korea", "North Korea",
	"Republic of the Congo", "Democratic Republic of the Congo", "Guinea", "Guinea-Bissau", "Equatorial Guinea", "Iran", "Iraq",
	"Slovakia", "Slovenia", "Grand Hotel", "Grand Spa Hotel", "Global Logistics Europe", "Global Logistics Asia", "Christian Berg",
	"Christiane Berg", "Delta Water", "Delta Waters", "The Company", "O'Neill Brothers", "Heineken N.V.", "L'Oréal", "7-Eleven",
	"Trinidad and Tobago", "São Tomé", "Mediterranean Shipping Company", "Volkswagen AG", "Schmidt Maschinenbau GmbH",
	"Schmitt Maschinenbau GmbH", "Aeroflot", "Telefónica", "Unit 12A", "Unit 12B", "Kyrgyzstan", "Kazakhstan", "St. Lucia",
	"Sankt Gallen", "Bank of America", "Bank of Africa", "Palestine Investments", "Philippines", "Hewlett-Packard",
}

// written are ways to write names: what they mean, "" for none of those or for which cannot be known.
var written = []struct{ name, means string }{
	{"ACME LTD.", "Acme Ltd"}, {"Acme, Inc.", "Acme Inc"}, {"acme limited", "Acme Ltd"}, {"Acme", ""}, {"Acme GmbH", ""},
	{"Northwind Traders", "Northwind Traders GmbH"}, {"Nortwhind Traders GmbH", "Northwind Traders GmbH"},
	{"Northwind Trader GmbH", ""}, {"Muller und Sohne KG", "Müller & Söhne KG"}, {"Müller Söhne", "Müller & Söhne KG"},
	{"Societe Generale", "Société Générale SA"}, {"Databank Services", "Data Bank Services LLC"},
	{"Jansen, Maria", "Maria Jansen"}, {"Marie Jansen", ""}, {"Smith, John", "John Smith"}, {"Jon Smith", ""},
	{"J. Smith", ""}, {"Peter Peterson", "Peter Peterson"}, {"Petersen Peter", "Peter Petersen"}, {"Route 68 Diner", ""},
	{"Route 6 Diner", ""}, {"route-66 diner", "Route 66 Diner"}, {"Gamiba", ""}, {"Tambia", ""}, {"Nigera", ""},
	{"Austrlia", ""}, {"Austraila", "Australia"}, {"Korea, South", "South Korea"}, {"Korea", ""}, {"Congo", ""},
	{"Republic of Congo", "Republic of the Congo"}, {"Guinea Bissau", "Guinea-Bissau"}, {"Bissau", ""}, {"Slovekia", ""},
	{"The Grand Hotel", "Grand Hotel"}, {"Grand Hotel SA", "Grand Hotel"}, {"Hotel Grand Spa", "Grand Spa Hotel"},
	{"Global Logistics", ""}, {"Global Logistics Africa", ""}, {"Global Logistcs Asia", "Global Logistics Asia"},
	{"Christiana Berg", ""}, {"Christan Berg", "Christian Berg"}, {"Delta water", "Delta Water"}, {"company", ""},
	{"ONeill Brothers", "O'Neill Brothers"}, {"Heineken", "Heineken N.V."}, {"LOreal", "L'Oréal"}, {"7 Eleven", "7-Eleven"},
	{"7-Elven", ""}, {"8-Eleven", ""}, {"Trinidad & Tobago", "Trinidad and Tobago"}, {"Sao Tome", "São Tomé"},
	{"Medi" + "teranean Shipping Company", "Mediterranean Shipping Company"}, {"Volkswagon", ""}, {"Volkwagen", "Volkswagen AG"},
	{"Schmidt Maschinenbau", "Schmidt Maschinenbau GmbH"}, {"Maschinenbau Schmid", ""}, {"Aeroflott", "Aeroflot"}, {"Areoflot", "Aeroflot"},
	{"Telefonica S.A.", "Telefónica"}, {"Unit 12 A", "Unit 12A"}, {"Unit 12", ""}, {"Unit 12C", ""}, {"Kyrgystan", "Kyrgyzstan"},
	{"Kazahkstan", "Kazakhstan"}, {"St Lucia", "St. Lucia"}, {"Bank of Amerika", ""}, {"Bank of Afrika", ""}, {"Kazakstan", "Kazakhstan"},
	{"Hewlett Packard", "Hewlett-Packard"}, {"", ""}, {"---", ""}, {"Ltd", ""},
}

// No name is taken for another, and most of those that are one are found.
func TestAlike(t *testing.T) {
	those := newSpellings(registered)
	var names []string
	for _, w := range written {
		names = append(names, w.name)
	}
	own := newSpellings(names)
	count := map[string]int{}
	for _, name := range registered {
		count[name] = 1
	}
	right, wrong, missed := 0, 0, 0
	for i, w := range written {
		switch d := (&ask{}).decide(own.list[i], own, those, count); {
		case d.other == w.means && w.means != "":
			right++
		case d.other != "":
			wrong++
			t.Errorf("%q is taken for %q (%.3f), want %q", w.name, d.other, d.score, w.means)
		case w.means != "":
			missed++
			t.Logf("%q is not found as %q: %s %s", w.name, w.means, d.match, d.candidates)
		}
	}
	t.Logf("right %d, wrong %d, missed %d", right, wrong, missed)
	if share := float64(right) / float64(right+missed); share < 0.95 {
		t.Errorf("%.2f of the names are found", share)
	}
}
