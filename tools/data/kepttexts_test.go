package data

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"catena/profiler"
	"catena/query/semantic"
	"catena/table"
	"catena/table/loadtest"
)

// What is found out about a table outlives it, and has no part of its memory: a text of a cell would keep the whole column.
func TestFactsKeepNoTable(t *testing.T) {
	tab := loadtest.ReadCSV(t, "client,unit,status,note,price,meta,when\n"+
		"Émile Noir,USD,open,"+strings.Repeat("a long one ", 60)+",$5.10,\"{\"\"a\"\":1}\",2024-01-02 of old\n"+
		"Olga Berg,USD,closed,short,€7.20,\"{\"\"a\"\":2}\",yesterday\nEmil Noir,EUR,open,other,$8,\"{\"\"a\"\":3}\",never\n").Table
	info := factsOf("t", tab, nil)
	addValues(&info, tab)
	light := profiler.ProfileWith(t.Context(), tab, profiler.Options{Title: "t", Light: true})
	for i := range info.Columns {
		info.Columns[i].Distinct = 3
	}
	addValues(&info, tab)
	model, err := semantic.Infer(t.Context(), []semantic.Input{{Name: "t", Table: tab, Columns: light}})
	if err != nil {
		t.Fatal(err)
	}
	cache := &IndexCache{}
	index := cache.Over([]table.Named{{Name: "t", Table: tab}})
	if hits := index.Find(t.Context(), "Olga Berg"); len(hits) != 1 {
		t.Fatalf("%+v", hits)
	}
	for what, kept := range map[string]any{
		"a profile":               light,
		"a full profile":          profiler.ProfileWith(t.Context(), tab, profiler.Options{Title: "t"}),
		"facts of the profile":    factsOf("t", tab, light),
		"facts with values":       info,
		"what the table means":    model,
		"the index of values":     cache.kept[tab.Fingerprint()].entries,
		"the words of that index": cache.kept[tab.Fingerprint()].exact,
		"the stems of that index": cache.kept[tab.Fingerprint()].stems,
		"parts of texts of it":    cache.kept[tab.Fingerprint()].words,
	} {
		found := 0
		eachText(reflect.ValueOf(kept), map[unsafe.Pointer]bool{}, func(s string) {
			found++
			if col := holder(tab, s); col != "" {
				t.Errorf("%s: %.40q is memory of the column %s", what, s, col)
			}
		})
		if found == 0 {
			t.Errorf("%s holds no text", what)
		}
	}
}

// holder is the column whose memory a text is a part of.
func holder(tab *table.Table, s string) string {
	if s == "" {
		return ""
	}
	at := uintptr(unsafe.Pointer(unsafe.StringData(s)))
	for i := range tab.NumCols() {
		for _, b := range tab.Array(i).Data().Buffers() {
			if b == nil || b.Len() == 0 {
				continue
			}
			if from := uintptr(unsafe.Pointer(&b.Bytes()[0])); at >= from && at < from+uintptr(b.Len()) {
				return tab.Column(i).Name
			}
		}
	}
	return ""
}

// eachText calls f with all texts in a value, those that cannot be had from outside too.
func eachText(v reflect.Value, seen map[unsafe.Pointer]bool, f func(string)) {
	switch v.Kind() {
	case reflect.String:
		f(v.String())
	case reflect.Pointer:
		if p := v.UnsafePointer(); p != nil && !seen[p] {
			seen[p] = true
			eachText(v.Elem(), seen, f)
		}
	case reflect.Interface:
		if !v.IsNil() {
			eachText(v.Elem(), seen, f)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			eachText(v.Index(i), seen, f)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			eachText(it.Key(), seen, f)
			eachText(it.Value(), seen, f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			eachText(v.Field(i), seen, f)
		}
	}
}
