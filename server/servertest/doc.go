// Package servertest has the fakes that the tests of the server and its rooms share. It does not import them.
package servertest
