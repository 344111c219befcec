//go:build ignore

package main

// The word lists of generate.go, to be run together with it.

import "strings"

type country struct {
	name, region, currency, style string
	clients                       int
	forms                         string // name patterns, split at ";": * is the coined word, + the trade
}

var countries = []country{
	{"United States", "USA", "USD", "en", 112, "* +, Inc.;* + LLC;* & Sons + Co.;* + Group;* + Corp."},
	{"Canada", "Canada", "USD", "en", 34, "* + Inc.;* + Ltd.;*, Fenwold & Co. +"},
	{"Brazil", "Latin America", "USD", "pt", 13, "* + Ltda.;+ * S.A."},
	{"Mexico", "Latin America", "USD", "es", 12, "+ * S.A. de C.V.;* +"},
	{"Chile", "Latin America", "USD", "es", 6, "+ * SpA;* + Ltda."},
	{"Colombia", "Latin America", "USD", "es", 5, "+ * S.A.S."},
	{"Argentina", "Latin America", "USD", "es", 6, "+ * S.R.L.;* + S.A."},
	{"Germany", "DACH", "EUR", "de", 38, "* + GmbH;* & Söhne + KG;* + AG;+ * GmbH & Co. KG"},
	{"Austria", "DACH", "EUR", "de", 11, "* + GesmbH;* & Töchter + OG"},
	{"Switzerland", "DACH", "CHF", "de", 15, "* + AG;* + SA;* & Cie. +"},
	{"United Kingdom", "UK & Ireland", "GBP", "en", 36, "* + Ltd;* + plc;* & Daughters +;*, Hask & Wrenlow + LLP"},
	{"Ireland", "UK & Ireland", "EUR", "en", 10, `* + DAC;* + Ltd;The "*" + Company`},
	{"France", "Rest of Europe", "EUR", "fr", 12, "* + SAS;+ * SARL;* & Fils +"},
	{"Italy", "Rest of Europe", "EUR", "it", 10, "* + S.p.A.;+ * S.r.l."},
	{"Spain", "Rest of Europe", "EUR", "es", 8, "+ * S.L.;* + S.A."},
	{"Netherlands", "Rest of Europe", "EUR", "nl", 9, "* + B.V.;* & Zonen +"},
	{"Belgium", "Rest of Europe", "EUR", "fr", 5, "* + SRL;* + SA"},
	{"Sweden", "Rest of Europe", "EUR", "nord", 7, "* + AB"},
	{"Denmark", "Rest of Europe", "EUR", "nord", 5, "* + A/S;* + ApS"},
	{"Poland", "Rest of Europe", "EUR", "pl", 6, "* + sp. z o.o.;* + S.A."},
	{"Portugal", "Rest of Europe", "EUR", "pt", 4, "* + Lda."},
	{"United Arab Emirates", "Middle East & Africa", "USD", "intl", 6, "* + FZE;* + L.L.C."},
	{"South Africa", "Middle East & Africa", "USD", "en", 6, "* + (Pty) Ltd"},
	{"Egypt", "Middle East & Africa", "USD", "intl", 3, "* + S.A.E."},
	{"Kenya", "Middle East & Africa", "USD", "intl", 3, "* + Ltd"},
	{"Japan", "Asia Pacific", "JPY", "jp", 12, "* + K.K.;* + Co., Ltd."},
	{"Australia", "Asia Pacific", "USD", "en", 7, "* + Pty Ltd"},
	{"Singapore", "Asia Pacific", "USD", "intl", 4, "* + Pte. Ltd."},
	{"India", "Asia Pacific", "USD", "intl", 4, "* + Pvt. Ltd."},
	{"South Korea", "Asia Pacific", "USD", "intl", 3, "* + Co., Ltd."},
}

// oddCountries are the misspellings to plant, each on one client.
var oddCountries = [][2]string{
	{"United States", "U.S.A."}, {"United States", "united states"}, {"United States", "United States "},
	{"United Kingdom", "Untied Kingdom"}, {"Germany", "Germany "}, {"Germany", "Deutschland"},
	{"Brazil", "Brasil"}, {"Netherlands", " Netherlands"},
}

var industries = strings.Split("Manufacturing;Logistics;Healthcare;Retail;Software;Energy;Food & Beverage;Construction;Financial Services;Education", ";")

// style coins names in the manner of a language: a head plus a tail, and one
// trade word per industry. Coined words keep clear of companies that exist.
type style struct{ heads, tails, trades string }

const enTrades = "Machining Freight Clinics Outfitters Systems Power Provisions Builders Capital Learning"

var styles = map[string]style{
	"en": {"Quern Tarn Brax Gorl Fenn Jass Holt Ivel Kest Larn Mosk Nethel Orrin Pell Rusk Sedd Thorl Ulver Vant Wex Yarl Zeph Cobl Drav Osk Tull",
		"hollow mere wick garth ford ley stead combe dale brook ridge marsh well haven", enTrades},
	"de": {"Brunk Grünt Hölm Kränz Löwr Mühr Östel Pfall Rüdd Schwarn Tänn Wiesk",
		"hagen werth bruck tal feld egg stett lohe", "Maschinenbau Spedition Kliniken Kaufhäuser Systeme Energie Feinkost Hochbau Finanz Akademie"},
	"fr": {"Brév Corm Douvr Espél Fauvr Grav Hautm Jolv Lér Marv",
		"elac émont erand isière onnay", "Mécanique Transports Santé Magasins Logiciels Énergie Saveurs Bâtiment Finance Formation"},
	"es": {"Alcor Berme Calvi Dorre Espi Guadre Lomar Quinte Peña Sierve Tolma Robla",
		"dal mosa vega reja llana mira", "Maquinaria Transportes Clínicas Almacenes Sistemas Energía Alimentos Obras Finanzas Formación"},
	"pt": {"Araçu Bemvi Caju Dourá Gravi Itape Juré Paraí",
		"nhal cara zeira vela rinha", "Máquinas Transportes Clínicas Lojas Sistemas Energia Alimentos Obras Finanças Ensino"},
	"it": {"Breva Corvi Dalme Fonta Grima", "relli zano tosca vento",
		"Meccanica Trasporti Cliniche Magazzini Sistemi Energia Alimentari Edilizia Finanza Formazione"},
	"nl": {"Brouw Dijkel Grave Koorn Veld", "horst zijde monde stee",
		"Machines Vervoer Klinieken Winkels Systemen Energie Voeding Bouw Financiën Onderwijs"},
	"nord": {"Bjärk Fjäll Gröne Høve Skärm Ænde", "vika sund holmen rås",
		"Mekanik Transport Klinik Butik System Energi Mejeri Bygg Finans Skola"},
	"pl": {"Dąbr Jasł Kłod Wierz", "owice ensko anowo",
		"Maszyny Transport Kliniki Sklepy Systemy Energia Smaki Budowa Finanse Edukacja"},
	"jp":   {"Aka Higa Kuro Minato Oku Shira Ōmi", "zawara hira nomori segawa", enTrades},
	"intl": {"Zenvi Orbal Kavri Nalum Tessi Veyra Solun Mirav", "ra dex lia nova tek", enTrades},
}

// ascii makes a coined word fit for a domain name.
var ascii = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "é", "e", "è", "e", "ñ", "n", "ç", "c", "á", "a", "í", "i",
	"ø", "oe", "æ", "ae", "å", "a", "ą", "a", "ł", "l", "ō", "o")

var owners = strings.Split("Mara Linden;Jonas Feldt;Priya Sand;Theo Marsh;Ines Brook;Kofi Stone;Lena Birch;Rafa Vale;Yuki Field;Nora Heath;Omar Reed;Sasha Glen", ";")
var agents = strings.Split("Desk North;Desk South;Alba Quill;Bram Hollis;Cleo Fenn;Dario Moss;Edda Lark;Finn Tarrow;Gita Sorrel", ";")

// subjects are templates by category; # becomes a number.
var subjects = map[string][]string{
	"billing":  {"Invoice # does not match the order", "Credit note for invoice # missing", "Wrong VAT rate on invoice #", "Payment for invoice # not booked", "Please split invoice #, two cost centres"},
	"delivery": {"Order # not delivered", "Order # arrived incomplete", "Change of address for order #", "Carrier lost one pallet of order #", "Order # late, please advise"},
	"quality":  {"Batch # out of tolerance", "Damaged goods in order #", "Complaint about batch #: wrong colour", `Label reads "sample" on batch #`, "Certificate for batch # requested"},
	"access":   {"Cannot sign in to the portal", "Password reset mail does not arrive", "New user for the portal, please", "Portal shows the wrong account", "Two-factor code rejected"},
	"other":    {"Question about the new contract", "Contact person has changed", "Request for a price list", "Feedback on the last visit", "Holiday opening hours?"},
}
