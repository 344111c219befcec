// Package tabletest makes files that are meant to do harm: small ones that unfold to gigabytes, run for long or are
// nested so deep that a reader's stack ends. Tests, fuzzing and bench/hostile read them; the program does not contain
// it. It imports no package of tables, so that tests inside of each may use it.
package tabletest

// File is one of them.
type File struct {
	Name string // with the ending of its format
	Data []byte
}
