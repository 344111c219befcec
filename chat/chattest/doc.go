// Package chattest has what the tests of turns and of runs stand on: a real registry and store, tools whose results are
// known, and a planner that answers by heart. It does not know package chat, so that the tests inside of it can use it.
package chattest
