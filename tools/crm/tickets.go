package crm

import (
	"fmt"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"catena/table"
	"catena/tools"
)

// urgency orders the priorities.
var urgency = map[string]int{"urgent": 0, "high": 1, "normal": 2, "low": 3}

func openTicketsTool() tools.Tool {
	return define("get_open_tickets", "Open tickets",
		"The support tickets that are not closed, the most urgent and oldest first: client, subject, priority, status, their age in days, assignee. Use it for open issues, tickets or complaints of clients.",
		object{"properties": object{}},
		[]table.Column{{Name: "ticket_id", Type: table.Text}, {Name: "client_id", Type: table.Text}, {Name: "client", Type: table.Text}, {Name: "subject", Type: table.Text},
			{Name: "priority", Type: table.Text}, {Name: "status", Type: table.Text}, {Name: "age_days", Type: table.Int}, {Name: "opened", Type: table.DateTime}, {Name: "assignee", Type: table.Text}},
		openTickets)
}

func openTickets(d *demo, _ tools.Call) (answer, error) {
	df := d.tickets.Filter(dataframe.F{Colname: "status", Comparator: series.Neq, Comparando: "closed"})
	opened, priority, status := df.Col("opened"), df.Col("priority"), df.Col("status")
	days, order := make([]int, df.Nrow()), make([]int, df.Nrow())
	states := map[string]int{}
	// The as-of day has not ended: a ticket of that day is open for 0 days.
	end := d.asOf.AddDate(0, 0, 1)
	for i := range days {
		at, err := time.Parse(time.RFC3339, opened.Elem(i).String())
		if err != nil {
			return answer{}, fmt.Errorf("crm: ticket %d: %w", i+1, err)
		}
		days[i] = int(end.Sub(at).Hours() / 24)
		order[i] = len(urgency)
		if n, ok := urgency[priority.Elem(i).String()]; ok {
			order[i] = n
		}
		states[status.Elem(i).String()]++
	}
	df = df.Mutate(series.New(days, series.Int, "age_days")).Mutate(series.New(order, series.Int, "urgency")).
		Arrange(dataframe.Sort("urgency"), dataframe.Sort("opened")).
		Select([]string{"ticket_id", "client_id", "client", "subject", "priority", "status", "age_days", "opened", "assignee"})
	a := answer{frame: df, types: hints(df, d.columns[ticketsTable]), name: "open_tickets", title: "Tickets that are not closed", hide: []string{"client_id"}}
	if states["pending"] > 0 {
		a.notes = append(a.notes, fmt.Sprintf("%d are open and %d are pending: they wait for the client.", states["open"], states["pending"]))
	}
	return a, nil
}
