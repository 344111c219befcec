{{- define "catena.labels" -}}
app.kubernetes.io/name: catena
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "catena.selector" -}}
app.kubernetes.io/name: catena
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "catena.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- if .Values.ingress.host -}}
{{- $listen := default dict $config.listen -}}
{{- $_ := set $listen "allowed_hosts" (append (default list $listen.allowed_hosts) .Values.ingress.host | uniq) -}}
{{- $_ := set $config "listen" $listen -}}
{{- end -}}
{{- if gt (int .Values.replicas) 1 -}}
{{- range list "memory" "persona" -}}
{{- if not (hasKey $config .) -}}{{- $_ := set $config . (dict "enabled" false) -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $config -}}
{{- end }}
