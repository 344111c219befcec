package memory

// IndexOf is indexOf for tests of the package's outside.
var IndexOf = indexOf
