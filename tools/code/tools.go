package code

// maxPath bounds a path in an argument, in bytes.
const maxPath = 4096
