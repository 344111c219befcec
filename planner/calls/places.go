package calls

import "strings"

// states are the states of the United States by their abbreviations.
var states = func() map[string]string {
	m := map[string]string{}
	for _, s := range strings.Split("Alabama AL,Alaska AK,Arizona AZ,Arkansas AR,California CA,Colorado CO,Connecticut CT,Delaware DE,Florida FL,Georgia GA,Hawaii HI,Idaho ID,Illinois IL,Indiana IN,Iowa IA,Kansas KS,Kentucky KY,Louisiana LA,Maine ME,Maryland MD,Massachusetts MA,Michigan MI,Minnesota MN,Mississippi MS,Missouri MO,Montana MT,Nebraska NE,Nevada NV,New Hampshire NH,New Jersey NJ,New Mexico NM,New York NY,North Carolina NC,North Dakota ND,Ohio OH,Oklahoma OK,Oregon OR,Pennsylvania PA,Rhode Island RI,South Carolina SC,South Dakota SD,Tennessee TN,Texas TX,Utah UT,Vermont VT,Virginia VA,Washington WA,West Virginia WV,Wisconsin WI,Wyoming WY", ",") {
		i := strings.LastIndexByte(s, ' ')
		m[strings.ToLower(s[:i])] = s[i+1:]
	}
	return m
}()

// stateCodes are the abbreviations.
var stateCodes = func() map[string]bool {
	m := map[string]bool{"DC": true}
	for _, code := range states {
		m[code] = true
	}
	return m
}()

// cityStates are the states of the larger cities of the United States whose names leave no doubt.
var cityStates = func() map[string]string {
	m := map[string]string{}
	for _, line := range strings.Split(`NY:New York,New York City,Buffalo,Rochester,Yonkers,Brooklyn,Manhattan,Queens
CA:Los Angeles,San Francisco,San Diego,San Jose,Sacramento,Oakland,Fresno,Long Beach,Berkeley,Anaheim,Santa Rosa,Palo Alto,Santa Monica,Pasadena,Irvine,Bakersfield,Riverside,Fremont,Napa,Santa Barbara,Santa Clara,Sunnyvale,Mountain View,Cupertino,Hayward,Walnut Creek,Livermore,San Rafael,Novato,Petaluma,Pleasanton,Concord,Vacaville,Beverly Hills
IL:Chicago,Naperville,Evanston
TX:Houston,Dallas,Austin,San Antonio,Fort Worth,El Paso,Plano
PA:Philadelphia,Pittsburgh
AZ:Phoenix,Tucson,Scottsdale,Mesa,Tempe
FL:Miami,Orlando,Tampa,Jacksonville,Fort Lauderdale,Tallahassee
WA:Seattle,Spokane,Tacoma,Bellevue,Redmond
MA:Boston,Cambridge,Worcester
CO:Denver,Boulder,Colorado Springs
NV:Las Vegas,Reno
OR:Portland,Eugene
GA:Atlanta,Savannah
MI:Detroit,Ann Arbor,Grand Rapids
MN:Minneapolis,Saint Paul,St. Paul
TN:Nashville,Memphis,Knoxville
LA:New Orleans,Baton Rouge
MD:Baltimore,Annapolis
OH:Cleveland,Columbus,Cincinnati
NC:Charlotte,Raleigh,Durham
IN:Indianapolis
WI:Milwaukee,Madison
MO:Kansas City,St. Louis,Saint Louis
UT:Salt Lake City
HI:Honolulu
NM:Albuquerque,Santa Fe
OK:Oklahoma City,Tulsa
NJ:Newark,Jersey City
VA:Richmond,Virginia Beach
KY:Louisville
NE:Omaha
ID:Boise
AK:Anchorage`, "\n") {
		code, names, _ := strings.Cut(line, ":")
		for _, n := range strings.Split(names, ",") {
			m[strings.ToLower(n)] = code
		}
	}
	return m
}()

// shortPlaces are what people call cities for short.
var shortPlaces = map[string]string{"nyc": "New York", "sf": "San Francisco", "la": "Los Angeles", "l.a.": "Los Angeles", "san fran": "San Francisco", "philly": "Philadelphia", "vegas": "Las Vegas", "big apple": "New York"}

// countries are names of countries, and the adjectives of some.
var countries = wordList(`Afghanistan,Albania,Algeria,Argentina,Armenia,Australia,Austria,Azerbaijan,Bahrain,Bangladesh,Belarus,Belgium,Bolivia,Bosnia,Botswana,Brazil,Brunei,Bulgaria,Cambodia,Cameroon,Canada,Chile,China,Colombia,Costa Rica,Croatia,Cuba,Cyprus,Czech Republic,Denmark,Dominican Republic,Ecuador,Egypt,England,Estonia,Ethiopia,Finland,France,Georgia,Germany,Ghana,Greece,Guatemala,Honduras,Hungary,Iceland,India,Indonesia,Iran,Iraq,Ireland,Israel,Italy,Jamaica,Japan,Jordan,Kazakhstan,Kenya,Kuwait,Laos,Latvia,Lebanon,Libya,Lithuania,Luxembourg,Malaysia,Malta,Mexico,Moldova,Monaco,Mongolia,Morocco,Mozambique,Myanmar,Namibia,Nepal,Netherlands,New Zealand,Nicaragua,Nigeria,North Korea,Norway,Oman,Pakistan,Panama,Paraguay,Peru,Philippines,Poland,Portugal,Qatar,Romania,Russia,Rwanda,Saudi Arabia,Scotland,Senegal,Serbia,Singapore,Slovakia,Slovenia,Somalia,South Africa,South Korea,Spain,Sri Lanka,Sudan,Sweden,Switzerland,Syria,Taiwan,Tanzania,Thailand,Tunisia,Turkey,UAE,Uganda,UK,Ukraine,United Arab Emirates,United Kingdom,United States,United States of America,Uruguay,US,USA,U.S.,Uzbekistan,Venezuela,Vietnam,Wales,Yemen,Zambia,Zimbabwe`)

// cities are larger cities of the world beside those of the United States.
var cities = wordList(`Amsterdam,Athens,Auckland,Bangalore,Bangkok,Barcelona,Beijing,Berlin,Bogota,Brussels,Bucharest,Budapest,Buenos Aires,Cairo,Cape Town,Copenhagen,Delhi,Doha,Dubai,Dublin,Edinburgh,Florence,Frankfurt,Geneva,Glasgow,Hamburg,Hanoi,Helsinki,Ho Chi Minh City,Hong Kong,Istanbul,Jakarta,Jerusalem,Johannesburg,Karachi,Kiev,Kolkata,Kuala Lumpur,Kyoto,Lagos,Lima,Lisbon,London,Lyon,Madrid,Manchester,Manila,Marseille,Melbourne,Mexico City,Milan,Montreal,Moscow,Mumbai,Munich,Nairobi,Naples,New Delhi,Osaka,Oslo,Oxford,Paris,Prague,Reykjavik,Rio de Janeiro,Rome,Santiago,Sao Paulo,Seoul,Shanghai,Shenzhen,Stockholm,Sydney,Taipei,Tel Aviv,Tokyo,Toronto,Vancouver,Venice,Vienna,Warsaw,Washington D.C.,Washington DC,Zurich`)

func wordList(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Split(s, ",") {
		m[strings.ToLower(w)] = true
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

// currencies are codes of currencies by their names in English (ISO 4217).
var currencies = map[string]string{
	"dollar": "USD", "dollars": "USD", "us dollar": "USD", "us dollars": "USD", "u.s. dollars": "USD", "american dollars": "USD", "united states dollar": "USD", "united states dollars": "USD", "usd": "USD", "euro": "EUR", "euros": "EUR", "eur": "EUR",
	"pound": "GBP", "pounds": "GBP", "british pound": "GBP", "british pounds": "GBP", "british pounds sterling": "GBP", "pounds sterling": "GBP", "gbp": "GBP", "yen": "JPY", "japanese yen": "JPY", "jpy": "JPY", "yuan": "CNY", "chinese yuan": "CNY", "cny": "CNY", "rupee": "INR", "rupees": "INR", "indian rupees": "INR", "indian rupee": "INR", "inr": "INR",
	"canadian dollar": "CAD", "canadian dollars": "CAD", "cad": "CAD", "australian dollar": "AUD", "australian dollars": "AUD", "aud": "AUD", "swiss franc": "CHF", "swiss francs": "CHF", "chf": "CHF", "peso": "MXN", "mexican pesos": "MXN", "won": "KRW", "korean won": "KRW", "ruble": "RUB", "rubles": "RUB", "real": "BRL", "brazilian real": "BRL", "singapore dollars": "SGD", "hong kong dollars": "HKD",
}

// currencyCodes are the codes of currencies.
var currencyCodes = func() map[string]bool {
	m := map[string]bool{}
	for _, code := range currencies {
		m[code] = true
	}
	return m
}()
