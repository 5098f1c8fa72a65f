import { stateTableColumns } from '@scrip/event-store';
import type { MigrationInterface, QueryRunner } from 'typeorm';

// subscriptions: kind (or '*') → since when. Header values are secrets: beside the state, sealed, and in no event.
const endpoints = `
  CREATE TABLE endpoints (
    ${stateTableColumns},
    target_url text COLLATE "C" NOT NULL,
    subscriptions jsonb NOT NULL,
    active boolean NOT NULL,
    deleted boolean NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX endpoints_live ON endpoints (project_id, created_at, id) WHERE NOT deleted;
  CREATE TABLE endpoint_headers (
    project_id text COLLATE "C" NOT NULL,
    webhook_id text COLLATE "C" NOT NULL,
    sealed text,
    PRIMARY KEY (project_id, webhook_id)
  )`;

const tokens = `
  CREATE TABLE webhook_tokens (
    project_id text COLLATE "C" PRIMARY KEY,
    sealed text NOT NULL,
    previous_sealed text,
    previous_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
  )`;

// data is text, since every delivery sends the bytes that were rendered.
const publicEvents = `
  CREATE TABLE public_events (
    id text COLLATE "C" PRIMARY KEY,
    project_id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    entity_id text COLLATE "C",
    group_id text COLLATE "C" NOT NULL,
    event_source jsonb NOT NULL,
    data text NOT NULL,
    happened_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX public_events_created ON public_events (created_at)`;

// attempts numbers the attempts in the log, scheduled_attempts those that the schedule counts. resume_*: what an
// attempt asked for by hand returns to when it fails.
const sendouts = `
  CREATE TABLE sendouts (
    id text COLLATE "C" PRIMARY KEY,
    project_id text COLLATE "C" NOT NULL,
    webhook_id text COLLATE "C" NOT NULL,
    public_event_id text COLLATE "C" NOT NULL,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    kind text COLLATE "C" NOT NULL,
    entity_id text COLLATE "C",
    group_id text COLLATE "C" NOT NULL,
    target_url text COLLATE "C" NOT NULL,
    event_created_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    state text COLLATE "C" NOT NULL
      CHECK (state IN ('PENDING', 'DELIVERING', 'SUCCEEDED', 'RETRYING', 'FAILED', 'CANCELED')),
    attempts int NOT NULL DEFAULT 0,
    scheduled_attempts int NOT NULL DEFAULT 0,
    first_attempt_at timestamptz,
    next_attempt_at timestamptz,
    finished_at timestamptz,
    resume_state text COLLATE "C",
    resume_at timestamptz,
    CONSTRAINT sendouts_once UNIQUE (webhook_id, public_event_id)
  ) WITH (fillfactor = 80);
  CREATE INDEX sendouts_due ON sendouts (webhook_id, next_attempt_at, seq) WHERE state IN ('PENDING', 'RETRYING');
  CREATE INDEX sendouts_delivering ON sendouts (webhook_id) WHERE state = 'DELIVERING';
  CREATE INDEX sendouts_succeeded ON sendouts (webhook_id, finished_at) WHERE state = 'SUCCEEDED';
  CREATE INDEX sendouts_listed ON sendouts (project_id, created_at, id);
  CREATE INDEX sendouts_created ON sendouts (created_at);
  CREATE TABLE sendout_payloads (
    sendout_id text COLLATE "C" PRIMARY KEY,
    body text NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX sendout_payloads_created ON sendout_payloads (created_at);
  CREATE TABLE sendout_attempts (
    sendout_id text COLLATE "C" NOT NULL,
    attempt int NOT NULL,
    target_url text COLLATE "C" NOT NULL,
    started_at timestamptz NOT NULL,
    duration_ms int NOT NULL,
    succeeded boolean NOT NULL,
    http_status int,
    error text,
    response_excerpt text,
    PRIMARY KEY (sendout_id, attempt)
  );
  CREATE INDEX sendout_attempts_started ON sendout_attempts (started_at)`;

/** Tables of endpoints, tokens, public events and sendouts. Source: reference 06 §5. */
export class CreateWebhooks1763700000000 implements MigrationInterface {
  readonly name = 'CreateWebhooks1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [endpoints, tokens, publicEvents, sendouts]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE sendout_attempts, sendout_payloads, sendouts, public_events, webhook_tokens,
      endpoint_headers, endpoints`);
  }
}
