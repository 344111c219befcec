package main

import (
	"fmt"

	"catena/bench/sets"
	"catena/profiler"
	"catena/profiler/names"
)

// named is a name of a tool's result with how it should be shown.
type named struct {
	ID, Name, Title string
	SemanticType    string  `json:"semantic_type"`
	Unit            *string `json:"unit"`
}

// business scores titles, semantic types and units of names without values.
func business(o *sets.Options, out map[string]float64) error {
	recs, err := sets.Lines[named](o.Path("colnames", "business.SPLIT.jsonl"), o.Limit)
	if err != nil {
		return err
	}
	var titles, types, units, misleading int
	for _, r := range recs {
		n := profiler.ReadName(r.Name)
		unit := ""
		if r.Unit != nil {
			unit = *r.Unit
		}
		semantic, measured := profiler.KindFromName(r.Name)
		semantic = coarse(semantic)
		if names.Norm(n.Label) == names.Norm(r.Title) {
			titles++
		} else {
			if misleads(r.Name, names.Norm(n.Label), names.Norm(r.Title)) {
				misleading++
			}
			o.Missf("business_title\t%q\t%q\twant %q", r.Name, n.Label, r.Title)
		}
		if semantic == r.SemanticType {
			types++
		} else {
			o.Missf("business_type\t%q\t%q\twant %q", r.Name, semantic, r.SemanticType)
		}
		if measured == unit {
			units++
		} else {
			o.Missf("business_unit\t%q\t%q\twant %q", r.Name, measured, unit)
		}
	}
	for name, n := range map[string]int{"business_title": titles, "business_type": types, "business_unit": units} {
		out[name] = float64(n) / float64(max(1, len(recs)))
	}
	fmt.Printf("%-18s %d misleading, %d with short forms left\n", "business_title", misleading, len(recs)-titles-misleading)
	for _, name := range []string{"business_title", "business_type", "business_unit"} {
		fmt.Printf("%-18s %.4f  of %d\n", name, out[name], len(recs))
	}
	return nil
}

// coarse is the type as the set has it, which knows neither positions nor postal codes.
func coarse(semantic string) string {
	switch semantic {
	case profiler.Latitude, profiler.Longitude:
		return profiler.Decimal
	case profiler.PostalCode:
		return profiler.ID
	}
	return semantic
}
