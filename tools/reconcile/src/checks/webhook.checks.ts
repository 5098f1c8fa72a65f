import type { ContextName } from '@scrip/contracts/registry';
import { type Check, checkEach, checkExists } from '../check';
import type { Source } from '../sorted-rows';

// Public events and payloads are kept for 30 days (reference 06 §5.5); the day before is left out.
const keptDays = 29;

/** Events that cause exactly one public event, by its kind and what it is about. Source: reference 06 §3. */
const told: readonly {
  by: ContextName;
  aggregate: string;
  kinds: readonly (readonly [type: string, kind: string, entity: string, where?: string])[];
}[] = [
  {
    by: 'qualification',
    aggregate: 'redemption',
    kinds: [
      ['RedemptionSucceeded', 'redemption.succeeded', 'stream_id'],
      ['RedemptionFailed', 'redemption.failed', 'stream_id'],
      ['RedemptionRolledBack', 'redemption.rollback.succeeded', `data->'rollback'->>'id'`],
      [
        'RedemptionRollbackFailed',
        'redemption.rollback.failed',
        `data->'rollback'->>'id'`,
        `data->>'announced' IS DISTINCT FROM 'false'`,
      ],
    ],
  },
  {
    by: 'campaigns',
    aggregate: 'voucher',
    kinds: [['VoucherCreated', 'voucher.created', 'stream_id', `data->>'notify' IS DISTINCT FROM 'false'`]],
  },
  {
    by: 'campaigns',
    aggregate: 'campaign',
    kinds: [
      ['CampaignCreated', 'campaign.created', 'stream_id'],
      ['CampaignUpdated', 'campaign.updated', 'stream_id'],
      ['CampaignEnabled', 'campaign.enabled', 'stream_id'],
      ['CampaignDisabled', 'campaign.disabled', 'stream_id'],
    ],
  },
];

/** Since when an endpoint listens to a kind, or to `*`. */
export interface Listener {
  project_id: string;
  kind: string;
  since: string;
}

/** What active endpoints listen to; `key` is a Listener as JSON. */
export const listeners: Source = {
  in: 'webhooks',
  sql: `SELECT jsonb_build_object('project_id', e.project_id, 'kind', s.key, 'since', s.value)::text AS key
    FROM webhooks.endpoints e CROSS JOIN LATERAL jsonb_each_text(e.subscriptions) s
    WHERE e.active AND NOT e.deleted`,
};

// Instants of events are told in milliseconds.
const isHeard = (kind: string, by: readonly Listener[]): string => `
  EXISTS (
    SELECT 1 FROM jsonb_to_recordset('${JSON.stringify(by).replaceAll("'", "''")}')
      AS l(project_id text, kind text, since timestamptz)
    WHERE l.project_id = events.project_id AND l.kind IN ('${kind}', '*')
      AND date_trunc('milliseconds', events.recorded_at) >= l.since)`;

/** `heardBy`: only what they listen to. */
const factsOf = (
  { by, aggregate, kinds }: (typeof told)[number],
  { settleSeconds, heardBy }: { settleSeconds: number; heardBy?: readonly Listener[] },
): Source => ({
  in: by,
  sql: kinds
    .map(
      ([type, kind, entity, where = 'true']) => `
      SELECT '${kind} ' || (${entity}) AS key FROM ${by}.events
      WHERE aggregate = '${aggregate}' AND type = '${type}' AND ${where} AND ${heardBy ? isHeard(kind, heardBy) : 'true'}
        AND recorded_at > now() - interval '${keptDays} days'
        AND recorded_at < now() - interval '${settleSeconds} seconds'`,
    )
    .join(' UNION ALL '),
});

const publicEventsOf = ({ kinds }: (typeof told)[number]): Source => ({
  in: 'webhooks',
  sql: `SELECT kind || ' ' || entity_id AS key FROM webhooks.public_events
    WHERE kind IN (${kinds.map(([, kind]) => `'${kind}'`).join(', ')})
      AND happened_at > now() - interval '${keptDays} days'`,
});

// An endpoint gets facts from its subscription on; deliveries before a change of its subscriptions are not checked.
const owedSendouts = (settleSeconds: number): string => `
  SELECT e.id || ' ' || p.id AS key
  FROM webhooks.endpoints e
  CROSS JOIN LATERAL (
    SELECT key AS kind, value::timestamptz AS since FROM jsonb_each_text(e.subscriptions)) s
  JOIN webhooks.public_events p ON p.project_id = e.project_id AND p.kind = s.kind AND p.happened_at >= s.since
  WHERE e.active AND NOT e.deleted AND s.kind <> '*'
    AND p.created_at BETWEEN now() - interval '${keptDays} days' AND now() - interval '${settleSeconds} seconds'
  UNION
  SELECT e.id || ' ' || p.id FROM webhooks.endpoints e
  JOIN webhooks.public_events p ON p.project_id = e.project_id AND p.happened_at >= (e.subscriptions->>'*')::timestamptz
  WHERE e.active AND NOT e.deleted
    AND p.created_at BETWEEN now() - interval '${keptDays} days' AND now() - interval '${settleSeconds} seconds'`;

const deliveries = (settleSeconds: number): Check =>
  checkEach('each sendout is where its attempts brought it', {
    each: {
      in: 'webhooks',
      sql: `
        SELECT s.id AS key, s.state, s.attempts, coalesce(a.made, 0) AS made, coalesce(a.succeeded, 0) AS succeeded,
          extract(epoch FROM now() - coalesce(s.next_attempt_at, a.last_at, s.created_at))::int AS overdue
        FROM webhooks.sendouts s LEFT JOIN (
          SELECT sendout_id, count(*)::int AS made, (count(*) FILTER (WHERE succeeded))::int AS succeeded,
            max(started_at) AS last_at
          FROM webhooks.sendout_attempts GROUP BY sendout_id
        ) a ON a.sendout_id = s.id
        WHERE s.created_at > now() - interval '${keptDays} days'`,
    },
    problem: ({ state, made, succeeded, overdue }) => {
      const isOpen = state === 'PENDING' || state === 'RETRYING' || state === 'DELIVERING';
      if (isOpen && (overdue as number) > settleSeconds) return `${state}, and due for ${overdue} s`;
      if (state === 'SUCCEEDED' && succeeded === 0) return `SUCCEEDED, but none of ${made} attempts did`;
      return null;
    },
  });

/** Compares facts with public events, and public events with sendouts. */
export const webhookChecks = (settleSeconds: number, heardBy: readonly Listener[]): Check[] => [
  ...told.flatMap((facts) => [
    checkExists(
      `each event of ${facts.aggregate}s that an endpoint listens to has its public event`,
      factsOf(facts, { settleSeconds, heardBy }),
      publicEventsOf(facts),
      'it was not told',
    ),
    checkExists(
      `each public event of ${facts.aggregate}s has its event`,
      publicEventsOf(facts),
      factsOf(facts, { settleSeconds: 0 }),
      'nothing of that kind happened',
    ),
  ]),
  checkExists(
    'each subscribed endpoint has its sendout',
    { in: 'webhooks', sql: owedSendouts(settleSeconds) },
    { in: 'webhooks', sql: `SELECT webhook_id || ' ' || public_event_id AS key FROM webhooks.sendouts` },
    'there is no sendout',
  ),
  deliveries(settleSeconds),
];
