package formatter

import (
	"testing"

	"catena/profiler"
)

// Headings that are the same are told apart by the unit that the cells carry.
func TestTellApart(t *testing.T) {
	percent := profiler.ColumnMetadata{SemanticType: profiler.Percentage, Units: "%"}
	cols := []Column{{Heading: "Change"}, {Heading: "Change", Metadata: percent}, {Heading: "Share", Metadata: percent}}
	tellApart(cols)
	if cols[0].Heading != "Change" || cols[1].Heading != "Change (%)" || cols[2].Heading != "Share" {
		t.Errorf("%q, %q, %q", cols[0].Heading, cols[1].Heading, cols[2].Heading)
	}
}
