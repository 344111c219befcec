package main

import "catena/bench/sets"

func suite(o *sets.Options, path string) (t tally, err error)            { return t, nil }
func dirty(o *sets.Options, path string) (t tally, err error)            { return t, nil }
func dates(o *sets.Options, path string) (t tally, wrong int, err error) { return t, 0, nil }
