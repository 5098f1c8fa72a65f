import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users of the installation and their roles in projects. */
export class CreateUsers1797100000000 implements MigrationInterface {
  readonly name = 'CreateUsers1797100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id text COLLATE "C" PRIMARY KEY,
        login text NOT NULL,
        email text,
        first_name text NOT NULL,
        last_name text NOT NULL,
        is_owner boolean NOT NULL,
        is_active boolean NOT NULL,
        password_hash text,
        must_change_password boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE UNIQUE INDEX users_login ON users (lower(login))');
    await runner.query('CREATE UNIQUE INDEX users_email ON users (lower(email)) WHERE email IS NOT NULL');
    await runner.query(`
      CREATE TABLE user_roles (
        user_id text COLLATE "C" NOT NULL REFERENCES users (id),
        project_id text COLLATE "C" NOT NULL,
        role text NOT NULL,
        PRIMARY KEY (user_id, project_id)
      )`);
    await runner.query('CREATE INDEX user_roles_project ON user_roles (project_id, user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE user_roles, users');
  }
}
