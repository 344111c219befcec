// Package archtest holds the tests of what no package can test of itself: who may import whom, and that the written pages say what the
// program does. With -update the pages that are made from the program are written anew.
//
//	go test ./internal/archtest -run TestDocs -update
package archtest
