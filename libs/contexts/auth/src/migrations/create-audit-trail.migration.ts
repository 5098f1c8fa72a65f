import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit trail. Rows are never changed, and deleted only once they are old. */
export class CreateAuditTrail1798000000000 implements MigrationInterface {
  readonly name = 'CreateAuditTrail1798000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_entries (
        id text COLLATE "C" PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        project_id text COLLATE "C",
        actor_type text COLLATE "C" NOT NULL,
        actor_id text COLLATE "C",
        session_id text COLLATE "C",
        address text,
        request_id text COLLATE "C" NOT NULL,
        action text COLLATE "C" NOT NULL,
        resource_type text COLLATE "C" NOT NULL,
        resource_id text COLLATE "C",
        changes jsonb NOT NULL
      )`);
    await runner.query('CREATE INDEX audit_entries_at ON audit_entries (at, id)');
    await runner.query('CREATE INDEX audit_entries_project ON audit_entries (project_id, at, id)');
    await runner.query('CREATE INDEX audit_entries_actor ON audit_entries (actor_id, at, id)');
    await runner.query('CREATE INDEX audit_entries_resource ON audit_entries (resource_id, at, id)');
    await runner.query('CREATE INDEX audit_entries_action ON audit_entries (action, at, id)');
    await runner.query(`
      CREATE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF TG_OP = 'UPDATE' OR OLD.at > now() - interval '30 days' THEN
          RAISE EXCEPTION 'entries of the audit trail stay as they are';
        END IF;
        RETURN OLD;
      END $$`);
    await runner.query(`
      CREATE TRIGGER keep_audit_entry BEFORE UPDATE OR DELETE ON audit_entries
      FOR EACH ROW EXECUTE FUNCTION keep_audit_entry()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_entries');
    await runner.query('DROP FUNCTION keep_audit_entry');
  }
}
