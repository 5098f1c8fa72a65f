import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the Kafka adapter and the relay need besides. Source: architecture §6. */
export class KafkaTables1700000000110 implements MigrationInterface {
  readonly name = 'KafkaTables1700000000110';

  async up(runner: QueryRunner): Promise<void> {
    // recorded_at: of the last event dealt with; null where nothing or only undated entries were. It says where in a
    // topic to look, as offsets are worth nothing once a topic or a database is restored. starting_offset: where a
    // group began that starts "now", until its first position is known.
    await runner.query(`
      ALTER TABLE consumer_positions
        ADD COLUMN recorded_at timestamptz,
        ADD COLUMN starting_offset bigint`);
    // position: everything in the log up to here is in Kafka.
    await runner.query(`
      CREATE TABLE relay_positions (
        relay text COLLATE "C" PRIMARY KEY,
        position text NOT NULL,
        moved_at timestamptz NOT NULL DEFAULT clock_timestamp()
      ) WITH (fillfactor = 50)`);
    await runner.query(`
      CREATE TABLE unpublished_events (
        event_id uuid PRIMARY KEY,
        position text NOT NULL,
        topic text COLLATE "C" NOT NULL,
        error text NOT NULL,
        noted_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE unpublished_events, relay_positions');
    await runner.query('ALTER TABLE consumer_positions DROP COLUMN recorded_at, DROP COLUMN starting_offset');
  }
}
