package main

import (
	"math"
	"math/rand/v2"
)

// project gives the leading principal components of vectors, scaled to length one. They are those of a sample, by subspace iteration.
func project(full [][]float32, dims int) [][]float32 {
	const sample, rounds = 12_000, 10
	n := len(full[0])
	mean := make([]float32, n)
	for _, v := range full {
		for d, x := range v {
			mean[d] += x / float32(len(full))
		}
	}
	random := rand.New(rand.NewPCG(7, 9))
	axes := make([]float32, n*dims)
	for i := range axes {
		axes[i] = float32(random.NormFloat64())
	}
	orthonormal(axes, dims)
	covariance := scatter(full, mean, max(1, len(full)/sample))
	for range rounds {
		next := make([]float32, n*dims)
		for d := range n {
			for e := range n {
				c := covariance[d*n+e]
				for k := range dims {
					next[d*dims+k] += c * axes[e*dims+k]
				}
			}
		}
		axes = next
		orthonormal(axes, dims)
	}
	out := make([][]float32, len(full))
	for i, v := range full {
		low := make([]float32, dims)
		for d := range n {
			c := v[d] - mean[d]
			for k := range dims {
				low[k] += c * axes[d*dims+k]
			}
		}
		unit(low)
		out[i] = low
	}
	return out
}

// scatter is the covariance of every step-th vector, not divided by their number.
func scatter(full [][]float32, mean []float32, step int) []float32 {
	n := len(mean)
	out, row := make([]float32, n*n), make([]float32, n)
	for i := 0; i < len(full); i += step {
		for d, x := range full[i] {
			row[d] = x - mean[d]
		}
		for d, x := range row {
			line := out[d*n : d*n+n]
			for e, y := range row {
				line[e] += x * y
			}
		}
	}
	return out
}

// unit scales a vector to length one and gives the length that it had.
func unit(v []float32) float32 {
	length := float32(math.Sqrt(float64(dot(v, v))))
	if length > 0 {
		for d := range v {
			v[d] /= length
		}
	}
	return length
}

func dot(a, b []float32) float32 {
	sum := float32(0)
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
