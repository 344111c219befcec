//go:build !amd64 || purego

package content

// tallyText counts the bytes of a text.
func tallyText(text string) (n tally) {
	n.add(text)
	return n
}
