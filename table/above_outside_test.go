package table_test

import (
	"catena/table"
	"catena/table/columnar"
	"catena/table/gota"
	"catena/table/load"
)

func init() {
	table.GotaFrame, table.FromGota = gota.FromTable, gota.ToTable
	table.LoadFile, table.ReadBytes, table.ReadTables = load.File, load.Bytes, load.Tables
	table.ReadText, table.FromAny = load.ReadText, load.Any
	table.ReadIPC, table.WriteIPC, table.WriteParquet = columnar.ReadIPC, columnar.WriteIPC, columnar.WriteParquet
}
