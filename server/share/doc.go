// Package share serves what a chat is handed on as: a report, which is one HTML document, and links to a copy of it
// that anyone can read until they expire or are revoked. A link's copy is made when the link is; it has its own rows of
// the tables, and shows nothing that comes later. Copies are kept under their owner, count among the owner's tables and
// go with their session.
package share
