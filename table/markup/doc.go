// Package markup reads the tables that stand in HTML and Markdown. Spanned cells, headers of several rows and
// captions count as they do for people; what a browser does not show is left out.
package markup
