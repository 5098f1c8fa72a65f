import {
  type KafkaServer,
  type Scrip,
  createDatabase,
  discard,
  startKafka,
  startScrip,
  waitUntil,
} from '@scrip/testing';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { repositoryRoot } from '../types/source-program';

const program = join(repositoryRoot, 'docs/examples/subscriber.mjs');

interface Subscriber {
  child: ChildProcess;
  /** Lines printed so far: time, redemption, code, log position. Kafka may deliver a message again, for instance when a
   *  new topic's partitions still move; its line is the same then, and counts once. */
  lines(): string[];
}

const subscribe = (brokers: string): Subscriber => {
  const child = spawn(process.execPath, [program, brokers], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // The last part is a line that has not ended yet.
  return { child, lines: () => [...new Set(output.split('\n').slice(0, -1))] };
};

const redeem = async (scrip: Scrip, codes: readonly string[]): Promise<string[]> => {
  const redeemables = codes.map((id) => ({ object: 'voucher', id }));
  const answer = await scrip.ask<{ redemptions: { id: string }[] }>('POST', '/v1/redemptions', {
    redeemables,
  });
  return answer.redemptions.map(({ id }) => id);
};

describe('the subscriber of docs/events.md', () => {
  let kafka: KafkaServer | undefined;
  let scrip: Scrip | undefined;
  let subscriber: Subscriber | undefined;

  beforeAll(async () => {
    // A broker of its own: the example reads the topics under their own names.
    kafka = await startKafka();
    scrip = await startScrip({
      shape: 'distributed',
      databaseUrl: await createDatabase('subscriber'),
      environment: { SCRIP_KAFKA_BROKERS: kafka.brokers },
    });
  }, 240_000);
  afterAll(async () => {
    if (subscriber) {
      subscriber.child.kill('SIGTERM');
      await once(subscriber.child, 'exit');
    }
    if (scrip) await discard(scrip);
    await kafka?.stop();
  }, 60_000);

  it('prints each redemption, the children of a stack without their parent', async () => {
    const running = scrip!;
    const { id } = await running.ask<{ id: string }>('POST', '/v1/campaigns', {
      name: 'Spring',
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
    });
    for (const code of ['ONE', 'TWO', 'THREE'])
      await running.ask('POST', `/v1/campaigns/${id}/vouchers/${code}`, {});
    const single = await redeem(running, ['ONE']);
    const stack = await redeem(running, ['TWO', 'THREE']);
    subscriber = subscribe(kafka!.brokers);
    const { lines } = subscriber;
    await waitUntil(() => lines().length >= 3, { what: 'three redemptions', timeoutMs: 60_000 });
    // What is redeemed from now on arrives while the program runs.
    const later = await redeem(running, ['ONE']);
    await waitUntil(() => lines().length >= 4, { what: 'the fourth redemption', timeoutMs: 60_000 });
    const printed = lines().map((line) => line.split(' '));
    expect(printed.map(([, redemption, code]) => `${redemption} ${code}`).sort()).toEqual(
      [`${single[0]} ONE`, `${stack[0]} TWO`, `${stack[1]} THREE`, `${later[0]} ONE`].sort(),
    );
    for (const [time = '', , , position = ''] of printed) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(position).toMatch(/^\d+-\d+-\d+$/);
    }
  }, 180_000);
});
