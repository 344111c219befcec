package number

import (
	"slices"
	"testing"
)

func TestServes(t *testing.T) {
	for tag, want := range map[string]bool{"en": true, "en-US": true, "EN_gb": true, "de": true, "de-AT": true, "fr-CH": true, "ja": true, "no": true, "zh-TW": true, "tlh": false, "klingon": false, "digits": false, "xx-DE": false, "": false} {
		if got := Serves(tag); got != want {
			t.Errorf("%q: %v", tag, got)
		}
	}
	if all := Tags(); !slices.IsSorted(all) || !slices.Contains(all, "ja") || slices.Contains(all, "digits") {
		t.Error(all)
	}
}
