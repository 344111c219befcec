package main

import "context"

func askChains(_ context.Context, _ string, list []question) ([]prediction, error) {
	return make([]prediction, len(list)), nil
}
