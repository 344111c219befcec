//go:build !amd64 || purego

package csv

// hasMarks is false: without vector instructions it takes longer to mark bytes than to look at one cell after the
// other.
const hasMarks = false

func markText(text string, comma byte, out []marks) { markBytes(text, comma, out) }
