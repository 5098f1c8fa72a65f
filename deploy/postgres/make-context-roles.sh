#!/bin/sh
# Makes a role for each context in the database that PGHOST, PGPORT, PGDATABASE, PGUSER (a superuser) and PGPASSWORD name.
# Passwords come from AUTH_DATABASE_PASSWORD, CAMPAIGNS_DATABASE_PASSWORD and so on, and are set anew each time. What
# a superuser has made for a context before is handed over. Needs psql 16 or newer.
set -eu
folder=$(dirname "$0")
contexts='auth campaigns customers qualification webhooks operations promotions catalog'
variable_of() { echo "$1" | tr '[:lower:]' '[:upper:]' | sed 's/-/_/g; s/$/_DATABASE_PASSWORD/'; }

# Before anything is changed: in the pipe below a missing one would end its left side only.
for context in $contexts; do
  variable=$(variable_of "$context")
  eval ": \"\${$variable:?is missing}\""
done

{
  echo 'SET client_min_messages = warning;'
  cat "$folder/context-roles.sql"
  for context in $contexts; do
    # Read by psql itself, which no other process sees; and a parameter, as the server shows the text of statements.
    printf '\\getenv password %s\n' "$(variable_of "$context")"
    printf "SELECT pg_temp.make_context_role('%s', '%s', \$1) \\\\bind :password \\\\g\n" "$context" "scrip_$context"
  done
} | psql --no-psqlrc --quiet --output=/dev/null --set=ON_ERROR_STOP=1
