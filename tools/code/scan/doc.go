// Package scan lists and reads the files of a folder, or of a revision of a git repository, that are worth indexing, and tells when they change.
package scan
