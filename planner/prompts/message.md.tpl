Now it is {{.Now}}.{{if .Locale}} Locale: {{.Locale}}.{{end}}{{if .MaxRows}} Show {{.MaxRows}} rows at most.{{end}}
{{if .Hits}}
Words of the message that are values in the tables. A name like value_1 stands for a value that is spelled otherwise than in the message: write it as the value.
{{range .Hits}}- {{.}}
{{end}}{{end}}
The message:
{{.Message}}
