// Package columnar reads and writes tables where the data are columns already, or a database: Arrow's IPC streams and
// files, Parquet, and, to read only, SQLite. What others send is held against its metadata before anything is unpacked,
// and draws from the memory budget before it is allocated.
package columnar
