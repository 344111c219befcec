package chat

import (
	"strconv"
	"strings"
)

// InterruptID names a step that waits as it was shown, so that what is decided about it is decided about nothing else.
func (p Pending) InterruptID() string { return p.Step + ":" + p.ArgsHash }

// ReadInterruptID is the step and the hash of an InterruptID, for a runs.Approval.
func ReadInterruptID(id string) (step, argsHash string) {
	step, argsHash, _ = strings.Cut(id, ":")
	return step, argsHash
}

// shownHash is the hash by which a step that waits is decided about: that of its arguments, and, of one that was called, how often. So a
// decision about an earlier attempt is none about the next.
func shownHash(argsHash string, attempt int) string {
	if attempt == 0 || argsHash == "" {
		return argsHash
	}
	return argsHash + "." + strconv.Itoa(attempt)
}

// ShownArgs is the way back: the hash of the arguments and the attempt of Pending.ArgsHash.
func ShownArgs(shown string) (argsHash string, attempt int) {
	argsHash, count, _ := strings.Cut(shown, ".")
	attempt, err := strconv.Atoi(count)
	if err != nil {
		attempt = 0
	}
	return argsHash, attempt
}
