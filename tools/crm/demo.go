package crm

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"catena/table"
	"catena/table/csv"
	"catena/table/gota"
)

//go:embed demo/*.csv demo/asof.txt
var files embed.FS

// Names of the demo tables.
const (
	clientsTable = "clients"
	revenueTable = "revenue"
	ticketsTable = "tickets"
	ratesTable   = "fx"
)

// source is the demo data as tables for questions, read once.
type source struct {
	asOf   time.Time
	tables []table.Named
}

// demo is the same data as frames for the tools. They are made when a tool is called first: most questions need none, and frames
// take as much memory as the tables.
type demo struct {
	*source
	clients dataframe.DataFrame // clients.csv with clean countries, ytd_cents and revenue_ytd_usd
	revenue dataframe.DataFrame // the columns of revenue.csv that tools use, and cents, -1 where revenue_usd is null
	tickets dataframe.DataFrame
	columns map[string][]table.Column // the types of each table, to come back from a frame without loss
	months  map[string][]int          // rows of revenue by client_id, in order
}

// loadTables reads the embedded files on first use, load makes the frames.
var (
	loadTables = sync.OnceValues(readTables)
	load       = sync.OnceValues(readFrames)
)

func readTables() (*source, error) {
	d := &source{}
	raw, err := files.ReadFile("demo/asof.txt")
	if err != nil {
		return nil, fmt.Errorf("crm: %w", err)
	}
	if d.asOf, err = time.Parse(time.DateOnly, strings.TrimSpace(string(raw))); err != nil {
		return nil, fmt.Errorf("crm: the as-of date: %w", err)
	}
	for _, name := range []string{clientsTable, revenueTable, ticketsTable, ratesTable} {
		raw, err := files.ReadFile("demo/" + name + ".csv")
		if err != nil {
			return nil, fmt.Errorf("crm: %w", err)
		}
		named, err := csv.Read(bytes.NewReader(raw), name+".csv", table.Limits{})
		if err != nil {
			return nil, fmt.Errorf("crm: %w", err)
		}
		named.Name = name
		d.tables = append(d.tables, named)
	}
	return d, nil
}

func readFrames() (*demo, error) {
	src, err := loadTables()
	if err != nil {
		return nil, err
	}
	d := &demo{source: src, columns: map[string][]table.Column{}, months: map[string][]int{}}
	frames := map[string]dataframe.DataFrame{}
	for _, named := range src.tables {
		if named.Name == ratesTable {
			continue
		}
		if frames[named.Name], err = gota.FromTable(named.Table); err != nil {
			return nil, fmt.Errorf("crm: %s: %w", named.Name, err)
		}
		d.columns[named.Name] = named.Table.Columns()
	}
	d.clients, d.revenue, d.tickets = frames[clientsTable], frames[revenueTable], frames[ticketsTable]
	return d, d.prepare()
}

// prepare adds what the tools sort and sum by: amounts in cents, which gota holds exactly as integers. Its doubles would
// round, and texts would sort 9 after 10.
func (d *demo) prepare() error {
	usd, ids, month := d.revenue.Col("revenue_usd"), d.revenue.Col("client_id"), d.revenue.Col("month")
	country := d.revenue.Col("country")
	amounts := make([]int, usd.Len())
	ytd, clean := map[string]int{}, map[string]string{}
	thisYear := d.asOf.Format("2006-")
	for i := range amounts {
		id := ids.Elem(i).String()
		d.months[id] = append(d.months[id], i)
		clean[id] = country.Elem(i).String()
		if usd.Elem(i).IsNA() {
			amounts[i] = -1
			continue
		}
		n, err := cents(usd.Elem(i).String())
		if err != nil {
			return fmt.Errorf("crm: revenue, row %d: %w", i+1, err)
		}
		amounts[i] = n
		if strings.HasPrefix(month.Elem(i).String(), thisYear) {
			ytd[id] += n
		}
	}
	d.revenue = d.revenue.Select([]string{"client_id", "client", "region", "month", "revenue_usd", "cost_usd", "orders"}).
		Mutate(series.New(amounts, series.Int, "cents"))
	clients := d.clients.Col("client_id")
	sums, texts, countries := make([]int, clients.Len()), make([]string, clients.Len()), make([]string, clients.Len())
	for i := range sums {
		id := clients.Elem(i).String()
		sums[i], texts[i], countries[i] = ytd[id], dollars(ytd[id]), clean[id]
	}
	d.clients = d.clients.Mutate(series.New(sums, series.Int, "ytd_cents")).
		Mutate(series.New(texts, series.String, "revenue_ytd_usd")).
		Mutate(series.New(countries, series.String, "country"))
	for _, df := range []dataframe.DataFrame{d.clients, d.revenue} {
		if df.Err != nil {
			return fmt.Errorf("crm: %w", df.Err)
		}
	}
	return nil
}

// Tables are the demo tables by name: clients, revenue, tickets, fx, as sources for questions. They are read on first use.
func Tables(ctx context.Context) ([]table.Named, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d, err := loadTables()
	if err != nil {
		return nil, err
	}
	return d.tables, nil
}

// AsOf is the date that the demo data speak of.
func AsOf() (time.Time, error) {
	d, err := loadTables()
	if err != nil {
		return time.Time{}, err
	}
	return d.asOf, nil
}
