// Package loosejson reads JSON as models and people really write it.
//
// Scan reads one value with the faults that have one reading: trailing and missing commas, comments, Python's words and tuples, keys
// without quotes, a bracket too many. Faults lists them, so that a caller can refuse or tell. What has no one reading is a Problem. Read takes
// the value out of the text around it too, and guesses where no single reading cures the text, and says so: that is for values that are
// checked against a schema afterwards, never for plans.
package loosejson
