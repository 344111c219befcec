package calls

import "testing"

// TestWords: the lists are read, with spaces in keys and names.
func TestWords(t *testing.T) {
	for name, n := range map[string]int{
		"verbs": len(verbs), "stop words": len(stopWords), "common": len(common), "states": len(states), "cities": len(cities),
		"countries": len(countries), "currencies": len(currencies), "numbers": len(numberWords),
	} {
		if n < 25 {
			t.Errorf("%s: %d words", name, n)
		}
	}
	if scales["million"] != 1_000_000 || shortPlaces["nyc"] != "New York" || cityStates["san francisco"] != "CA" || states["new york"] != "NY" {
		t.Error(scales["million"], shortPlaces["nyc"], cityStates["san francisco"], states["new york"])
	}
}
