package calls

import "strings"

// states are the states of the United States with their abbreviations.
var states = namesOf("state")

// stateCodes are the abbreviations.
var stateCodes = func() map[string]bool {
	m := map[string]bool{"DC": true}
	for _, code := range states {
		m[code] = true
	}
	return m
}()

// cityStates are the states of the larger cities of the United States whose names leave no doubt.
var cityStates = namesOf("city")

// shortPlaces are what people call cities for short.
var shortPlaces = namesOf("short")

// countries are names of countries, cities larger cities of the world beside those of the United States.
var countries, cities = isNamed("countries"), isNamed("cities")

// isNamed are the names of a category in lower case.
func isNamed(cat string) map[string]bool {
	m := map[string]bool{}
	for name := range namesOf(cat) {
		m[name] = true
	}
	return m
}

// place reports whether a text names a place, as far as the lists go.
func place(s string) bool {
	low := strings.ToLower(s)
	head, _, _ := strings.Cut(low, ",")
	return cities[head] || cityStates[head] != "" || states[head] != "" || countries[head] || shortPlaces[head] != ""
}

// region reports whether a text names a state or country: what may follow a city behind a comma.
func region(s string) bool {
	return stateCodes[s] || states[strings.ToLower(s)] != "" || countries[strings.ToLower(s)]
}

// currencies are codes of currencies by their names (ISO 4217).
var currencies = namesOf("currency")

// currencyCodes are the codes of currencies.
var currencyCodes = func() map[string]bool {
	m := map[string]bool{}
	for _, code := range currencies {
		m[code] = true
	}
	return m
}()
