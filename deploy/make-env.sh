#!/bin/sh
# Prints an environment file for docker-compose.yml with a fresh secret for each purpose:
#
#   sh deploy/make-env.sh https://docs.example.com > .env
#
# The address is the one under which browsers and integrators reach nginx; without it http://localhost:8080, for trials. Links and
# callbacks begin with it: requests, which can name any host, have no say.
#
# JWT_SECRET is the one that integrators sign with. Keep the file: other secrets make links and sessions invalid, and
# PostgreSQL keeps the password it was begun with.
set -eu
umask 077

secret() {
  od -An -N32 -tx1 /dev/urandom | tr -d ' \n'
}

cat <<EOF
# Address under which browsers and integrators reach nginx.
PUBLIC_URL=${1:-http://localhost:8080}
HTTP_PORT=8080
# Ports of this machine alone for the administration of the two servers.
ADMIN_PORT_1=8001
ADMIN_PORT_2=8002
LOG_LEVEL=info
CONVERTER_CONCURRENCY=auto

POSTGRES_PASSWORD=$(secret)
REDIS_PASSWORD=$(secret)
JWT_SECRET=$(secret)
JWT_SESSION_SECRET=$(secret)
SECURE_LINK_SECRET=$(secret)
ADMIN_PASSWORD=$(secret)
GRAFANA_PASSWORD=$(secret)
EOF
