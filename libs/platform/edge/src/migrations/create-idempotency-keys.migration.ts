import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Key rows of keyed commands, in the schema of the context that owns them. Source: architecture §8. */
export class CreateIdempotencyKeys1700000000200 implements MigrationInterface {
  readonly name = 'CreateIdempotencyKeys1700000000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        project_id text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL,
        fingerprint text NOT NULL,
        command_id uuid NOT NULL,
        attempt integer NOT NULL DEFAULT 1,
        lease_id uuid NOT NULL,
        lease_until timestamptz NOT NULL,
        status smallint,
        body text,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, key)
      )`);
    await runner.query('CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
