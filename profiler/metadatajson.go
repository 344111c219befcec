package profiler

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
)

// MarshalJSON writes units as null where none is known, as clients expect it, and the confidence with two digits after the point: more are
// not known.
func (m ColumnMetadata) MarshalJSON() ([]byte, error) {
	type plain ColumnMetadata
	out := struct {
		plain
		Units *string `json:"units"`
	}{plain: plain(m)}
	out.Confidence = math.Round(m.Confidence*100) / 100
	if m.Units != "" {
		out.Units = &m.Units
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the encoder around this one escapes where that is wanted
	if err := enc.Encode(out); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// DropsPercent reports whether the column's own name says that its values are percentages, which CleanedName leaves to the unit: growth_pct
// and Growth. A share or a margin says it by its meaning, not by a word of its name.
func (m *ColumnMetadata) DropsPercent() bool {
	percent := func(name string) bool {
		return slices.ContainsFunc(splitName(name), func(w string) bool { return percentWords[strings.ToLower(w)] })
	}
	return m.Units == "%" && percent(m.OriginalName) && !percent(m.CleanedName)
}
