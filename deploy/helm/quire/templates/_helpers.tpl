{{- define "quire.labels" -}}
app.kubernetes.io/name: quire
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "quire.selector" -}}
app.kubernetes.io/name: quire
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "quire.secretName" -}}
{{ .Values.secrets.existing | default (printf "%s-secrets" .Release.Name) }}
{{- end }}

{{/* Links and callbacks begin with it: requests, which can name any host, have no say. */}}
{{- define "quire.publicUrl" -}}
{{- $host := .Values.ingress.enabled | ternary .Values.ingress.host "" -}}
{{- $ofIngress := $host | empty | ternary "" (printf "https://%s" $host) -}}
{{ required "publicUrl is needed: the address that browsers see, such as https://docs.example.com" (.Values.publicUrl | default $ofIngress) }}
{{- end }}

{{- define "quire.claimName" -}}
{{ .Values.files.claim.existing | default (printf "%s-files" .Release.Name) }}
{{- end }}

{{/* What servers and converters have in common. */}}
{{- define "quire.environment" -}}
{{- range $name := list "DATABASE_URL" "REDIS_URL" "JWT_SECRET" "JWT_SESSION_SECRET" "SECURE_LINK_SECRET" }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: { name: {{ include "quire.secretName" $ }}, key: {{ $name }} }
{{- end }}
{{- if eq .Values.files.type "s3" }}
- { name: BLOB_STORE, value: s3 }
- { name: S3_BUCKET, value: {{ required "files.s3.bucket is needed with files.type s3" .Values.files.s3.bucket | quote }} }
- { name: S3_REGION, value: {{ .Values.files.s3.region | quote }} }
{{- with .Values.files.s3.endpoint }}
- { name: S3_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- with .Values.files.s3.accessKeyId }}
- { name: S3_ACCESS_KEY_ID, value: {{ . | quote }} }
- name: S3_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef: { name: {{ include "quire.secretName" $ }}, key: S3_SECRET_ACCESS_KEY }
{{- end }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "quire.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "quire.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "quire.mounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- if eq .Values.files.type "claim" }}
- { name: files, mountPath: /data/blobs }
{{- end }}
{{- end }}

{{- define "quire.volumes" -}}
- { name: data, emptyDir: {} }
- { name: tmp, emptyDir: {} }
{{- if eq .Values.files.type "claim" }}
- name: files
  persistentVolumeClaim: { claimName: {{ include "quire.claimName" . }} }
{{- end }}
{{- end }}

{{/* Pods of one kind are spread over machines, where there are enough of them. */}}
{{- define "quire.spread" -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "quire.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
{{- end }}
