// Package archtest holds the tests of what no package can test of itself: who may import whom, that the written pages
// say what the program does, and that the allow list of the linters only shrinks. With -update the pages that are made
// from the program are written anew, and the list becomes as short as it can be.
//
//	go test ./internal/archtest -run TestDocs -update
//	go test ./internal/archtest -run TestAllowList -update
package archtest
