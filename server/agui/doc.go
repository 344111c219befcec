// Package agui serves AG-UI over the same turn as every other address: RunAgentInput in, the run's events out, with the
// client's own names for thread and run.
package agui
