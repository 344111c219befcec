package data_test

import (
	"testing"

	"go.uber.org/goleak"

	"catena/table"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var tableLimits = table.Limits{}
