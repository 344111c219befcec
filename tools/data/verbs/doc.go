// Package verbs has what analysts do with tables beside asking: pivots, shares, comparisons, what a change is made of,
// joins, quantiles, histograms, correlations, differences of tables. Each verb makes one query of the algebra of its
// arguments; package data checks, runs and says it as any other. A verb that cannot be sure what a figure would mean
// refuses, with what to do instead.
package verbs
