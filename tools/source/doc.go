// Package source has databases as tables: what they hold, and queries computed where it is. It is the only importer of
// database drivers beside those of the store and of files.
package source
