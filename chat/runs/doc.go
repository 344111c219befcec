// Package runs keeps turns going when their connection ends. An accepted message becomes a run: it is durable before
// its turn starts, its events go to a log that any number of readers follow, and a process that dies leaves the run to
// another one, or to the next start, which goes on from its log and its checkpoint.
//
// What waits for a person's decision ends a run for the time being: Approve, Reply and Resume have it go on. Runs of
// one process are held in Runs; what must outlive it is in a Log.
package runs
