// Package number writes numbers and dates for people: by one grammar, over exact decimals, in the way of each locale.
package number
