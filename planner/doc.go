// Package planner turns a message, the tools and the facts about tables into a valid plan.
//
// Planners compose: Fallback tries one after the other, Cached remembers, LLM asks a model through a Completer, Offline
// needs no model at all. All of them speak planner/plan's Request and Response, so that the turn above them does not know
// which one answered.
package planner
