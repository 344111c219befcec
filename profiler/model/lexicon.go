package model

// lexicon is the vocabulary of column names by what the words speak of. A word may be in several lines.
var lexicon = [...]string{
	"amount amounts amt cost costs price prices pricing fee fees fine fines penalty penalties salary salaries wage " +
		"wages pay payment payments paid payroll payable compensation earnings income revenue revenues sales budget " +
		"budgeted expenditure expenditures expense expenses expensed spend spending spent fund funds funded funding " +
		"grant grants award awarded donation donations contribution contributions tax taxes taxable levy loan loans " +
		"debt balance balances asset assets liability liabilities equity profit loss rent rental mortgage premium " +
		"deposit refund reimbursement reimbursed dollar dollars usd money cash capital endowment valuation " +
		"appropriation appropriations appropriated encumbrance encumbered disbursement disbursed receipts charges " +
		"charge billed billing invoice invoiced savings subsidy allowance bonus overtime benefits pension retirement " +
		"gross net tuition fare toll collected liens assessed assessment appraised value values worth market " +
		"allocation allocated obligated obligation obligations adopted revised proposed estimated actuals surplus " +
		"deficit transfers credit credits debit medicaid medicare",
	"percent percentage pct perc percentages percentile % rate rates ratio share proportion fraction margin growth " +
		"change increase decrease variance yield utilization occupancy vacancy turnover attainment proficiency " +
		"proficient proficiency coverage compliance compliant satisfaction satisfied participation completion " +
		"completed graduation attendance retention prevalence incidence unemployment poverty capacity efficiency " +
		"likelihood accuracy recycling diversion agree disagree strongly somewhat very excellent good fair poor " +
		"dissatisfied met meeting within",
	"count counts number num total totals sum quantity qty population populations persons people residents students " +
		"employees households families units visits visitors calls cases deaths births trips miles hours minutes " +
		"days weeks acres feet square sq ft tons gallons kwh kw mw mwh therms kbtu mmbtu lbs pounds meters length " +
		"width height area volume depth weight size distance duration speed count average avg mean median minimum " +
		"maximum min max estimate enrollment enrolled served issued received processed reported registered active " +
		"attended events incidents crimes arrests inspections permits applications requests responses score index level",
	"year yr years fy fiscal month mo quarter qtr week day decade season period",
	"date dates dt datetime timestamp time tm start started begin beginning end ended ending expiration expires " +
		"expiry expire effective issued created updated modified updated opened closed received submitted filed " +
		"approved completed birth dob deadline due scheduled last reported posted signed issuance publication " +
		"published entered processed inspected inspection renewal",
	"id ids identifier uid uuid guid objectid fid gid pk key number no num code codes cd fips geoid zip zipcode " +
		"postal zcta apn parcel pin ssn ein npi duns folio serial case ticket account acct permit license index " +
		"tract block district ward precinct census beat route room unit floor phone fax area congressional council x " +
		"y xcoord ycoord easting northing",
	"is has was are were did does do can will should would flag yn indicator ind active eligible certified required " +
		"allowed available exempt enabled provided accepts accepted offers permitted confirmed verified involved " +
		"approved received current complete yes",
	"url link links website web site www http https page homepage hyperlink uri image photo photos picture video " +
		"document documents report pdf href facebook twitter attachment download map details more info information",
	"location locations geo geom geometry geocoded geolocation point points polygon shape latitude longitude lat " +
		"long lng latlong coordinates coordinate georeference georeferenced mapped mappable map address gps position " +
		"the multipolygon multiline line centroid",
	"name names type types description desc status category class comment comments note notes address street city " +
		"state county county neighborhood agency department dept division office owner contact email manager title " +
		"reason method source level zone race ethnicity gender sex region flag group program project school facility " +
		"vendor contractor applicant provider organization company business text remarks narrative details footnote " +
		"suppressed first middle suffix prefix initials color grade phase stage result results outcome violation " +
		"statute offense comments language county country borough community area location",
	"latitude lat longitude long lng lon x y",
	"per ratio index rating rank ranking score grade factor temperature average mean avg median",
	"goal target objective measure metric actual projected forecast baseline benchmark performance kpi",
	"moe margin error confidence interval lower upper ci estimate est low high bound std deviation",
	"previous prior current cum cumulative ytd year-to-date mtd qtd weeks week max med",
	"male female white black hispanic asian native american indian islander pacific latino other race races two more " +
		"non african multiracial ethnic over under age aged youth adult senior children child",
}

const numTopics = len(lexicon)

// topics says of a word which lines of the lexicon have it.
var topics = func() map[string]uint32 {
	m := map[string]uint32{}
	for i, line := range lexicon {
		from := 0
		for at := 0; at <= len(line); at++ {
			if at == len(line) || line[at] == ' ' {
				if at > from {
					m[line[from:at]] |= 1 << i
				}
				from = at + 1
			}
		}
	}
	return m
}()
