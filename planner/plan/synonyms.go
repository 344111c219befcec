package plan

import "strings"

// Synonyms gives the other names of a thing that the phrase names, folded by FoldKey, without the phrase itself: countries
// and their people and codes, states of the USA and their codes, sexes, kinds of weather. A phrase that names none of them gives none. The slice must not be changed.
func Synonyms(phrase string) []string { return synonyms[FoldKey(phrase)] }

// Demonym reports whether a folded word is a people's adjective ("german") and gives the country's first name.
func Demonym(word string) (country string, ok bool) {
	country, ok = demonyms[Singular(word)]
	return country, ok
}

var synonyms, demonyms = func() (map[string][]string, map[string]string) {
	all, people := map[string][]string{}, map[string]string{}
	for _, block := range []string{countryNames, stateNames, otherNames} {
		for line := range strings.Lines(block) {
			names := strings.Split(strings.TrimSpace(line), ",")
			keys := make([]string, 0, len(names))
			for _, n := range names {
				if n = strings.TrimSpace(n); n == "" {
					continue
				}
				adjective := strings.HasPrefix(n, "~")
				key := FoldKey(strings.TrimPrefix(n, "~"))
				if adjective {
					people[key] = strings.TrimSpace(names[0])
				}
				keys = append(keys, key)
			}
			for i, k := range keys {
				for j, other := range keys {
					if i != j && k != other {
						all[k] = append(all[k], other)
					}
				}
			}
		}
	}
	return all, people
}()

// countryNames holds a country per line: English names, ISO 3166-1 codes, and after ~ what its people and goods are called.
const countryNames = `United States,USA,US,U.S.,U.S.A.,America,United States of America,~American,the States
United Kingdom,UK,GB,GBR,Great Britain,Britain,~British,U.K.
Germany,DE,DEU,GER,~German,Deutschland
France,FR,FRA,~French
Italy,IT,ITA,~Italian
Spain,ES,ESP,~Spanish
Portugal,PT,PRT,POR,~Portuguese
Netherlands,NL,NLD,NED,Holland,~Dutch,The Netherlands
Belgium,BE,BEL,~Belgian
Luxembourg,LU,LUX
Switzerland,CH,CHE,SUI,~Swiss
Austria,AT,AUT,~Austrian
Denmark,DK,DNK,DEN,~Danish,~Dane
Norway,NO,NOR,~Norwegian
Sweden,SE,SWE,~Swedish,~Swede
Finland,FI,FIN,~Finnish,~Finn
Iceland,IS,ISL,~Icelandic
Ireland,IE,IRL,~Irish
Poland,PL,POL,~Polish
Czech Republic,CZ,CZE,Czechia,~Czech
Slovakia,SK,SVK,~Slovak
Slovenia,SI,SVN,SLO,~Slovenian
Hungary,HU,HUN,~Hungarian
Romania,RO,ROU,~Romanian
Bulgaria,BG,BGR,BUL,~Bulgarian
Greece,GR,GRC,GRE,~Greek
Croatia,HR,HRV,CRO,~Croatian
Serbia,RS,SRB,~Serbian
Ukraine,UA,UKR,~Ukrainian
Russia,RU,RUS,Russian Federation,~Russian
Turkey,TR,TUR,Türkiye,~Turkish
Estonia,EE,EST,~Estonian
Latvia,LV,LVA,LAT,~Latvian
Lithuania,LT,LTU,~Lithuanian
Israel,IL,ISR,~Israeli
Saudi Arabia,SA,SAU,KSA,~Saudi
United Arab Emirates,AE,ARE,UAE,~Emirati
Egypt,EG,EGY,~Egyptian
South Africa,ZA,ZAF,RSA,~South African
Nigeria,NG,NGA,NGR,~Nigerian
Kenya,KE,KEN,~Kenyan
Morocco,MA,MAR,~Moroccan
Ethiopia,ET,ETH,~Ethiopian
Ghana,GH,GHA,~Ghanaian
Iran,IR,IRN,IRI,~Iranian
Iraq,IQ,IRQ,~Iraqi
Pakistan,PK,PAK,~Pakistani
India,IN,IND,~Indian
Bangladesh,BD,BGD,~Bangladeshi
Sri Lanka,LK,LKA,~Sri Lankan
China,CN,CHN,PRC,People's Republic of China,~Chinese
Hong Kong,HK,HKG
Taiwan,TW,TWN,~Taiwanese
Japan,JP,JPN,~Japanese
South Korea,KR,KOR,Korea,Republic of Korea,~Korean,~South Korean
North Korea,KP,PRK,DPRK,~North Korean
Vietnam,VN,VNM,~Vietnamese
Thailand,TH,THA,~Thai
Malaysia,MY,MYS,MAS,~Malaysian
Singapore,SG,SGP,~Singaporean
Indonesia,ID,IDN,INA,~Indonesian
Philippines,PH,PHL,PHI,~Filipino,~Philippine
Australia,AU,AUS,~Australian
New Zealand,NZ,NZL,~New Zealander
Canada,CA,CAN,~Canadian
Mexico,MX,MEX,~Mexican
Brazil,BR,BRA,~Brazilian
Argentina,AR,ARG,~Argentine,~Argentinian
Chile,CL,CHL,CHI,~Chilean
Colombia,CO,COL,~Colombian
Peru,PE,PER,~Peruvian
Venezuela,VE,VEN,~Venezuelan
Cuba,CU,CUB,~Cuban
Jamaica,JM,JAM,~Jamaican
Haiti,HT,HTI,~Haitian
Afghanistan,AF,AFG,~Afghan
Europe,EU,EMEA,~European
Asia,APAC,~Asian
Africa,~African
North America,NA,NAM,~North American
South America,LATAM,Latin America,~South American,~Latin American
`

// stateNames holds the states of the USA with their postal codes.
const stateNames = `Alabama,AL
Alaska,AK
Arizona,AZ
Arkansas,AR
California,CA,~Californian
Colorado,CO
Connecticut,CT
Delaware,DE
Florida,FL
Georgia,GA
Hawaii,HI
Idaho,ID
Illinois,IL
Indiana,IN
Iowa,IA
Kansas,KS
Kentucky,KY
Louisiana,LA
Maine,ME
Maryland,MD
Massachusetts,MA
Michigan,MI
Minnesota,MN
Mississippi,MS
Missouri,MO
Montana,MT
Nebraska,NE
Nevada,NV
New Hampshire,NH
New Jersey,NJ
New Mexico,NM
New York,NY
North Carolina,NC
North Dakota,ND
Ohio,OH
Oklahoma,OK
Oregon,OR
Pennsylvania,PA
Rhode Island,RI
South Carolina,SC
South Dakota,SD
Tennessee,TN
Texas,TX,~Texan
Utah,UT
Vermont,VT
Virginia,VA
Washington,WA
West Virginia,WV
Wisconsin,WI
Wyoming,WY
District of Columbia,DC,Washington DC
Puerto Rico,PR
`

// otherNames holds short words that data spell in their own way.
const otherNames = `male,M,man,boy
female,F,woman,girl
sun,sunny,sunshine
rain,rainy,rained,raining
snow,snowy,snowed,snowing
fog,foggy
storm,stormy
cloud,cloudy
wind,windy
yes,true,Y
no,false,N
`

// IsPlace reports whether a phrase names a country, its people, or a part of the world.
func IsPlace(phrase string) bool {
	_, ok := countryCodes[FoldKey(phrase)]
	return ok
}

// CountryCode gives the ISO 3166-1 alpha-2 code of the country that a phrase names, "" when it names none.
func CountryCode(phrase string) string { return countryCodes[FoldKey(phrase)] }

// countryCodes gives the two-letter code by any folded name; parts of the world have "".
var countryCodes = func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(countryNames) {
		names := strings.Split(strings.TrimSpace(line), ",")
		code := ""
		for _, n := range names {
			if len(n) == 2 && strings.ToUpper(n) == n && n != "UK" && n != "EU" && n != "NA" {
				code = n
				break
			}
		}
		for _, n := range names {
			out[FoldKey(strings.TrimPrefix(n, "~"))] = code
		}
	}
	return out
}()
