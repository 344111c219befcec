// Package wireschema writes the JSON Schema of a plan that calls no tool but given ones, each with its own arguments:
// what servers of models make grammars of, so that slips cannot be written. plan.SchemaForPlans is the same for any
// tool, for servers that take nothing else.
//
// A schema has a form that OpenAI's strict mode takes, too: every property is required, what may be left out may be
// null, objects are closed, and a value of any form is JSON in a text. Only the forms of values are written, and no
// bound, pattern or default: whether a plan may run is for the validator to say. The package imports nothing of the
// program.
package wireschema
