package chat

import "fmt"

// ErrCallerBusy is ErrBusy where it is the caller's own runs that are too many: others may still start one.
var ErrCallerBusy = fmt.Errorf("%w of this caller", ErrBusy)
