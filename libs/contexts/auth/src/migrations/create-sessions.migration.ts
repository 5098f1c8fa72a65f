import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions of users, and failed sign-ins. */
export class CreateSessions1797400000000 implements MigrationInterface {
  readonly name = 'CreateSessions1797400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sessions (
        id text COLLATE "C" PRIMARY KEY,
        token_hash bytea NOT NULL UNIQUE,
        user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        address text NOT NULL,
        agent text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        seen_at timestamptz NOT NULL DEFAULT now(),
        password_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX sessions_user ON sessions (user_id, seen_at)');
    await runner.query('CREATE INDEX sessions_seen_at ON sessions (seen_at)');
    // Who tries a login from where, as a hash.
    await runner.query(`
      CREATE TABLE sign_in_failures (
        attempt bytea PRIMARY KEY,
        failures integer NOT NULL,
        failed_at timestamptz NOT NULL,
        wait_until timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX sign_in_failures_failed_at ON sign_in_failures (failed_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sign_in_failures, sessions');
  }
}
