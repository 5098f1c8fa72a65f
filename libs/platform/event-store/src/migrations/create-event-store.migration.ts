import type { MigrationInterface, QueryRunner } from 'typeorm';
import { staleRowState } from '../database/database-error';
import { serverIdentity } from '../log/epoch';

// The sequence must not cache: two sessions would take their numbers out of order within a stream.
const createLog = `
  CREATE SEQUENCE events_position_seq CACHE 1;
  CREATE TABLE events (
    epoch int NOT NULL,
    ord xid8 NOT NULL,
    position bigint NOT NULL DEFAULT nextval('events_position_seq'),
    event_id uuid NOT NULL,
    project_id text COLLATE "C" NOT NULL,
    aggregate text COLLATE "C" NOT NULL,
    stream_id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    type text COLLATE "C" NOT NULL,
    schema_version int NOT NULL,
    data jsonb NOT NULL,
    metadata jsonb NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now()
  ) PARTITION BY RANGE (recorded_at);
  CREATE INDEX events_log ON events (epoch, ord, position);
  CREATE INDEX events_aggregate_log ON events (aggregate, epoch, ord, position);
  CREATE INDEX events_stream ON events (project_id, aggregate, stream_id, version);
  CREATE INDEX events_id ON events (event_id);
  CREATE TABLE events_default PARTITION OF events DEFAULT`;

const createMeta = `
  CREATE TABLE event_store_meta (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    system_identifier text NOT NULL,
    timeline text NOT NULL,
    epoch int NOT NULL
  )`;

// A commit without events has no event id to look up when its end is unknown: it leaves a receipt.
const createReceipts = `
  CREATE TABLE event_store_receipts (
    receipt_id uuid PRIMARY KEY,
    recorded_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX event_store_receipts_age ON event_store_receipts (recorded_at)`;

const createAssertion = `
  CREATE FUNCTION assert_changed_rows(changed bigint, expected bigint, label text) RETURNS boolean
  LANGUAGE plpgsql AS $$
  BEGIN
    IF changed <> expected THEN
      RAISE EXCEPTION '% of % rows changed in %', changed, expected, label
        USING ERRCODE = '${staleRowState}', TABLE = label;
    END IF;
    RETURN true;
  END $$`;

/** Tables and functions of a context's event store, made in the first schema of the search path. */
export class CreateEventStore1700000000000 implements MigrationInterface {
  readonly name = 'CreateEventStore1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [createLog, createMeta, createReceipts, createAssertion]) await runner.query(sql);
    await runner.query(
      `INSERT INTO event_store_meta (system_identifier, timeline, epoch) SELECT ${serverIdentity}, 1`,
    );
    // Every append reads this row: without statistics the planner expects hundreds of them.
    await runner.query('ANALYZE event_store_meta');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE events, event_store_meta, event_store_receipts;
      DROP SEQUENCE events_position_seq;
      DROP FUNCTION assert_changed_rows`);
  }
}
