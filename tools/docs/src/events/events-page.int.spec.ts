import { toCloudEvent } from '@scrip/messaging';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from './catalogue';
import { type EventTypes, readEventTypes } from './event-types';
import { eventsPage, eventsPageFile } from './events-page';
import { attributes } from './attributes';

const committed = readFileSync(eventsPageFile, 'utf8');

describe('docs/events.md', () => {
  let types: EventTypes;

  beforeAll(() => {
    types = readEventTypes();
  }, 60_000);

  it('is what topics, types and golden files say (npm run docs:events)', async () => {
    expect(await eventsPage(types)).toBe(committed);
  }, 60_000);

  it('tells about every event of contracts', () => {
    const told = [...new Set(Object.values(catalogue).map(({ events }) => events))];
    expect([...types.unions.keys()].sort()).toEqual(told.sort());
  });

  it('reads a topic that has one event', () => {
    const { unions } = readEventTypes([join(__dirname, 'one-event.fixture.ts')]);
    expect([...unions]).toEqual([
      [
        'ThingEvent',
        {
          meaning: 'Everything that happens to a thing: one event, as a new feature begins.',
          events: [
            {
              name: 'ThingMade',
              meaning: 'Something was made.',
              data: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
            },
          ],
        },
      ],
    ]);
  }, 60_000);

  it('says what each event means', () => {
    const mute = [...types.unions.values()]
      .flatMap(({ meaning, events }) => [{ name: 'a topic', meaning }, ...events])
      .filter(({ meaning }) => meaning === '');
    expect(mute).toEqual([]);
  });

  it('names exactly the attributes that messages have', () => {
    const required = { correlation_id: 'v-1', channel: 'API' };
    const event = {
      id: '0190f000-0000-7000-8000-000000000001',
      type: 'VoucherCreated',
      schemaVersion: 1,
      service: 'campaigns',
      aggregate: 'voucher',
      projectId: 'proj_1',
      streamId: 'v_1',
      version: 1,
      position: '1-1-1',
      recordedAt: '2026-03-31T10:00:00.000Z',
      data: {},
      metadata: {
        ...required,
        causation_id: '1',
        actor_id: '1',
        api_key_id: '1',
        api_key_name: '1',
        traceparent: '1',
      },
    };
    const attributesOf = (metadata: typeof event.metadata | typeof required): string[] =>
      Object.keys(toCloudEvent({ ...event, metadata }));
    const named = attributes.map(({ attribute }) => attribute);
    expect(attributesOf(event.metadata).sort()).toEqual([...named].sort());
    const always = attributes.filter((one) => one.always).map(({ attribute }) => attribute);
    expect(attributesOf(required).sort()).toEqual(always.sort());
  });

  it('shows a subscriber of at most 20 lines', () => {
    const [, shown = ''] = /```js\n([\s\S]*?)```/.exec(committed) ?? [];
    expect(shown.trim().split('\n').length).toBeGreaterThan(5);
    expect(shown.trim().split('\n').length).toBeLessThanOrEqual(20);
  });
});
