package profiler

import (
	"maps"
	"strings"

	"catena/profiler/names"
)

// aggregateWords are the aggregates that begin computed columns' names, with the word that labels show.
var aggregateWords = map[string]string{
	"sum": "total", "total": "total", "tot": "total", "avg": "average", "mean": "average", "average": "average",
	"median": "median",
	"min":    "min", "max": "max", "minimum": "min", "maximum": "max", "count": "count",
	"stddev": "standard deviation of",
	"first":  "first", "last": "last",
}

// leadingPeriods are the periods that a label puts after its measure.
var leadingPeriods = set("YTD", "MTD", "QTD", "WTD", "LTM", "TTM", "L12M", "L6M", "L3M", "L30D", "L7D", "L90D")

// acronyms keep this spelling in labels.
var acronyms = spell(`ID IDs YTD MTD QTD WTD LTM TTM L12M L6M L3M L30D L7D L90D YoY QoQ MoM WoW DoD EOM EOY EOD BOM FX GDP CPI GNP PPP VAT GST IVA KPI ROI ROE ROA ROAS EPS
EBIT EBITDA SKU UPC EAN ISBN ISSN IBAN BIC SWIFT URL URI UUID GUID IP IPv4 IPv6 HTTP HTTPS API SQL XML JSON CSV PDF HTML CSS DNS SSL TLS TCP UDP CPU GPU RAM SSD HDD OS UI UX
CRM ERP HR IT PO GL AR AP BU CEO CFO CTO COO B2B B2C SaaS MRR ARR ARPU ARPA LTV CLV CAC CPC CPA CPM CPL CTR CVR NPS CSAT DAU MAU WAU SLA ETA ETD DOB SSN TIN EIN FEIN NAICS SIC
FIPS GEOID ZIP ISO UTC GMT EST PST CET US USA UK EU UAE NYC LA DC NY SF AM PM TV DVD GPS RFID NFC PIN ATM AED BMI BP HDL LDL DNA RNA COVID ICU ER MRI CT ECG PSA HIV AIDS
CO2 NO2 SO2 O3 PM10 PH UV AC HP MPG RPM PSI VIN DOT FAA IATA ICAO NBA NFL MLB NHL FIFA UEFA MVP GPA SAT ACT GRE GED STEM AI ML NLP LLM P50 P75 P90 P95 P99 Q1 Q2 Q3 Q4 H1 H2
PM25 PM2.5 WBC RBC BPM AQI NDVI HbA1c NPV IRR WACC ROIC ROCE AUM NAV EV P/B P/S RMSE MAE MAPE AUC ROC PTO CSV SFTP VPN SDK IDE QA POS EMR EHR CPT DRG NPI NDC CO SSO MFA ETF IPO PPI PMI FTE OKR RFP RFQ SOW NDA LLC LTD INC COGS FICO APR APY LTV EMEA APAC LATAM DACH P&L SG&A R&D M&A P/E D/E
MAC LAN WAN VLAN SSID USB IMEI IMSI IoT SMS MMS VIP RSVP SEO GMV AOV MSRP ASIN GTIN MPN ISIN CUSIP LEI KYC AML GDPR AWS VM CDN QR OTP VOC NOx CapEx OpEx FCF DCF kW kWh MWh GWh
TSH CRP GFR eGFR SpO2`)

func spell(list string) map[string]string {
	m := map[string]string{}
	for _, w := range strings.Fields(list) {
		m[strings.ToLower(w)] = w
	}
	for _, word := range []string{"inc", "act", "it", "er", "la", "stem", "dot", "pin", "ids", "us", "co", "am", "pos", "ev", "roc"} {
		delete(m, word) // words more often than acronyms
	}
	m["ids"], m["pm25"] = "IDs", "PM2.5"
	m["cogs"] = "" // written out by the abbreviations
	delete(m, "cogs")
	return m
}

// abbreviations of business and data English, without the aggregates that labels keep: Price Min.
var abbreviations = withoutAggregates(names.Abbreviations())

// wholeWords are words of their own more often than short forms: sold_out is no output, opt_in no option.
var wholeWords = set("out", "own", "man", "pot", "bill", "tab", "opt")

func withoutAggregates(list map[string]string) map[string]string {
	list = maps.Clone(list)
	maps.DeleteFunc(list, func(short, _ string) bool { return aggregateWords[short] == short || wholeWords[short] })
	return list
}
