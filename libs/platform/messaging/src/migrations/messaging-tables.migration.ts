import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Positions and parked events of the consumers of one context, in its schema. Source: architecture §5, §6. */
export class MessagingTables1700000000100 implements MigrationInterface {
  readonly name = 'MessagingTables1700000000100';

  async up(runner: QueryRunner): Promise<void> {
    // position: everything at or below is dealt with. parkings rises with each key parked or
    // released, so that a batch split by an old list of parked keys cannot commit.
    await runner.query(`
      CREATE TABLE consumer_positions (
        consumer_group text COLLATE "C" NOT NULL,
        topic text COLLATE "C" NOT NULL,
        partition integer NOT NULL,
        position text NOT NULL,
        parkings bigint NOT NULL DEFAULT 0,
        moved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (consumer_group, topic, partition)
      ) WITH (fillfactor = 50)`);
    // While a key is listed, its events wait in parked_events; a replay deletes each there with the effect it has.
    await runner.query(`
      CREATE TABLE parked_keys (
        consumer_group text COLLATE "C" NOT NULL,
        topic text COLLATE "C" NOT NULL,
        partition integer NOT NULL,
        key text COLLATE "C" NOT NULL,
        state text NOT NULL CHECK (state IN ('RETRYING', 'PARKED')),
        attempts integer NOT NULL,
        error text NOT NULL,
        first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        next_attempt_at timestamptz NOT NULL,
        PRIMARY KEY (consumer_group, topic, partition, key)
      )`);
    await runner.query(`
      CREATE INDEX parked_keys_due ON parked_keys (consumer_group, topic, partition, next_attempt_at)`);
    // event: JSON of the stored event; for an undecodable one what arrived, as the adapter wrote it down.
    await runner.query(`
      CREATE TABLE parked_events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        consumer_group text COLLATE "C" NOT NULL,
        topic text COLLATE "C" NOT NULL,
        partition integer NOT NULL,
        key text COLLATE "C" NOT NULL,
        position text,
        decoded boolean NOT NULL,
        event text NOT NULL,
        parked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        mirrored_at timestamptz
      )`);
    await runner.query(`
      CREATE INDEX parked_events_of_key ON parked_events (consumer_group, topic, partition, key, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE parked_events, parked_keys, consumer_positions');
  }
}
