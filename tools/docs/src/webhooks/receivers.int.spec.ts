import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { waitUntil } from '@scrip/testing';
import { Webhook } from 'standardwebhooks';
import { repositoryRoot } from '../types/source-program';

const token = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const otherToken = 'whsec_HxAREhMUFRYXGBkaGxwdHh8AAQIDBAUGBwgJCgsMDQ4=';
const hasPython = spawnSync('python3', ['--version']).status === 0;

interface Delivery {
  id: string;
  at?: Date;
  tokens?: readonly string[];
  /** What is sent instead of what was signed. */
  sent?: string;
}

const bodyOf = (id: string): string =>
  JSON.stringify({ id, type: 'voucher.created', data: { name: 'Łódź' }, event: { entity_id: `v_${id}` } });

describe.each([
  ['Node', process.execPath, 'webhook-receiver.mjs', true],
  ['Python', 'python3', 'webhook_receiver.py', hasPython],
] as const)('the receiver of docs/webhooks.md in %s', (_, program, file, isThere) => {
  // Python is no part of what Scrip needs.
  const test = isThere ? it : it.skip;
  let child: ChildProcess | undefined;
  let output = '';
  /** Whole ones: the last part is one that has not ended. */
  const lines = (): string[] =>
    output
      .split('\n')
      .slice(0, -1)
      .filter((line) => !line.startsWith('ready'));

  beforeAll(async () => {
    if (!isThere) return;
    child = spawn(program, [join(repositoryRoot, 'docs/examples', file), '0'], {
      env: { ...process.env, FORCE_COLOR: '0', WEBHOOK_TOKEN: token },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await waitUntil(() => /^ready \d+\n/m.test(output), { what: 'the receiver' });
  }, 60_000);
  afterAll(async () => {
    if (!child) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  const deliver = async ({ id, at = new Date(), tokens = [token], sent }: Delivery): Promise<number> => {
    const [, port] = /^ready (\d+)$/m.exec(output)!;
    const body = bodyOf(id);
    const { status } = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': tokens.map((one) => new Webhook(one).sign(id, at, body)).join(' '),
      },
      body: sent ?? body,
    });
    return status;
  };

  test('takes what is signed, and prints each delivery once', async () => {
    expect(await deliver({ id: 'whs_1' })).toBe(204);
    expect(await deliver({ id: 'whs_1' })).toBe(204);
    expect(await deliver({ id: 'whs_2' })).toBe(204);
    await waitUntil(() => lines().length >= 2, { what: 'two lines' });
    expect(lines()).toEqual(['voucher.created v_whs_1', 'voucher.created v_whs_2']);
  });

  test('takes two signatures while a rotated token lasts', async () => {
    expect(await deliver({ id: 'whs_3', tokens: [otherToken, token] })).toBe(204);
  });

  test.each<[string, Delivery]>([
    ['signed with another token', { id: 'whs_4', tokens: [otherToken] }],
    ['changed on its way', { id: 'whs_5', sent: bodyOf('whs_6') }],
    ['older than five minutes', { id: 'whs_7', at: new Date(Date.now() - 301_000) }],
    ['without a signature', { id: 'whs_8', tokens: [] }],
  ])('refuses what is %s', async (__, delivery) => {
    expect(await deliver(delivery)).toBe(401);
  });
});
