//go:build ignore

// Command generate writes cldr.jsonl, the locale data of package number, from the JSON edition of CLDR 41: the npm
// packages cldr-numbers-full, cldr-dates-full and cldr-core 41.0.0, unpacked side by side in one folder.
//
//	go run generate.go FOLDER
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// tags are the locales that are kept; a regional one holds what differs from the one before its last hyphen.
var tags = strings.Fields(`ar ar-EG bg bn ca cs da de de-AT de-CH el en en-AU en-CA en-GB en-IE en-IN en-NZ en-ZA es es-AR es-CL es-CO es-MX es-US et eu fa fi fil fr fr-BE
	fr-CA fr-CH gl he hi hr hu id is it it-CH ja ka kk ko lt lv mk mr ms nb nl nl-BE pl pt pt-PT ro ru sk sl sr sv sw ta te th tr uk ur vi zh zh-Hant`)

// named are the currencies whose names are kept.
var named = strings.Fields("AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF INR JPY KRW MXN NOK NZD PLN RUB SEK SGD TRY " +
	"USD ZAR")

type object = map[string]any

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run generate.go FOLDER")
	}
	dir := os.Args[1]
	var out bytes.Buffer
	out.WriteString("# Values of CLDR 41, Copyright 1991-2022 Unicode, Inc. (https://www.unicode.org/license.html). " +
		"Written by generate.go.\n")
	known := map[string]object{}
	for _, tag := range tags {
		rec := locale(dir, tag)
		known[tag] = rec
		if at := strings.LastIndexByte(tag, '-'); at > 0 {
			rec = difference(rec, known[tag[:at]])
		}
		line(&out, tag, rec)
	}
	fractions := object{}
	for code, v := range get(load(dir, "cldr-core/supplemental/currencyData.json"), "supplemental", "currencyData", "fractions").(object) {
		if n, _ := strconv.Atoi(v.(object)["_digits"].(string)); n != 2 {
			fractions[code] = n
		}
	}
	line(&out, "digits", fractions)
	if err := os.WriteFile("cldr.jsonl", out.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}

func line(out *bytes.Buffer, tag string, rec object) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(rec); err != nil {
		log.Fatal(err)
	}
	fmt.Fprintf(out, "%s\t%s", tag, b.Bytes())
}

func difference(rec, base object) object {
	out := object{}
	for k, v := range rec {
		if !reflect.DeepEqual(v, base[k]) {
			out[k] = v
		}
	}
	return out
}

func load(dir, name string) object {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		log.Fatal(err)
	}
	var v object
	if err := json.Unmarshal(data, &v); err != nil {
		log.Fatal(name, ": ", err)
	}
	return v
}

func get(v any, path ...string) any {
	for _, p := range path {
		v = v.(object)[p]
	}
	return v
}

func locale(dir, tag string) object {
	numbers := get(load(dir, "cldr-numbers-full/main/"+tag+"/numbers.json"), "main", tag, "numbers").(object)
	sym := numbers["symbols-numberSystem-latn"].(object)
	decimals := numbers["decimalFormats-numberSystem-latn"].(object)
	money := numbers["currencyFormats-numberSystem-latn"].(object)
	rec := object{
		"symbols": []any{sym["decimal"], sym["group"], sym["percentSign"], sym["plusSign"], sym["minusSign"],
			sym["exponential"], sym["perMille"], sym["infinity"], sym["nan"]},
		"decimal":    decimals["standard"],
		"scientific": get(numbers, "scientificFormats-numberSystem-latn", "standard"),
		"percent":    get(numbers, "percentFormats-numberSystem-latn", "standard"),
		"currency":   money["standard"],
		"accounting": money["accounting"],
		"short":      compact(get(decimals, "short", "decimalFormat").(object)),
		"long":       compact(get(decimals, "long", "decimalFormat").(object)),
		"money":      compact(get(money, "short", "standard").(object)),
	}
	rec["moneyPoint"], rec["moneyGroup"] = either(sym["currencyDecimal"], sym["decimal"]),
		either(sym["currencyGroup"], sym["group"])
	if n := numbers["minimumGroupingDigits"]; n != "1" {
		v, _ := strconv.Atoi(n.(string))
		rec["minGroup"] = v
	} else {
		rec["minGroup"] = 1
	}
	if native := numbers["symbols-numberSystem-"+numbers["defaultNumberingSystem"].(string)].(object); numbers["defaultNumberingSystem"] != "latn" {
		rec["native"] = []any{native["decimal"], native["group"], native["percentSign"], native["plusSign"],
			native["minusSign"], native["exponential"], native["perMille"], native["infinity"], native["nan"]}
	}
	units := object{}
	for k, v := range money {
		if count, ok := strings.CutPrefix(k, "unitPattern-count-"); ok {
			units[count] = v
		}
	}
	rec["unit"] = folded(units)
	currencies(rec, get(load(dir, "cldr-numbers-full/main/"+tag+"/currencies.json"), "main", tag, "numbers",
		"currencies").(object))
	dates(rec, get(load(dir, "cldr-dates-full/main/"+tag+"/ca-gregorian.json"), "main", tag, "dates", "calendars",
		"gregorian").(object))
	return rec
}

func either(v, otherwise any) any {
	if v == nil {
		return otherwise
	}
	return v
}

func currencies(rec, all object) {
	signs, names := object{}, object{}
	for code, v := range all {
		c := v.(object)
		if s, ok := c["symbol"]; ok && s != code {
			signs[code] = s
		}
		if !slices.Contains(named, code) {
			continue
		}
		forms := object{}
		for k, v := range c {
			if count, ok := strings.CutPrefix(k, "displayName-count-"); ok {
				forms[count] = v
			}
		}
		if len(forms) == 0 {
			forms["other"] = c["displayName"]
		}
		names[code] = folded(forms)
	}
	rec["signs"], rec["names"] = signs, names
}

// compact turns {"1000-count-one": ...} into a list by magnitude, from 10^3 on.
func compact(in object) []any {
	var out []any
	for zeros := 3; ; zeros++ {
		forms := object{}
		head := "1" + strings.Repeat("0", zeros) + "-count-"
		for k, v := range in {
			if count, ok := strings.CutPrefix(k, head); ok {
				forms[count] = v
			}
		}
		if len(forms) == 0 {
			return out
		}
		out = append(out, folded(forms))
	}
}

// folded drops the plural forms that are like "other".
func folded(forms object) object {
	out := object{}
	for k, v := range forms {
		if k == "other" || v != forms["other"] {
			out[k] = v
		}
	}
	return out
}

func dates(rec, g object) {
	list := func(v any, keys ...string) []any {
		var out []any
		for _, k := range keys {
			out = append(out, v.(object)[k])
		}
		return out
	}
	months := strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12")
	days := strings.Fields("sun mon tue wed thu fri sat")
	for _, width := range []string{"wide", "abbreviated"} {
		rec["months_"+width] = list(get(g, "months", "format", width), months...)
		rec["lone_months_"+width] = list(get(g, "months", "stand-alone", width), months...)
		rec["days_"+width] = list(get(g, "days", "format", width), days...)
	}
	rec["lone_days_wide"] = list(get(g, "days", "stand-alone", "wide"), days...)
	rec["era"] = get(g, "eras", "eraAbbr", "1")
	rec["halves"] = list(get(g, "dayPeriods", "format", "abbreviated"), "am", "pm")
	rec["dates"] = list(g["dateFormats"], "full", "long", "medium", "short")
	rec["times"] = list(g["timeFormats"], "full", "long", "medium", "short")
}
