#!/bin/sh
# Starts PostgreSQL as the official image does: makes the database at the first start, with the user and the password of
# POSTGRES_USER, POSTGRES_DB and POSTGRES_PASSWORD.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" >/tmp/password
  initdb -U "$POSTGRES_USER" --pwfile=/tmp/password --auth-host=scram-sha-256 --auth-local=trust >/dev/null
  rm /tmp/password
  echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
  echo "CREATE DATABASE \"$POSTGRES_DB\"" | postgres --single -j postgres >/dev/null
fi
exec postgres -c listen_addresses='*' -c unix_socket_directories=/tmp,/run/postgresql
