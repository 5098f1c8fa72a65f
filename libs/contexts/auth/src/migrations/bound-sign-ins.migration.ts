import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Wrong passwords by network and by login, and networks from which users signed in. */
export class BoundSignIns1797800000000 implements MigrationInterface {
  readonly name = 'BoundSignIns1797800000000';

  async up(runner: QueryRunner): Promise<void> {
    // Who is counted, as a hash.
    await runner.query(`
      CREATE TABLE sign_in_buckets (
        bucket bytea PRIMARY KEY,
        level double precision NOT NULL,
        counted_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX sign_in_buckets_counted_at ON sign_in_buckets (counted_at)');
    await runner.query(`
      CREATE TABLE known_networks (
        user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        network bytea NOT NULL,
        seen_at timestamptz NOT NULL,
        PRIMARY KEY (user_id, network)
      )`);
    await runner.query('CREATE INDEX known_networks_seen_at ON known_networks (seen_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE known_networks, sign_in_buckets');
  }
}
