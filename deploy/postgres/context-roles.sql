-- Gives a context a role of its own that is no superuser: it owns the schemas of the context, and reads no others. To be
-- run by a superuser, in the database of Scrip, as often as you like:
--
--   psql … -f deploy/postgres/context-roles.sql -c "SELECT pg_temp.make_context_role('campaigns', 'scrip_campaigns', '…')"
--
-- What another role has made in these schemas before is handed over, in the transaction of the call.
CREATE OR REPLACE FUNCTION pg_temp.make_context_role(context text, role text, password text) RETURNS void
LANGUAGE plpgsql AS $function$
DECLARE
  schemas CONSTANT text[] := ARRAY[context, context || '_jobs'];
  handing_over text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
    EXECUTE format('CREATE ROLE %I', role);
  END IF;
  EXECUTE format(
    'ALTER ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD %L', role, password);
  -- Migrations make the schemas.
  EXECUTE format('GRANT CONNECT, CREATE ON DATABASE %I TO %I', current_database(), role);
  -- Since when transactions of other roles have been open: the age of the log's horizon is measured by it.
  EXECUTE format('GRANT pg_read_all_stats TO %I', role);

  FOR handing_over IN
    SELECT format('ALTER SCHEMA %I OWNER TO %I', nspname, role)
    FROM pg_namespace WHERE nspname = ANY (schemas) AND nspowner <> role::regrole
    UNION ALL
    -- Sequences of columns, indexes and row types follow their tables.
    SELECT format('ALTER %s %s OWNER TO %I',
        CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END,
        c.oid::regclass, role)
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE nspname = ANY (schemas) AND relowner <> role::regrole AND relkind IN ('r', 'p', 'v', 'm', 'S')
      AND NOT EXISTS (SELECT FROM pg_depend
        WHERE classid = 'pg_class'::regclass AND objid = c.oid AND relkind = 'S' AND deptype IN ('a', 'i'))
    UNION ALL
    SELECT format('ALTER ROUTINE %s OWNER TO %I', p.oid::regprocedure, role)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
    WHERE nspname = ANY (schemas) AND proowner <> role::regrole
    UNION ALL
    SELECT format('ALTER TYPE %s OWNER TO %I', t.oid::regtype, role)
    FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace LEFT JOIN pg_class c ON c.oid = typrelid
    WHERE nspname = ANY (schemas) AND typowner <> role::regrole
      AND (typtype IN ('d', 'e', 'r') OR (typtype = 'c' AND c.relkind = 'c'))
  LOOP
    EXECUTE handing_over;
  END LOOP;
END
$function$;
