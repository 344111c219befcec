//go:build !amd64 || purego

package table

// tallyText counts the bytes of a text.
func tallyText(text string) (n tally) {
	n.add(text)
	return n
}
