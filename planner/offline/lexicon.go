package offline

import (
	"strings"

	"catena/planner/plan"
)

// stopWords carry no meaning that a plan could use.
var stopWords = plan.WordSet(`a an the this that these those there here it its their they them he she his her our your my me i we you us who whom
is are was were be been being am do does did done has have had having can could will would shall should may might must
of in on at to for from with within into onto by as and or but if so than then per about across around through during via upon among
what which when where why how whose not no nor only just also too very please kindly let lets like such any some all both either
s t d ll re ve up out off over under again once ever still yet now today ok okay hi hello hey thanks thank`)

// benignWords may stand in a question without being used: verbs and nouns of talking about data.
var benignWords = plan.WordSet(`show give list display tell print find get fetch return see view want need know wonder wondering look looking help compute calculate work figure
question answer tell report present provide compare comparing comparison versus contain contained include included including exist existing available
data dataset table file sheet record recorded recording row entry entries item thing one ones value number figure amount level column field result list overview detail details info information
case total overall altogether combined together whole entire each every single individual different distinct unique various respective respectively
come came coming go going went make made making take took taken taking happen happened happening occur occurred occurring appear appeared appearing live lived living
belong belonged fall fell fallen fly flew flown flying serve served serving reach reached reaching hold held holding run ran running use used using
average mean median sum count max min maximum minimum percent percentage share proportion ratio fraction portion rate
first last next previous current latest earliest recent since before after between until till from on onward onwards later earlier ago
year month day week quarter decade date time period hour calendar century season yearly monthly daily weekly quarterly annual annually
more less most least many much few fewer several lot lots enough
high low large small big little great good bad best worst better worse higher lower highest lowest
exactly roughly approximately approx almost nearly least most within including inclusive excluding except without
order ordered sort sorted rank ranked ranking top bottom descending ascending desc asc alphabetical alphabetically
group grouped break breakdown broken split divide divided down
develop developed development evolve evolved evolution trend change changed changing trend grow grew grown growing growth increase increased increasing decrease decreased decreasing rise rose risen rising drop dropped decline declined declining
beat beats exceed exceeded exceeding reach hit hits
really actually quite only same similar also instead else other another
side head line unit units mm recorded listed available given known set based according regard regarding concerning term terms
people person anyone someone everybody
associated related corresponding particular specific certain
say said mean means think call called name named
kind sort type category class
good well far long
ever never always usually typically normally typical
it's hence thus therefore
measured measurement reading readings observation observations sample samples
show both figures numbers values names
account accounted accounts exceed mention mentioned
file period history
start started starting begin began beginning end ended ending
world wide
highest-ever
absolute absolutely compared point points both ones`)

// concepts are groups of words that name the same measure or thing in names of columns and in questions. A word may be in
// several. Words are lemmas.
var concepts = wordIndex(`
population: pop population inhabitant resident populous people populated headcount
weight: weight gewicht mass weigh weighed heavy light wt lb pound kg lbs
height: height tall stature
length: length long short len
duration: duration runtime running length long short time minute lasting
speed: speed velocity fast slow quick
price: price preis cost expensive cheap pricey costly fee rate charge quote trading
cost: cost kosten ausgabe ausgaben aufwand depense depenses cout budget expense spending spend expensive cheap
revenue: revenue umsatz umsatze erlos einnahme einnahmen vente ventes recette recettes sale turnover income money gross earning takings earned earn
profit: profit gewinn margin earning profitable
death: death fatality die died dead deadly kill killed victim casualty mortality lethal toll
injury: injury injured wounded
temperature: temperature temp temperatur température hot warm cold cool degree heat celsius
precipitation: precipitation precip rain rainfall wet dry rained rainy
wind: wind windy windspeed gust
delay: delay late delayed lateness punctual
distance: distance far mile mileage kilometer remote
fertility: fertility fertile
life expectancy: life_expect lifespan longevity
horsepower: horsepower hp power powerful strong
mpg: mpg economy economical consumption efficient efficiency fuel
engine: displacement engine
age: age old young aged
rating: rating score rated grade review
vote: vote voter
quantity: quantity menge betrag betrage montant qty amount volume unit
count: count number n frequency total cnt
country: country land nation
state: state province territory
city: city stadt ort town place
airport: airport
company: company firm corporation business employer distributor manufacturer maker brand studio operator carrier
customer: customer kunde kunden client account buyer
product: product item article good
employee: employee mitarbeiter staff worker personnel headcount
employment: employment job employed worker
unemployment: unemployment unemployed jobless
salary: salary gehalt lohn wage pay income compensation earn
date: date datum day time when
year: year jahr
category: category type kind class genre group
gender: gender sex
movie: movie film picture title
title: title name film movie
name: name title label called model
director: director directed
author: author writer written
language: language
origin: origin departure source leaving depart departed departing start airport
destination: destination arrival arriving arrive arrived target end airport
generation: generation output production produced produce generated generate electricity
emission: emission carbon
concentration: concentration ppm level
score: score point
region: region area territory zone
stock: stock share symbol ticker company
symbol: symbol ticker stock company
cylinder: cylinder cyl
acceleration: acceleration accelerate
ticket: ticket case issue
order: order purchase
medal: medal gold silver bronze
altitude: altitude elevation height high
size: size large small big area
area: area surface size
latitude: latitude lat north northern south southern
longitude: longitude lon lng long east eastern west western
flight: flight trip route
species: species kind
value: value amount
gdp: gdp
investment: investment invest invested
capital: capital
inflation: inflation
consumption: consumption consume
month: month monat
quarter: quarter
damage: damage harm
effect: effect impact
phase: phase
attendance: attendance attend attended crowd spectator
goal: goal scored
win: win won victory winner
prize: prize purse winnings earnings money
loss: loss lost lose defeat
nationality: nationality national country nation citizen
sport: sport discipline
birth: birth born birthday birthdate dob
engagement: engagement
deal: deal opportunity
stage: stage phase status
status: status state
supplier: supplier vendor
margin: margin
contract: contract
interaction: interaction message conversation
depth: depth deep
nesting: nesting nested deep
dependents: dependent depended imported
intimacy: intimacy intimate close closeness
trust: trust trusting trusted
strength: strength strong
complexity: complexity complex complicated cyclomatic
`)

func wordIndex(text string) map[string][]string {
	index := map[string][]string{}
	for line := range strings.Lines(text) {
		id, words, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		for _, w := range strings.Fields(words) {
			index[w] = append(index[w], id)
		}
	}
	return index
}

// abbreviations are short forms in column names that no rule tells.
var abbreviations = map[string]string{
	"pop": "population", "temp": "temperature", "precip": "precipitation", "qty": "quantity", "amt": "amount", "avg": "average", "num": "number", "no": "number",
	"rev": "revenue", "exp": "expense", "dept": "department", "emp": "employee", "cust": "customer", "prod": "product", "cat": "category", "desc": "description",
	"addr": "address", "tel": "telephone", "mgr": "manager", "cyl": "cylinder", "wt": "weight", "ht": "height", "lat": "latitude", "lon": "longitude",
	"lng": "longitude", "dob": "birth", "yr": "year", "mon": "month", "hr": "hour", "min": "minimum", "max": "maximum", "std": "deviation", "pct": "percent",
	"perc": "percent", "hp": "horsepower", "expect": "expectancy", "govt": "government", "gov": "government",
	"org": "organization", "dest": "destination", "orig": "origin", "nat": "nationality", "msrp": "price", "sqft": "area",
	"ytd": "year to date", "acct": "account", "amnt": "amount", "cnt": "count", "lang": "language", "gen": "generation", "loc": "location", "ref": "reference", "biz": "business", "intl": "international",
}

// adjective tells which measure a word of degree speaks of, and whether more of it is a larger number. Without a concept it
// speaks of whatever measure the question names.
type adjective struct {
	concepts []string
	sign     int
}

// adjectives by base form.
var adjectives = map[string]adjective{
	"high": {nil, 1}, "large": {nil, 1}, "big": {nil, 1}, "great": {nil, 1}, "huge": {nil, 1}, "top": {nil, 1}, "strong": {[]string{"horsepower", "wind", "strength"}, 1}, "close": {[]string{"intimacy", "distance"}, 1}, "intimate": {[]string{"intimacy"}, 1},
	"low": {nil, -1}, "small": {nil, -1}, "little": {nil, -1}, "tiny": {nil, -1}, "weak": {[]string{"horsepower", "strength"}, -1},
	"heavy": {[]string{"weight"}, 1}, "light": {[]string{"weight"}, -1},
	"long": {[]string{"duration", "length", "distance"}, 1}, "short": {[]string{"duration", "length", "distance", "height"}, -1}, "tall": {[]string{"height"}, 1},
	"expensive": {[]string{"price", "cost"}, 1}, "costly": {[]string{"price", "cost"}, 1}, "cheap": {[]string{"price", "cost"}, -1}, "pricey": {[]string{"price"}, 1},
	"deadly": {[]string{"death"}, 1}, "lethal": {[]string{"death"}, 1}, "fatal": {[]string{"death"}, 1},
	"fast": {[]string{"speed", "acceleration"}, 1}, "quick": {[]string{"speed", "acceleration"}, 1}, "slow": {[]string{"speed"}, -1},
	"hot": {[]string{"temperature"}, 1}, "warm": {[]string{"temperature"}, 1}, "cold": {[]string{"temperature"}, -1}, "cool": {[]string{"temperature"}, -1},
	"wet": {[]string{"precipitation"}, 1}, "rainy": {[]string{"precipitation"}, 1}, "dry": {[]string{"precipitation"}, -1}, "windy": {[]string{"wind"}, 1},
	"populous": {[]string{"population"}, 1}, "populated": {[]string{"population"}, 1}, "powerful": {[]string{"horsepower"}, 1},
	"rich": {[]string{"gdp", "revenue"}, 1}, "poor": {[]string{"gdp", "revenue"}, -1}, "fertile": {[]string{"fertility"}, 1},
	"old": {[]string{"age"}, 1}, "young": {[]string{"age"}, -1}, "economical": {[]string{"mpg"}, 1}, "efficient": {[]string{"mpg"}, 1},
	"good": {[]string{"rating", "score"}, 1}, "bad": {[]string{"rating", "score"}, -1}, "profitable": {[]string{"profit", "revenue"}, 1}, "successful": {[]string{"revenue"}, 1}, "grossing": {[]string{"revenue"}, 1},
	"popular": {[]string{"vote", "count"}, 1}, "rated": {[]string{"rating"}, 1}, "paid": {[]string{"salary"}, 1}, "selling": {[]string{"revenue", "quantity"}, 1},
	"late": {[]string{"delay"}, 1}, "delayed": {[]string{"delay"}, 1}, "punctual": {[]string{"delay"}, -1}, "far": {[]string{"distance"}, 1}, "near": {[]string{"distance"}, -1},
	"northern": {[]string{"latitude"}, 1}, "southern": {[]string{"latitude"}, -1}, "eastern": {[]string{"longitude"}, 1}, "western": {[]string{"longitude"}, -1},
	"imported": {[]string{"dependents"}, 1}, "depended": {[]string{"dependents"}, 1}, "deep": {[]string{"depth", "nesting"}, 1}, "shallow": {[]string{"depth", "nesting"}, -1}, "nested": {[]string{"nesting"}, 1}, "complex": {[]string{"complexity"}, 1}, "complicated": {[]string{"complexity"}, 1},
	"common": {[]string{"#count"}, 1}, "frequent": {[]string{"#count"}, 1}, "rare": {[]string{"#count"}, -1}, "busy": {[]string{"#count"}, 1}, "active": {[]string{"#count"}, 1}, "uncommon": {[]string{"#count"}, -1},
	"recent": {[]string{"#time"}, 1}, "new": {[]string{"#time"}, 1}, "early": {[]string{"#time"}, -1},
}

// degreeWords are superlatives and comparatives that no ending tells.
var degreeWords = map[string]struct {
	base   string
	degree int
}{
	"best": {"good", 2}, "worst": {"bad", 2}, "better": {"good", 1}, "worse": {"bad", 1}, "least": {"little", 2}, "lesser": {"little", 1}, "most": {"great", 2},
	"maximum": {"great", 2}, "minimum": {"little", 2}, "max": {"great", 2}, "min": {"little", 2}, "peak": {"great", 2}, "maximal": {"great", 2}, "minimal": {"little", 2}, "record": {"", 0},
	"latest": {"recent", 2}, "newest": {"recent", 2}, "farthest": {"far", 2}, "furthest": {"far", 2}, "top": {"top", 2}, "bottom": {"little", 2}, "fewest": {"little", 2}, "fewer": {"little", 1}, "northernmost": {"northern", 2}, "southernmost": {"southern", 2}, "easternmost": {"eastern", 2}, "westernmost": {"western", 2},
}

// degreeOf reads a word as an adjective: its base and 0, 1 (comparative) or 2 (superlative).
func degreeOf(w string) (base string, degree int, ok bool) {
	if d, known := degreeWords[w]; known && d.base != "" {
		return d.base, d.degree, true
	}
	if _, known := adjectives[w]; known {
		return w, 0, true
	}
	for _, end := range []struct {
		suffix string
		degree int
	}{{"est", 2}, {"er", 1}} {
		stem, found := strings.CutSuffix(w, end.suffix)
		if !found || len(stem) < 2 {
			continue
		}
		forms := []string{stem, stem + "e"}
		if s, isI := strings.CutSuffix(stem, "i"); isI {
			forms = append(forms, s+"y")
		}
		if n := len(stem); n > 3 && stem[n-1] == stem[n-2] {
			forms = append(forms, stem[:n-1])
		}
		for _, f := range forms {
			if _, known := adjectives[f]; known {
				return f, end.degree, true
			}
		}
	}
	return "", 0, false
}

// harm are the concepts of which more is worse: their worst is the largest.
var harm = plan.WordSet("delay death cost injury price emission damage unemployment inflation loss")

// unit is a unit of measurement: what it measures, and how much of the kind's base unit it is, as a decimal factor.
type unit struct {
	kind   string
	factor float64
}

// units by the words and signs of questions and column headers.
var units = map[string]unit{
	"g": {"mass", 1}, "gram": {"mass", 1}, "kg": {"mass", 1000}, "kilo": {"mass", 1000}, "kilogram": {"mass", 1000}, "kilos": {"mass", 1000}, "lb": {"mass", 453.59237}, "lbs": {"mass", 453.59237}, "pound": {"mass", 453.59237},
	"ton": {"mass", 1e6}, "tonne": {"mass", 1e6}, "mm": {"length", 0.001}, "cm": {"length", 0.01}, "km": {"length", 1000}, "kilometer": {"length", 1000}, "kilometre": {"length", 1000}, "meter": {"length", 1},
	"metre": {"length", 1}, "millimeter": {"length", 0.001}, "centimeter": {"length", 0.01}, "mile": {"length", 1609.344}, "mi": {"length", 1609.344}, "ft": {"length", 0.3048}, "foot": {"length", 0.3048}, "inch": {"length", 0.0254},
	"minute": {"time", 60}, "min": {"time", 60}, "hour": {"time", 3600}, "hr": {"time", 3600}, "second": {"time", 1}, "sec": {"time", 1}, "degree": {"temperature", 1}, "celsius": {"temperature", 1},
	"dollar": {"money", 1}, "usd": {"money", 1}, "euro": {"money", 1}, "eur": {"money", 1}, "percent": {"percent", 1}, "ppm": {"ratio", 1}, "mph": {"speed", 1}, "mpg": {"economy", 1},
}

// additive are concepts whose values may be summed; rates are those that may not. What is in neither is summed when its
// column holds whole numbers or money.
var additive = plan.WordSet("population death revenue profit quantity count precipitation injury vote order ticket sale employment generation medal goal win loss attendance cost investment emission")
var rates = plan.WordSet("price temperature rating score mpg age speed fertility acceleration concentration horsepower height length inflation unemployment latitude longitude altitude weight life wind delay complexity intimacy trust strength")
var rateWords = plan.WordSet("satisfaction nps rate ratio percent percentage pct per average avg mean expectancy expect index share score rating margin min max temperature price level depth width height age")
