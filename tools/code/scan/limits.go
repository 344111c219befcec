package scan

import "cmp"

// The defaults of Limits.
const (
	DefaultFileSize = 2 << 20
	DefaultFiles    = 200_000
	DefaultTotal    = 2 << 30
)

// Fixed limits: of what is remembered as left out, of nesting, and of a path's bytes.
const (
	maxSkipped = 20_000
	maxDepth   = 128
	maxPath    = 4096
)

// These bound the folders that are listed, and in revisions all names, by Limits.Files: what is beyond is left out, with the reason
// too_many. A repository of some kilobytes can hold the same folder without end.
const (
	foldersPerFile = 4
	namesPerFile   = 16
)

// filled has the defaults where a limit is not set.
func (l Limits) filled() Limits {
	return Limits{FileSize: cmp.Or(l.FileSize, DefaultFileSize), Files: cmp.Or(l.Files, DefaultFiles), Total: cmp.Or(l.Total, DefaultTotal), Private: l.Private}
}
