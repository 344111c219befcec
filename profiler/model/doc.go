// Package model decides what a column means where rules are unsure: learnt weights over what its name and a few of its
// cells look like.
//
// Kinds tells nine ways in which a column may be used (a quantity, labels, a time, prose, a web address, numbers in
// text, a list, a key or constant, something only its owner can explain) from name, five cells, counts and moments.
// Shows tells from name, title and description alone, and those of the other columns of the table, how a column is to
// be shown (number, plain number, money, percentage, date, boolean, web address, place, text). Both are
// gradient-boosted trees whose features include the logits of logistic regressions over hashed n-grams; a prediction
// takes some microseconds, and Kinds' allocates nothing.
//
// The weights in weights.bin were trained by "go -C bench run ./semtypes/train" on two public sets, and hold counts and
// coefficients only, no row of either: Kinds on the training half of SortingHat's labelled columns
// (github.com/pvn25/ML-Data-Prep-Zoo, Apache-2.0), Shows on half of the portals in the column metadata of Socrata's
// open-data catalogue as collected by tsdataclinic/scout (Apache-2.0). The other halves, which score them, were not
// used.
//
// All functions are pure and safe for concurrent use.
package model
