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
{{- /* By these names others in the cluster reach the service. */ -}}
{{- $inside := printf "%s.%s" .Release.Name .Release.Namespace -}}
{{- $hosts := list .Release.Name $inside (printf "%s.svc" $inside) (printf "%s.svc.%s" $inside .Values.clusterDomain) -}}
{{- $listen := default dict $config.listen -}}
{{- $_ := set $listen "allowed_hosts" (concat (default list $listen.allowed_hosts) $hosts (compact (list .Values.ingress.host)) | uniq) -}}
{{- $_ := set $config "listen" $listen -}}
{{- /* What a shared store does not hold would be in a folder that goes with its pod. */ -}}
{{- if .Values.storeURL -}}
{{- range list "memory" "persona" -}}
{{- if not (hasKey $config .) -}}{{- $_ := set $config . (dict "enabled" false) -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $config -}}
{{- end }}
