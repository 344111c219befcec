package profiler

import "strings"

// aggregateWords are the aggregates that begin computed columns' names, with the word that labels show.
var aggregateWords = map[string]string{
	"sum": "total", "total": "total", "tot": "total", "avg": "average", "mean": "average", "average": "average", "median": "median",
	"min": "min", "max": "max", "minimum": "min", "maximum": "max", "count": "count", "stddev": "standard deviation of",
	"first": "first", "last": "last",
}

// leadingPeriods are the periods that a label puts after its measure.
var leadingPeriods = set("YTD", "MTD", "QTD", "WTD", "LTM", "TTM", "L12M", "L6M", "L3M", "L30D", "L7D", "L90D")

// acronyms keep this spelling in labels.
var acronyms = spell(`ID IDs YTD MTD QTD WTD LTM TTM L12M L6M L3M L30D L7D L90D YoY QoQ MoM WoW DoD EOM EOY EOD BOM FX GDP CPI GNP PPP VAT GST IVA KPI ROI ROE ROA ROAS EPS
EBIT EBITDA SKU UPC EAN ISBN ISSN IBAN BIC SWIFT URL URI UUID GUID IP IPv4 IPv6 HTTP HTTPS API SQL XML JSON CSV PDF HTML CSS DNS SSL TLS TCP UDP CPU GPU RAM SSD HDD OS UI UX
CRM ERP HR IT PO GL AR AP BU CEO CFO CTO COO B2B B2C SaaS MRR ARR ARPU ARPA LTV CLV CAC CPC CPA CPM CPL CTR CVR NPS CSAT DAU MAU WAU SLA ETA ETD DOB SSN TIN EIN FEIN NAICS SIC
FIPS GEOID ZIP ISO UTC GMT EST PST CET US USA UK EU UAE NYC LA DC NY SF AM PM TV DVD GPS RFID NFC PIN ATM AED BMI BP HDL LDL DNA RNA COVID ICU ER MRI CT ECG PSA HIV AIDS
CO2 NO2 SO2 O3 PM10 PH UV AC HP MPG RPM PSI VIN DOT FAA IATA ICAO NBA NFL MLB NHL FIFA UEFA MVP GPA SAT ACT GRE GED STEM AI ML NLP LLM P50 P75 P90 P95 P99 Q1 Q2 Q3 Q4 H1 H2
PM25 PM2.5 WBC RBC BPM AQI NDVI HbA1c NPV IRR WACC ROIC ROCE AUM NAV EV P/B P/S RMSE MAE MAPE AUC ROC PTO CSV SFTP VPN SDK IDE QA POS EMR EHR CPT DRG NPI NDC CO SSO MFA ETF IPO PPI PMI FTE OKR RFP RFQ SOW NDA LLC LTD INC COGS FICO APR APY LTV EMEA APAC LATAM DACH P&L SG&A R&D M&A P/E D/E`)

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

// abbreviations of business and data English. Values are lower case except for names and acronyms.
var abbreviations = pairs(`
abs absolute|acct account|accts accounts|acc account|accr accrual|acq acquisition|actl actual|act actual|addr address|adj adjusted|adm admission|admin administration
adv advertising|agg aggregate|agmt agreement|alloc allocation|alt alternate|amort amortization|amt amount|amts amounts|ann annual|annl annual|appl application|appr approved|apprv approved
approx approximate|appt appointment|asst assistant|assoc associate|attr attribute|auth authorization|aux auxiliary|avail available|avg average|avl available|bal balance|bdgt budget|beg beginning
bgn begin|bgt budget|bill billing|bkg booking|bkgs bookings|bldg building|blk block|blvd boulevard|bnch branch|brth birth|bus business|calc calculated|cal calendar|cancl cancelled|canc cancelled
cap capacity|capex capital expenditure|cat category|catg category|ccy currency|cd code|cds codes|cert certificate|chg change|chk check|chrg charge|cls class|clks clicks|clnt client|cmnt comment|cmpgn campaign
cmpl complete|cmpny company|cnt count|cntr center|cntrct contract|cntry country|cnty county|co company|cogs cost of goods sold|coll collection|comm commission|comp company|concl conclusion
cond condition|conf confirmed|cons consumer|contr contract|conv conversion|coord coordinate|corp corporate|corr correlation|cpty capacity|cr credit|crcy currency|crdt credit|crncy currency|cst cost
ctgry category|ctry country|cty city|cum cumulative|cumul cumulative|cur current|curr current|cust customer|custs customers|cat category|dbt debit|dba doing business as|dec decimal|del delivery|deliv delivery
delq delinquent|dept department|depr depreciation|deprec depreciation|desc description|descr description|dest destination|det detail|dev deviation|dflt default|diff difference|dim dimension|dir director
disc discount|discnt discount|dist distance|distr distribution|distrib distribution|div division|dlvr delivery|dlvry delivery|dob date of birth|doc document|docs documents|dol dollar|dpt department
dr debit|dsc discount|dsct discount|dso days sales outstanding|dpo days payable outstanding|dt date|dttm datetime|dtm datetime|dur duration|edu education|eff effective|elev elevation|emp employee
emps employees|empl employee|eng engineering|engmt engagement|enrl enrollment|enroll enrollment|ent entity|env environment|eqp equipment|equip equipment|err error|errs errors|est estimated|estab establishment
evt event|exc exception|exch exchange|exec executive|exp expense|expt export|ext extended|fac facility|fcst forecast|fin financial|fisc fiscal|flg flag|fm from|fname first name|fst first
frcst forecast|freq frequency|frt freight|fwd forward|fy fiscal year|gend gender|geo geographic|gm gross margin|gov government|govt government|gp gross profit|grp group|grs gross|grth growth|gtee guarantee
gvt government|hc headcount|hdr header|hh household|hhs households|hist history|hosp hospital|hq headquarters|hrs hours|ht height|idx index|img image|impr impressions|imp import|impt import
incl included|inc income|ind indicator|indiv individual|info information|init initial|ins insurance|inst institution|int interest|intl international|intrst interest|inv invoice|invc invoice|invest investment
invn inventory|invt inventory|invtry inventory|invs investments|itm item|itms items|ky key|lang language|lat latitude|lbl label|lcl local|lcy local currency|len length|lev level|lic license|lim limit
lmt limit|ln line|lname last name|lng longitude|loc location|lon longitude|long longitude|lst last|lt lead time|lvl level|mgmt management|mgr manager|mfg manufacturing|mfr manufacturer|mkt market|mktg marketing
mktng marketing|mbr member|mbrs members|med median|mgn margin|mid middle|misc miscellaneous|mnth month|mo month|mod modified|mos months|mrgn margin|mrkt market|msg message|msgs messages|msrp MSRP
mth month|mthd method|mths months|mtg mortgage|mtrl material|mttr mean time to resolution|mtbf mean time between failures|mult multiple|nat national|natl national|nbr number|net net|nm name|nme name|no number|nomin nominal|num number
obs observation|occ occupancy|occup occupation|oh on hand|op operating|oper operating|opex operating expense|opp opportunity|opps opportunities|oppty opportunity|ops operations|opt option|ord order
ords orders|org organization|orig original|otd on-time delivery|outs outstanding|ovr over|ovrd overdue|own owner|pax passengers|paym payment|pcs pieces|pct percent|pctg percentage|pctl percentile|pd period|perc percent|perf performance
perm permanent|pers person|ph phone|phn phone|pkg package|pl plan|pmnt payment|pmt payment|pmts payments|pnl P&L|poc point of contact|pop population|pos position|posn position|poss possible|pot potential
ppl people|pref preferred|prem premium|prep preparation|prev previous|prc price|pric price|prim primary|prin principal|prior priority|prob probability|proc process|prod product|prods products
prof profit|prog program|proj project|prom promotion|promo promotion|prop property|prov province|prtnr partner|pt patient|pts points|pub public|purch purchase|pur purchase|pwd password|pymt payment|pymts payments
qlty quality|qnty quantity|qtr quarter|qty quantity|qual quality|quant quantity|rcpt receipt|rcvd received|rec record|recd received|recs records|ref reference|reg region|regn region|rel relationship|rem remaining
rep representative|req request|reqd required|res resolution|resp response|ret return|rev revenue|revs revenues|rgn region|rltn relation|rnk rank|rpt report|rslt result|rt rate|rte route|rtn return|rtng rating
rtrn return|sal salary|sat satisfaction|sav savings|sbjct subject|sch schedule|sched schedule|schl school|scr score|sec security|seg segment|segm segment|sel selected|seq sequence|ser serial|sess session
sev severity|sfx suffix|shp ship|shpmt shipment|shpmts shipments|shr share|sig signature|sim similarity|sls sales|sml small|smry summary|so sales order|spd speed|spec specification|spnd spend|sq square|sqft square feet
src source|st street|sta station|stat status|std standard|stddev standard deviation|stg stage|stk stock|stmt statement|stn station|str street|strt start|stu student|sub subscription|subs subscribers|subcat subcategory
subj subject|subst substitute|subtot subtotal|sum total|supp supplier|supv supervisor|svc service|svcs services|sym symbol|sys system|tbl table|tech technical|tel telephone|temp temperature|terr territory|thru through
tgt target|tckt ticket|tix tickets|tm time|tmp temperature|tot total|tots totals|tran transaction|trans transaction|trx transaction|trxn transaction|txn transaction|txns transactions|trgt target|trnovr turnover|ts timestamp
txt text|typ type|uom unit of measure|upd updated|updt updated|usr user|usrs users|util utilization|val value|vals values|var variance|vend vendor|vnd vendor|vndr vendor|vehcl vehicle|veh vehicle|ver version|vers version
vis visits|vol volume|vrsn version|vs vs|wd width|wgt weight|whs warehouse|whse warehouse|wk week|wks weeks|wrk work|wrhs warehouse|wt weight|wtd weighted|xfer transfer|yr year|yrs years|zip ZIP
aov average order value|asp average selling price|gmv gross merchandise value|tcv total contract value|acv annual contract value|nrr net revenue retention|grr gross revenue retention|aht average handle time
ar accounts receivable|ap accounts payable|bu business unit|cac customer acquisition cost|cpm cost per mille|cpc cost per click|cpa cost per acquisition|cpl cost per lead|ctr click-through rate
roas return on ad spend|sga SG&A|clv customer lifetime value|ltv lifetime value|arpu average revenue per user|gl GL|rd R&D|dow day of week|dom day of month|doy day of year|lob line of business
ann annual|bkng booking|bkngs bookings|dens density|enr enrollment|grad graduation|hum humidity|mem memory|conn connection|conns connections|thruput throughput|sz size|tkt ticket|tkts tickets|tchr teacher|tchrs teachers
readm readmission|unemp unemployment|unsub unsubscribe|sprd spread|yld yield|chrg charge|chrgs charges|px price|hdl handle|reord reorder|precip precipitation|tz time zone|wh warehouse|bk back|n number of|ln1 line 1|ln2 line 2|py prior year|cy current year|qta quota|att attainment|attain attainment
los length of stay|dx diagnosis|tx treatment|rx prescription|ci confidence interval|npv NPV|irr IRR|wacc WACC|ndr net dollar retention|fcr first contact resolution|ctc cost to company|ccc cash conversion cycle|rps requests per second|qps queries per second|otif on time in full|cpo cost per order
mql marketing qualified leads|mqls marketing qualified leads|sqls sales qualified leads|icp ideal customer profile|ttv time to value|mtta mean time to acknowledge|mttd mean time to detect|rto recovery time objective|rpo recovery point objective|gpv gross payment volume|tpv total payment volume|aum AUM|nav NAV
dti debt to income|ltd long-term debt|fcf free cash flow|ocf operating cash flow|cfo cash flow from operations|nim net interest margin|noi net operating income|ffo funds from operations|roic ROIC|roce ROCE|bvps book value per share|dps dividends per share|pb P/B|ps P/S|ev EV|wc working capital|nwc net working capital
apv approved|ackd acknowledged|assgn assigned|asgn assigned|assgnd assigned|atnd attendance|attnd attendance|avlbl available|bkd booked|brd board|brnd brand|bsns business|cmp campaign|cntct contact|cnvrsn conversion|compl completed|cons consumption|consump consumption|crdtd credited|crtd created|crtn carton|cvr conversion rate|dlt deleted|dmg damage
dscnt discount|dstn destination|dstrb distribution|elec electricity|enrgy energy|etl ETL|excl excluding|expd expired|expir expiration|fb feedback|fclty facility|flt flight|frgt freight|frnt front|fulfil fulfillment|gds goods|hrly hourly|hosp hospital|impct impact|inbnd inbound|incdt incident|incid incident|insp inspection|inst installation
instl installation|intvl interval|invntry inventory|issd issued|jrnl journal|lbr labor|ldr leader|lgl legal|liab liability|liabs liabilities|liq liquidity|lnd land|lyr layer|mach machine|maint maintenance|manuf manufacturing|mbrshp membership|mdl model|meas measure|merch merchandise|mntn maintenance|mrktng marketing
mthly monthly|mnthly monthly|qtrly quarterly|wkly weekly|yrly yearly|dly daily|nxt next|ntwk network|obj objective|ofc office|onb onboarding|outbnd outbound|outstd outstanding|ovrhd overhead|oos out of stock|pcnt percent|pckg package|penlty penalty|perfm performance|phys physical|plcy policy|plnd planned|plt plant|pnlty penalty|prcs process|prchs purchase|prcnt percent|prdct product
prem premium|prgm program|prjct project|prmry primary|promot promotion|prsn person|prtnr partner|prvdr provider|pymnt payment|pymnts payments|qual quality|rcvbl receivable|rcv receivable|recv received|refd refunded|refnd refund|reimb reimbursement|rel release|renwl renewal|repl replacement|reqs requests|resched rescheduled|resv reservation|rsvd reserved|rsv reservation
rtl retail|rvw review|rvws reviews|sbtl subtotal|sch scheduled|scrd scored|secs seconds|sgmt segment|shft shift|shrnk shrinkage|skl skill|splr supplier|suppl supplier|sqmi square miles|stdnt student|stdnts students|strm stream|subj subject|subtotl subtotal|surv survey|svg savings|svgs savings|tar target|tgt target|thresh threshold|thrshld threshold|tkn token|trng training|trmt treatment
trn training|tsk task|txbl taxable|unq unique|uniq unique|upsl upsell|usg usage|vac vacation|vacn vacancy|variat variation|vlm volume|vol volume|wage wage|whl wholesale|wip work in progress|wkday weekday|wknd weekend|wo work order|wrnty warranty|wrty warranty|xchg exchange|xsell cross-sell|yst yesterday|zn zone`)

// after are the short forms that mean something else than usual behind another part.
var after = map[string]string{
	"cost ctr": "center", "call ctr": "center", "profit ctr": "center", "svc ctr": "center", "data ctr": "center", "mkt cap": "capitalization", "market cap": "capitalization", "adj cls": "close", "reord pt": "point", "reorder pt": "point",
	"data pt": "point", "bp sys": "systolic", "bp dia": "diastolic", "conf int": "interval", "net inc": "income", "op inc": "income", "gross inc": "income", "hh inc": "income", "pers inc": "income", "resp rt": "rate", "per sec": "second",
	"per min": "minute", "per hr": "hour", "per mo": "month", "on time": "time", "prod line": "line", "st dev": "deviation", "std err": "error", "dew pt": "point", "price pt": "point", "pct pts": "points", "tax id": "ID", "lead tm": "time",
	"email addr": "address", "mac addr": "address", "stk px": "price", "open int": "interest", "cust sat": "satisfaction", "job sat": "satisfaction",
}

func pairs(list string) map[string]string {
	m := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
		for _, entry := range strings.Split(line, "|") {
			short, long, ok := strings.Cut(strings.TrimSpace(entry), " ")
			if ok {
				m[short] = long
			}
		}
	}
	return m
}

// followed are the short forms that mean something else than usual before another part.
var followed = map[string]string{
	"inv on": "inventory", "inv oh": "inventory", "inv qty": "inventory", "inv turns": "inventory", "inv turn": "inventory", "inv turnover": "inventory", "inv level": "inventory", "inv lvl": "inventory",
	"inv days": "inventory", "inv val": "inventory", "term dt": "termination", "term date": "termination", "term rsn": "termination", "pe ratio": "P/E", "st cd": "state", "st code": "state",
	"ret rate": "retention", "ret rt": "retention", "pd amt": "paid", "comp rate": "completion", "mkt cap": "market", "cap usd": "capitalization", "cost ctr": "cost", "ctr cd": "center", "ctr id": "center", "ctr nm": "center", "lat p50": "latency", "lat p90": "latency", "lat p95": "latency", "lat p99": "latency",
	"lat ms": "latency", "opt in": "opt", "opt out": "opt", "conf int": "confidence", "curr cd": "currency", "curr code": "currency", "req per": "requests", "err per": "errors", "adj cls": "adjusted", "adj close": "adjusted",
	"alt m": "altitude", "alt ft": "altitude", "attr rt": "attrition", "attr rate": "attrition", "impr share": "impression", "bp sys": "BP", "bp dia": "BP", "reord pt": "reorder", "num orders": "number of", "order pt": "order",
	"no of": "number", "num of": "number", "n of": "number", "st dt": "start", "st date": "start", "exp dt": "expiration", "exp date": "expiration", "res dt": "resolution", "res tm": "resolution", "comp dt": "completion",
	"prior yr": "prior", "prior year": "prior", "prior period": "prior", "prior mo": "prior", "sec type": "security", "cal yr": "calendar", "cal dt": "calendar", "min wage": "minimum", "act dt": "activity", "rel dt": "release",
	"ops mgr": "operations", "op ex": "operating", "inc stmt": "income", "net inc": "net", "no show": "no", "no shows": "no", "long term": "long", "per day": "per", "per capita": "per", "lead src": "lead", "term mos": "term",
	"ret amt": "return", "ret qty": "return", "conv val": "conversion", "req id": "request", "tax amt": "tax", "pt nm": "patient", "sub total": "sub", "del dt": "delivery", "ship dt": "ship", "cust sat": "customer", "hh inc": "household",
}
