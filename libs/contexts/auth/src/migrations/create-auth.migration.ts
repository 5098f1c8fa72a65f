import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Projects, keys, access tokens, and which project the first start made. */
export class CreateAuth1764000000000 implements MigrationInterface {
  readonly name = 'CreateAuth1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE projects (${stateTableColumns})`);
    await runner.query(`
      CREATE TABLE application_keys (
        id text COLLATE "C" PRIMARY KEY,
        project_id text COLLATE "C" NOT NULL,
        kind text NOT NULL CHECK (kind IN ('server', 'client')),
        name text NOT NULL,
        role text NOT NULL,
        secret_hash bytea NOT NULL,
        allowed_ips text[] NOT NULL DEFAULT '{}',
        blocked boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX application_keys_project ON application_keys (project_id)');
    await runner.query(`
      CREATE TABLE management_keys (
        id text COLLATE "C" PRIMARY KEY,
        name text NOT NULL,
        secret_hash bytea NOT NULL,
        allowed_ips text[] NOT NULL DEFAULT '{}',
        blocked boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    // A project has 1,000 slots: the primary key is what caps its active tokens.
    await runner.query(`
      CREATE TABLE access_tokens (
        project_id text COLLATE "C" NOT NULL,
        slot smallint NOT NULL CHECK (slot BETWEEN 1 AND 1000),
        token_hash bytea NOT NULL UNIQUE,
        key_id text COLLATE "C" NOT NULL,
        scope text NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (project_id, slot)
      )`);
    await runner.query('CREATE INDEX access_tokens_expires_at ON access_tokens (expires_at)');
    await runner.query(`
      CREATE TABLE bootstrap (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        project_id text NOT NULL,
        server_key_id text NOT NULL,
        client_key_id text NOT NULL,
        management_key_id text NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE bootstrap, access_tokens, management_keys, application_keys, projects');
  }
}
