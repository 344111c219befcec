// Package loadtest has the tables and the comparisons that tests of several readers share. It imports the readers;
// what tests inside a reader's package need stands in package tabletest. The program does not contain it.
package loadtest
