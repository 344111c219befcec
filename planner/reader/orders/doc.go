// Package orders reads a message as calls of tools: an order that names its tool, a phrase that a tool declares, plain
// words that fit a tool's schema, or several calls that give each other what they take.
//
// Package calls fills the arguments. This package says what a message orders: a tool that changes something is called
// by words that order that change alone, and each word that no call uses costs. Its own words are the files below data.
package orders
