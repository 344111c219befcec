//go:build !race

package plantest

const raceFactor = 1
