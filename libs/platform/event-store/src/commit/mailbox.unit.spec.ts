import { internalContext } from '@scrip/kernel';
import { Mailbox } from './mailbox';
import { PendingCommand } from './pending-command';

type Anything = PendingCommand<number, { type: string; data: object }>;

const context = internalContext({} as never);
const member = (): Anything =>
  PendingCommand.of('ticket', { context, streamId: 's', decide: () => ({ events: [], answer: 0 }) });
const exclusive = (): Anything =>
  PendingCommand.locked('ticket', {
    context,
    streamId: 's',
    decide: () => Promise.resolve({ events: [], answer: 0 }),
  });

const beside = (): Anything =>
  PendingCommand.locked('ticket', {
    context,
    streamId: 's',
    sideRows: { of: { table: 't', key: [], load: () => Promise.resolve([]), idOf: () => '' }, ids: [] },
    decide: () => ({ events: [], answer: 0 }),
  });

const run = async (members: readonly Anything[]): Promise<number[]> => {
  const sizes: number[] = [];
  await new Promise<void>((emptied) => {
    const mailbox = new Mailbox<number, { type: string; data: object }>((batch) => {
      sizes.push(batch.length);
      return Promise.resolve();
    }, emptied);
    for (const each of members) mailbox.add(each);
  });
  return sizes;
};

describe('a mailbox', () => {
  it('hands over together what arrives together, at most 256', async () => {
    expect(await run(Array.from({ length: 64 }, member))).toEqual([64]);
    expect(await run(Array.from({ length: 600 }, member))).toEqual([256, 256, 88]);
  });

  it('keeps the order and lets exclusive members go alone', async () => {
    expect(await run([member(), member(), exclusive(), exclusive(), member()])).toEqual([2, 1, 1, 1]);
  });

  it('hands commands with side rows over together with the others', async () => {
    expect(await run([member(), beside(), beside(), member(), exclusive()])).toEqual([4, 1]);
  });

  it('drops members that were answered while they waited', async () => {
    const expired = member();
    expired.answerWith({ answer: 'gone' });
    expect(await run([member(), expired, member()])).toEqual([2]);
  });

  it('collects while a batch is in flight', async () => {
    const sizes: number[] = [];
    const box: { mailbox?: Mailbox<number, { type: string; data: object }> } = {};
    await new Promise<void>((emptied) => {
      box.mailbox = new Mailbox((batch) => {
        if (sizes.push(batch.length) === 1)
          for (let more = 0; more < 5; more += 1) box.mailbox!.add(member());
        return Promise.resolve();
      }, emptied);
      box.mailbox.add(member());
    });
    expect(sizes).toEqual([1, 5]);
  });
});
