// Package store is the contract of what must outlive a process: chat sessions and their turns, runs and their event
// logs, the journal of tool calls, tables by handle, and a cache of values that expire. Store is all of that.
// store/sqlite keeps it in one file, for the processes of one machine, and store/redis on servers, for several
// replicas; storetest holds both to the contract.
//
// It speaks only standard-library types; each consumer declares the small interface that it needs (chat.Sessions, runs.Log,
// tools.Journal, handle.Store, planner.Cache), and both stores satisfy them by shape.
//
// Every method that takes an owner answers to that owner alone. What is not there and what is another's are not told apart:
// both are errors that wrap fs.ErrNotExist. An id that is taken is an error that wraps fs.ErrExist.
//
// An open run has one owner at a time, whoever has its lease: see Store.AcquireLease.
package store
