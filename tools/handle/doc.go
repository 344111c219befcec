// Package handle keeps tables under handles, which carry them between the steps of a plan, between turns, and to
// clients: the newest in memory, all of them in a Store where there is one. A handle is no secret: only its owner gets
// the table.
//
// It also notes which tables a call reads (WithReads), so that what a call makes can be told to come of them.
package handle
