package orders

import "testing"

// TestOrderWords: the data can be read.
func TestOrderWords(t *testing.T) {
	if _, err := readLexicon(); err != nil {
		t.Fatal(err)
	}
}
