-- Gives a context a role of its own that is no superuser: it owns the schemas of the context, and reads no others. To be
-- run by a superuser, in the database of Scrip, as often as you like (psql 16 or newer):
--
--   \i deploy/postgres/context-roles.sql
--   SELECT pg_temp.make_context_role('campaigns', 'scrip_campaigns', $1) \bind '…' \g
--
-- A password is a parameter, as pg_stat_activity and the server's log show the text of statements. What a superuser, the
-- caller or the owner of the database has made in these schemas before is handed over, in the transaction of the call.
SET log_parameter_max_length = 0;
SET log_parameter_max_length_on_error = 0;

-- Since when the oldest writing transaction of the server has been open: the age of the log's horizon. Roles of contexts
-- call it, as they see no sessions of others. In public, where they cannot make anything.
CREATE OR REPLACE FUNCTION public.scrip_oldest_write() RETURNS timestamptz
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS
$function$ SELECT min(xact_start) FROM pg_stat_activity WHERE backend_xid IS NOT NULL $function$;
REVOKE ALL ON FUNCTION public.scrip_oldest_write() FROM PUBLIC;

CREATE OR REPLACE FUNCTION pg_temp.make_context_role(context text, role text, password text) RETURNS void
LANGUAGE plpgsql AS $function$
DECLARE
  schemas CONSTANT text[] := ARRAY[context, context || '_jobs'];
  grantor oid;
  object text;
  holder oid;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
    EXECUTE format('CREATE ROLE %I', role);
  END IF;
  BEGIN
    EXECUTE format(
      'ALTER ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD %L', role, password);
  EXCEPTION WHEN OTHERS THEN
    -- The error itself comes with the text of its statement.
    RAISE EXCEPTION 'role % cannot be altered: %', role, SQLERRM USING ERRCODE = SQLSTATE;
  END;
  -- Migrations make the schemas, exports temporary tables.
  EXECUTE format('GRANT CONNECT, CREATE, TEMPORARY ON DATABASE %I TO %I', current_database(), role);
  EXECUTE format('GRANT EXECUTE ON FUNCTION public.scrip_oldest_write() TO %I', role);
  -- Granted by earlier versions; it shows the statements of all roles.
  FOR grantor IN
    SELECT m.grantor FROM pg_auth_members m WHERE m.roleid = 'pg_read_all_stats'::regrole AND m.member = role::regrole
  LOOP
    EXECUTE format('REVOKE pg_read_all_stats FROM %I GRANTED BY %s', role, grantor::regrole);
  END LOOP;

  FOR object, holder IN
    SELECT format('SCHEMA %I', nspname), nspowner
    FROM pg_namespace WHERE nspname = ANY (schemas) AND nspowner <> role::regrole
    UNION ALL
    -- Sequences of columns, indexes and row types follow their tables.
    SELECT format('%s %s',
        CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END,
        c.oid::regclass), relowner
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE nspname = ANY (schemas) AND relowner <> role::regrole AND relkind IN ('r', 'p', 'v', 'm', 'S')
      AND NOT EXISTS (SELECT FROM pg_depend
        WHERE classid = 'pg_class'::regclass AND objid = c.oid AND relkind = 'S' AND deptype IN ('a', 'i'))
    UNION ALL
    SELECT format('ROUTINE %s', p.oid::regprocedure), proowner
    FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
    WHERE nspname = ANY (schemas) AND proowner <> role::regrole
    UNION ALL
    SELECT format('TYPE %s', t.oid::regtype), typowner
    FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace LEFT JOIN pg_class c ON c.oid = typrelid
    WHERE nspname = ANY (schemas) AND typowner <> role::regrole
      AND (typtype IN ('d', 'e', 'r') OR (typtype = 'c' AND c.relkind = 'c'))
  LOOP
    -- Every context may make schemas, also those of contexts to come: what it has put there may work for it.
    IF NOT EXISTS (SELECT FROM pg_roles r WHERE r.oid = holder AND (r.rolsuper OR r.rolname = current_user
        OR r.oid = (SELECT datdba FROM pg_database WHERE datname = current_database()))) THEN
      RAISE EXCEPTION '% belongs to role %, which hands nothing over to %', object, holder::regrole, role
        USING HINT = 'Look who made it and why; then drop it, or give it to a superuser.';
    END IF;
    EXECUTE format('ALTER %s OWNER TO %I', object, role);
  END LOOP;
END
$function$;
