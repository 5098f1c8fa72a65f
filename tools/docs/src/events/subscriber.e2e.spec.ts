import { type ScripProject, sharedScrip, waitUntil } from '@scrip/testing';
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

const subscribe = (brokers: string, topic: string): Subscriber => {
  const child = spawn(process.execPath, [program, brokers, topic], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // The last part is a line that has not ended yet.
  return { child, lines: () => [...new Set(output.split('\n').slice(0, -1))] };
};

interface Redeemed {
  redemptions: { id: string }[];
  /** Of a stack. */
  parent_redemption?: { id: string };
}

const redeem = async (scrip: ScripProject, codes: readonly string[]): Promise<Redeemed> => {
  const redeemables = codes.map((id) => ({ object: 'voucher', id }));
  return scrip.ask('POST', '/v1/redemptions', { redeemables });
};

describe('the subscriber of docs/events.md', () => {
  let subscriber: Subscriber | undefined;

  afterAll(async () => {
    if (!subscriber) return;
    const ended = once(subscriber.child, 'exit');
    subscriber.child.kill('SIGTERM');
    await ended;
  }, 60_000);

  it('prints each redemption, the children of a stack without their parent', async () => {
    const running = await sharedScrip();
    const { brokers, namespace } = running.kafka!;
    const campaign = await running.ask<{ id: string }>('POST', '/v1/campaigns', {
      name: 'Spring',
      campaign_type: 'DISCOUNT_COUPONS',
      voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
    });
    for (const code of ['ONE', 'TWO', 'THREE'])
      await running.ask('POST', `/v1/campaigns/${campaign.id}/vouchers/${code}`, {});
    const single = await redeem(running, ['ONE']);
    const stack = await redeem(running, ['TWO', 'THREE']);
    subscriber = subscribe(brokers, `${namespace}.scrip.qualification.redemption.v1`);
    // Other projects redeem too.
    const own = new Set(
      [...single.redemptions, ...stack.redemptions, stack.parent_redemption!].map(({ id }) => id),
    );
    const lines = () => subscriber!.lines().filter((line) => own.has(line.split(' ')[1] ?? ''));
    await waitUntil(() => lines().length >= 3, { what: 'three redemptions' });
    // What is redeemed from now on arrives while the program runs.
    const later = await redeem(running, ['ONE']);
    own.add(later.redemptions[0]!.id);
    await waitUntil(() => lines().length >= 4, { what: 'the fourth redemption' });
    const printed = lines().map((line) => line.split(' '));
    expect(printed.map(([, redemption, code]) => `${redemption} ${code}`).sort()).toEqual(
      [
        `${single.redemptions[0]!.id} ONE`,
        `${stack.redemptions[0]!.id} TWO`,
        `${stack.redemptions[1]!.id} THREE`,
        `${later.redemptions[0]!.id} ONE`,
      ].sort(),
    );
    for (const [time = '', , , position = ''] of printed) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(position).toMatch(/^\d+-\d+-\d+$/);
    }
  }, 300_000);
});
