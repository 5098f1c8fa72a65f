import { Fault } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import type { DeadLetter } from '../parking/dead-letter';
import type { EventBatch } from '../feed/event-batch';
import {
  type AdapterHarness,
  type Handle,
  type InstanceOptions,
  type Note,
  type RunningInstance,
  type TestConsumer,
  startInstance,
  writeNotes,
} from './adapter-harness.fixture';

const notesOf = (stream: string, from: number, to: number): Note[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ stream, number: from + index }));

const numbers = (from: number, to: number): number[] => notesOf('', from, to).map(({ number }) => number);

const streamsOf = (batch: EventBatch): string[] => batch.events.map(({ streamId }) => streamId);

const write: Handle = (batch) => batch.commit((manager) => writeNotes(manager, batch));

/** A door that a handler waits at until the test opens it. */
const door = () => {
  let open: () => void = () => undefined;
  let reached: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const someoneWaits = new Promise<void>((resolve) => (reached = resolve));
  return { open, someoneWaits, pass: () => (reached(), opened) };
};

/** What every adapter of the event bus must do, whatever carries the events. Source: architecture §5, §6, reference 06 §9. */
export const describeEventAdapter = (name: string, createHarness: () => Promise<AdapterHarness>): void => {
  describe(`${name}: every adapter of the event bus`, () => {
    let harness: AdapterHarness;
    let running: RunningInstance[] = [];

    beforeEach(async () => {
      harness = await createHarness();
      running = [];
    });
    afterEach(async () => {
      await Promise.all(running.map((instance) => instance.stop()));
      await harness.close();
    });

    const consumer = (
      handle: Handle = write,
      options: Partial<TestConsumer['options']> = {},
    ): TestConsumer => ({
      topics: harness.topics[0],
      options: { group: 'stats.notes', ...options },
      handle,
    });
    const start = async (
      consumers: TestConsumer[],
      options: Partial<InstanceOptions> = {},
    ): Promise<RunningInstance> => {
      const instance = await startInstance(harness, consumers, options);
      running.push(instance);
      return instance;
    };
    const noted = async (stream: string, reader = 'stats.notes'): Promise<number[]> => {
      const rows = await harness.database.query<{ number: number }[]>(
        `SELECT number FROM noted WHERE stream = $1 AND reader = $2 ORDER BY place`,
        [stream, reader],
      );
      return rows.map(({ number }) => number);
    };
    const untilNoted = (stream: string, count: number, reader?: string): Promise<unknown> =>
      waitUntil(async () => (await noted(stream, reader)).length >= count, {
        what: `${count} notes of ${stream}`,
      });
    const parked = async (instance: RunningInstance): Promise<{ keys: number; events: number }> => {
      const all = await instance.transport.consumerStatus();
      return {
        keys: all.reduce((sum, { parkedKeys }) => sum + parkedKeys, 0),
        events: all.reduce((sum, { parkedEvents }) => sum + parkedEvents, 0),
      };
    };
    const untilParked = (instance: RunningInstance, keys: number, events: number): Promise<unknown> =>
      waitUntil(
        async () => {
          const now = await parked(instance);
          const retrying = await harness.database.query(`SELECT 1 FROM parked_keys WHERE state <> 'PARKED'`);
          return now.keys === keys && now.events === events && retrying.length === 0;
        },
        { what: `${keys} keys with ${events} events parked` },
      );

    it('delivers each stream in order, and each event once', async () => {
      await start([consumer()]);
      await harness.publish(
        numbers(1, 40).flatMap((number) => [
          { stream: 'a', number },
          { stream: 'b', number },
        ]),
      );
      await untilNoted('a', 40);
      await untilNoted('b', 40);
      expect(await noted('a')).toEqual(numbers(1, 40));
      expect(await noted('b')).toEqual(numbers(1, 40));
    });

    it('hands over sets of at most 500', async () => {
      const sizes: number[] = [];
      await harness.publish(notesOf('a', 1, 1_200));
      await start([consumer((batch) => (sizes.push(batch.events.length), write(batch)))]);
      await untilNoted('a', 1_200);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
      expect(sizes.length).toBeLessThan(100);
      expect(await noted('a')).toEqual(numbers(1, 1_200));
    });

    it('gives every group all events, each topic its own order', async () => {
      const both = consumer(write, { group: 'stats.both' });
      await start([consumer(), { ...both, topics: harness.topics }]);
      await harness.publish(notesOf('a', 1, 3));
      await harness.publish(notesOf('x', 1, 2), harness.topics[1]);
      await untilNoted('a', 3);
      await untilNoted('a', 3, 'stats.both');
      await untilNoted('x', 2, 'stats.both');
      expect(await noted('a', 'stats.both')).toEqual([1, 2, 3]);
      expect(await noted('x')).toEqual([]);
    });

    it('stores effect and position together: a batch that fails after its effect leaves neither', async () => {
      let failures = 2;
      const handle: Handle = (batch) =>
        batch.commit(async (manager) => {
          await writeNotes(manager, batch);
          if ((failures -= 1) >= 0) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
        });
      const instance = await start([consumer(handle)]);
      await harness.publish(notesOf('a', 1, 3));
      await untilNoted('a', 3);
      expect(await noted('a')).toEqual([1, 2, 3]);
      expect(await parked(instance)).toEqual({ keys: 0, events: 0 });
    });

    it('moves on when a handler has no effect to store', async () => {
      let calls = 0;
      const first = await start([consumer(async () => void (calls += 1))]);
      await harness.publish(notesOf('a', 1, 1));
      await waitUntil(() => calls === 1, { what: 'the handler to be called' });
      await first.stop();
      await start([consumer()]);
      await harness.publish(notesOf('a', 2, 2));
      await untilNoted('a', 1);
      expect(await noted('a')).toEqual([2]);
    });

    it('drops what is delivered again', async () => {
      harness.deliverTwice();
      await start([consumer()]);
      await harness.publish(notesOf('a', 1, 30));
      await harness.publish(notesOf('b', 1, 30));
      await harness.publish(notesOf('last', 1, 1));
      await untilNoted('last', 1);
      expect(await noted('a')).toEqual(numbers(1, 30));
      expect(await noted('b')).toEqual(numbers(1, 30));
    });

    it('resumes after a restart where it stopped', async () => {
      const first = await start([consumer()]);
      await harness.publish(notesOf('a', 1, 5));
      await untilNoted('a', 5);
      await first.stop();
      await harness.publish(notesOf('a', 6, 10));
      await start([consumer()]);
      await untilNoted('a', 10);
      expect(await noted('a')).toEqual(numbers(1, 10));
    });

    it('starts a new group at the beginning, or now where it asks for that', async () => {
      await harness.publish(notesOf('a', 1, 2));
      const first = await start([consumer()]);
      await untilNoted('a', 2);
      await first.stop();
      const second = await start([consumer(), consumer(write, { group: 'stats.new', from: 'now' })]);
      const running = () =>
        second.transport.consumerStatus().then((all) => all.filter((one) => one.running).length);
      await waitUntil(async () => (await running()) === 2, { what: 'both groups to run' });
      await harness.publish(notesOf('a', 3, 3));
      await untilNoted('a', 1, 'stats.new');
      expect(await noted('a', 'stats.new')).toEqual([3]);
    });

    describe('a key that fails', () => {
      let healed: boolean;
      const picky: Handle = async (batch) => {
        if (!healed && streamsOf(batch).includes('poison')) throw new TypeError('poison cannot be noted');
        await write(batch);
      };

      beforeEach(() => {
        healed = false;
      });

      it('is parked with its successors while neighbours proceed', async () => {
        const letters: DeadLetter[] = [];
        const mirror = async (some: readonly DeadLetter[]): Promise<void> => void letters.push(...some);
        const instance = await start([consumer(picky)], { mirror });
        const mixed = ['a', 'poison', 'b', 'poison', 'a'].map((stream, index) => ({
          stream,
          number: index + 1,
        }));
        await harness.publish(mixed);
        await untilNoted('a', 2);
        await untilNoted('b', 1);
        await harness.publish([...notesOf('poison', 6, 6), ...notesOf('c', 1, 1)]);
        await untilNoted('c', 1);
        await untilParked(instance, 1, 3);
        await waitUntil(() => letters.length === 3, { what: 'three dead letters' });
        expect(await noted('a')).toEqual([1, 5]);
        expect(await noted('poison')).toEqual([]);
        expect(letters.map(({ content }) => (JSON.parse(content) as { data: Note }).data.number)).toEqual([
          2, 4, 6,
        ]);
        expect(letters[0]).toMatchObject({
          group: 'stats.notes',
          topic: harness.topics[0],
          error: 'TypeError: poison cannot be noted',
          attempts: 4,
          decoded: true,
        });
      });

      it('is applied once by replay, in order, however often it is replayed', async () => {
        const instance = await start([consumer(picky)]);
        await harness.publish(notesOf('poison', 1, 3));
        await untilParked(instance, 1, 3);
        healed = true;
        await Promise.all([
          instance.transport.replayParked({ group: 'stats.notes' }),
          instance.transport.replayParked({ group: 'stats.notes', topic: harness.topics[0] }),
        ]);
        expect(await instance.transport.replayParked({ group: 'stats.notes' })).toEqual([]);
        await harness.publish(notesOf('poison', 4, 4));
        await untilNoted('poison', 4);
        expect(await noted('poison')).toEqual([1, 2, 3, 4]);
        expect(await parked(instance)).toEqual({ keys: 0, events: 0 });
      });

      it('may be replayed by a process that does not consume the topic, beside the one that does', async () => {
        const first = await start([consumer(picky)]);
        await harness.publish(notesOf('poison', 1, 3));
        await untilParked(first, 1, 3);
        const second = await start([consumer(picky)]);
        healed = true;
        await Promise.all(
          [first, second].map(({ transport }) => transport.replayParked({ group: 'stats.notes' })),
        );
        await harness.publish(notesOf('poison', 4, 4));
        await untilNoted('poison', 4);
        expect(await noted('poison')).toEqual([1, 2, 3, 4]);
      });

      it('answers a replay that fails again with the reason, and keeps the events', async () => {
        const instance = await start([consumer(picky)]);
        await harness.publish(notesOf('poison', 1, 2));
        await untilParked(instance, 1, 2);
        expect(await instance.transport.replayParked({ group: 'stats.notes' })).toEqual([
          expect.objectContaining({ applied: 0, error: 'TypeError: poison cannot be noted' }),
        ]);
        expect(await parked(instance)).toEqual({ keys: 1, events: 2 });
      });

      it('is tried again by itself when its time has come', async () => {
        const retries = { triesMs: [5, 5, 5], parkedMs: [50] };
        const instance = await start([consumer(picky)], { retries });
        await harness.publish(notesOf('poison', 1, 3));
        await untilParked(instance, 1, 3);
        healed = true;
        await untilNoted('poison', 3);
        await untilParked(instance, 0, 0);
        expect(await noted('poison')).toEqual([1, 2, 3]);
      });

      it('stays parked over a restart, and its successors wait behind it', async () => {
        const first = await start([consumer(picky)]);
        await harness.publish(notesOf('poison', 1, 1));
        await untilParked(first, 1, 1);
        await first.stop();
        healed = true;
        const second = await start([consumer(picky)]);
        await harness.publish(notesOf('poison', 2, 2));
        await untilParked(second, 1, 2);
        await second.transport.replayParked({ group: 'stats.notes', key: await keyOfPoison() });
        expect(await noted('poison')).toEqual([1, 2]);
      });

      const keyOfPoison = async (): Promise<string> => {
        const [row] = await harness.database.query<{ key: string }[]>(`SELECT key FROM parked_keys`);
        return row?.key ?? 'none';
      };
    });

    it('hands an event of an older schema version over in the newest, also when it was parked in the older', async () => {
      let healed = false;
      const versions: number[] = [];
      const handle: Handle = async (batch) => {
        if (!healed && streamsOf(batch).includes('late')) throw new TypeError('not yet');
        versions.push(...batch.events.map(({ schemaVersion }) => schemaVersion));
        await write(batch);
      };
      const instance = await start([consumer(handle)]);
      await harness.publishOld({ stream: 'a', number: 7 });
      await harness.publishOld({ stream: 'late', number: 8 });
      await untilNoted('a', 1);
      await untilParked(instance, 1, 1);
      await harness.database.query(
        `UPDATE parked_events SET event =
           jsonb_set(event::jsonb || '{"schemaVersion": 1}', '{data}', '{"stream": "late", "no": 8}')::text`,
      );
      healed = true;
      await instance.transport.replayParked({ group: 'stats.notes' });
      expect([await noted('a'), await noted('late'), versions]).toEqual([[7], [8], [2, 2]]);
    });

    it('parks at once what cannot be decoded, and what follows under its key', async () => {
      const instance = await start([consumer()]);
      await harness.publish(notesOf('a', 1, 1));
      await harness.publishUndecodable('broken');
      await harness.publish([...notesOf('broken', 2, 2), ...notesOf('a', 2, 2)]);
      await untilNoted('a', 2);
      await untilParked(instance, 1, 2);
      expect(await noted('broken')).toEqual([]);
      expect(await harness.database.query(`SELECT state, attempts FROM parked_keys`)).toEqual([
        { state: 'PARKED', attempts: 1 },
      ]);
    });

    it('holds its place while something that the handler needs is away, and parks no key', async () => {
      let away = true;
      const handle: Handle = async (batch) => {
        if (away) throw new Fault('unavailable', 'the customers are away');
        await write(batch);
      };
      let calls = 0;
      const retries = { triesMs: [5, 5, 5], parkedMs: [3_600_000] };
      const instance = await start([consumer((batch) => ((calls += 1), handle(batch)))], { retries });
      await harness.publish(numbers(1, 30).map((number) => ({ stream: `s${number}`, number })));
      await waitUntil(() => calls > 20, { what: 'more tries than one outage gets' });
      expect(await parked(instance)).toEqual({ keys: 0, events: 0 });
      away = false;
      await waitUntil(async () => (await harness.database.query(`SELECT 1 FROM noted`)).length === 30, {
        what: 'all to be noted',
      });
      expect(await parked(instance)).toEqual({ keys: 0, events: 0 });
      expect(await harness.database.query(`SELECT stream FROM noted GROUP BY 1 HAVING count(*) > 1`)).toEqual(
        [],
      );
    });

    it('never applies twice with two processes, also when one is killed in a transaction', async () => {
      const gate = door();
      const doomed = await start([
        consumer((batch) =>
          batch.commit(async (manager) => {
            await writeNotes(manager, batch);
            if (batch.events.some(({ data }) => (data as Note).number >= 50)) await gate.pass();
          }),
        ),
      ]);
      await harness.publish(notesOf('a', 1, 10));
      await untilNoted('a', 10);
      await start([consumer()]);
      await harness.publish(notesOf('a', 11, 100));
      await gate.someoneWaits;
      await doomed.kill();
      await untilNoted('a', 100);
      gate.open();
      await harness.publish(notesOf('a', 101, 101));
      await untilNoted('a', 101);
      expect(await noted('a')).toEqual(numbers(1, 101));
    });

    it('lets a running batch end when it is stopped, and begins no other', async () => {
      const gate = door();
      let calls = 0;
      const instance = await start([
        consumer(async (batch) => {
          calls += 1;
          await gate.pass();
          await write(batch);
        }),
      ]);
      await harness.publish(notesOf('a', 1, 1));
      await gate.someoneWaits;
      await harness.publish(notesOf('b', 1, 1));
      let stopped = false;
      const stopping = instance.stop().then(() => (stopped = true));
      await new Promise(setImmediate);
      expect(stopped).toBe(false);
      gate.open();
      await stopping;
      expect(await noted('a')).toEqual([1]);
      expect(calls).toBe(1);
    });

    it('does not wait for ever for a batch that does not end', async () => {
      const gate = door();
      const instance = await start([consumer(() => gate.pass())], { stopTimeoutMs: 50 });
      await harness.publish(notesOf('a', 1, 1));
      await gate.someoneWaits;
      await instance.stop();
      expect(await noted('a')).toEqual([]);
      gate.open();
    });
  });
};
