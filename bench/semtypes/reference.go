package main

import (
	"context"
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"catena/bench/sets"
	"catena/profiler"
	"catena/table"
	tablecsv "catena/table/csv"
)

// kindOf gives the kinds of the reference set's types as the profiler knows them. Types that are missing are one kind each, by their own
// names, that the profiler cannot tell: they count as missed. Types that differ in their spelling alone are one kind: the formats of dates
// are the loader's matter.
var kindOf = map[string]string{
	"NAME.FIRST": profiler.ConceptFirstName, "NAME.LAST": profiler.ConceptLastName, "NAME.MIDDLE": profiler.ConceptMiddleName, "NAME.SUFFIX": profiler.ConceptNameSuffix,
	"NAME.MIDDLE_INITIAL": profiler.ConceptMiddleInitial, "NAME.FIRST_LAST": profiler.ConceptPersonName, "NAME.LAST_FIRST": profiler.ConceptPersonName,
	"HONORIFIC_EN": profiler.ConceptHonorific, "COMPANY_NAME": profiler.ConceptCompany, "JOB_TITLE_EN": profiler.ConceptJobTitle, "PERSON.AGE": profiler.ConceptAge,
	"PERSON.RACE": profiler.ConceptEthnicity, "PERSON.MARITAL_STATUS_EN": profiler.ConceptMaritalStatus, "PERSON.GENDER": profiler.ConceptGender,
	"STREET_ADDRESS_EN": profiler.ConceptStreet, "STREET_ADDRESS2_EN": profiler.ConceptAddressLine2, "CITY": profiler.City, "TELEPHONE": profiler.Phone,
	"EMAIL": profiler.Email, "URI.URL": profiler.URL, "IPADDRESS.IPV4": profiler.IP, "IPADDRESS.IPV6": profiler.IP, "FREE_TEXT": profiler.ConceptFreeText, "BLANK": profiler.Unknown,
	"PERIOD.QUARTER": profiler.ConceptQuarter, "GUID": profiler.ConceptUUID, "IDENTITY.VIN": profiler.ConceptVIN, "VIN": profiler.ConceptVIN,
	"COORDINATE.LATITUDE_DECIMAL": profiler.Latitude, "COORDINATE.LONGITUDE_DECIMAL": profiler.Longitude, "SIGNED": "signed number",
	"ONE_ZERO": profiler.Boolean, "YES_NO": profiler.Boolean, "Y_N": profiler.Boolean, "TRUE_FALSE": profiler.Boolean, "yyyy": "year",
}

// kindsBefore are the kinds of types that begin alike.
var kindsBefore = []struct{ prefix, kind string }{
	{"STATE_PROVINCE.COUNTY", profiler.ConceptCounty}, {"STATE_PROVINCE.", profiler.ConceptState}, {"POSTAL_CODE.", profiler.PostalCode}, {"COORDINATE_PAIR.DECIMAL", profiler.ConceptCoordinates}, {"SPATIAL.", profiler.Geo}, {"HASH.", profiler.ConceptHash}, {"MONTH.", profiler.ConceptMonth}, {"DAY.", profiler.ConceptWeekday},
	{"GENDER.", profiler.ConceptGender}, {"LANGUAGE.", profiler.ConceptLanguage}, {"COUNTRY.", profiler.Country}, {"CURRENCY_CODE", profiler.ConceptCurrencyCode},
	{"yyyy", profiler.Date}, {"MM/", profiler.Date}, {"M/", profiler.Date}, {"dd", profiler.Date}, {"d/", profiler.Date}, {"MMM", profiler.Date},
	{"H:mm", profiler.Time}, {"HH:mm", profiler.Time}, {"h:mm", profiler.Time},
}

func referenceKind(semantic string) string {
	if kind, ok := kindOf[semantic]; ok {
		return kind
	}
	for _, k := range kindsBefore {
		if strings.HasPrefix(semantic, k.prefix) {
			return k.kind
		}
	}
	return semantic
}

// toldKind is the kind that the profiler tells.
func toldKind(m *profiler.ColumnMetadata) string {
	switch {
	case m.Concept != "":
		return m.Concept
	case m.SemanticType == profiler.DateTime:
		return profiler.Date
	case m.SemanticType == profiler.Date && m.DType == table.Int.String():
		return "year"
	case m.SemanticType == profiler.Duration:
		return profiler.Time
	case m.Role == profiler.RoleMeasure && negative(m.Min):
		return "signed number"
	}
	return m.SemanticType
}

func negative(x any) bool {
	return strings.HasPrefix(fmt.Sprint(x), "-")
}

// referenceRow is a column of the reference set.
type referenceRow struct {
	file, name, semantic string
	offset               int
}

// columns scores the columns of the reference set: F1 of each type, of the kind that the profiler tells for it, and their mean. A kind that
// stands for several types has one precision and a recall for each.
func columns(o *sets.Options, dir string, f *figures) error {
	rows, err := referenceRows(o, dir)
	if err != nil {
		return err
	}
	gold, right, told, wrong := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for _, file := range slices.Sorted(maps.Keys(rows)) {
		known, err := profileFile(filepath.Join(dir, file))
		if err != nil {
			o.Missf("%s: %v", file, err)
		}
		for _, r := range rows[file] {
			kind := profiler.Unknown
			if r.offset < len(known) {
				kind = toldKind(&known[r.offset])
			}
			told[kind]++
			want := referenceKind(r.semantic)
			if r.semantic != "" {
				gold[r.semantic]++
			}
			if r.semantic != "" && kind == want {
				right[r.semantic]++
				continue
			}
			wrong[kind]++
			o.Missf("%s %q: %s for %q", r.file, r.name, kind, r.semantic)
		}
	}
	sum := 0.0
	for _, semantic := range slices.Sorted(maps.Keys(gold)) {
		kind := referenceKind(semantic)
		precision := float64(told[kind]-wrong[kind]) / float64(max(1, told[kind]))
		recall := float64(right[semantic]) / float64(gold[semantic])
		f1 := 0.0
		if right[semantic] > 0 {
			f1 = 2 * precision * recall / (precision + recall)
		}
		sum += f1
		o.Missf("%-36s %-16s of %4d, recall %.3f, precision %.3f, F1 %.3f", semantic, kind, gold[semantic], recall, precision, f1)
	}
	f.ReferenceF1, f.ReferenceTypes = sum/float64(max(1, len(gold))), len(gold)
	return nil
}

// referenceRows are the columns of the split, by file.
func referenceRows(o *sets.Options, dir string) (map[string][]referenceRow, error) {
	file, err := os.Open(filepath.Join(dir, "reference.csv"))
	if err != nil {
		return nil, fmt.Errorf("reference set: %w", err)
	}
	defer file.Close()
	all, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reference set: %w", err)
	}
	out := map[string][]referenceRow{}
	for _, r := range all[1:] {
		sum := sha256.Sum256([]byte(strings.TrimPrefix(r[0], "data/")))
		if (sum[len(sum)-1]%2 == 0) != (o.Split == "dev") {
			continue
		}
		offset, err := strconv.Atoi(r[1])
		if err != nil {
			return nil, fmt.Errorf("reference set: offset of %s: %w", r[0], err)
		}
		out[r[0]] = append(out[r[0]], referenceRow{file: r[0], name: r[4], semantic: r[6], offset: offset})
	}
	return out, nil
}

// profileFile profiles a file as the product loads it.
func profileFile(path string) ([]profiler.ColumnMetadata, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	named, err := tablecsv.Read(file, filepath.Base(path), table.Limits{})
	if err != nil {
		return nil, err
	}
	return profiler.Describe(context.Background(), named.Table), nil
}
