package scan

import "errors"

// ErrOutside is wrapped where a path leads out of the tree.
var ErrOutside = errors.New("the path is outside of the tree")

// ErrTooLarge is wrapped by Read where a file has more than Limits.FileSize bytes.
var ErrTooLarge = errors.New("the file is too large")

// ErrBinary is wrapped by Read where a file is no text.
var ErrBinary = errors.New("the file is not a text")

// ErrSecret is wrapped by Read where a file holds a private key.
var ErrSecret = errors.New("the file holds a private key")

// ErrNoRepository is wrapped where a folder does not lie in a git repository that can be read.
var ErrNoRepository = errors.New("there is no git repository")

// ErrNoRevision is wrapped by Revision where a repository does not know the revision.
var ErrNoRevision = errors.New("the repository has no such revision")

// ErrPrivate is wrapped where a folder may not be indexed: it holds secrets, or data of the program itself.
var ErrPrivate = errors.New("the folder holds secrets, or data of this program")
