import { Logger } from '@nestjs/common';
import { AddressBook } from './address-book';
import type { SocketAddress } from './port-connection';

const names = [
  { host: 'campaigns', port: 7001 },
  { host: '10.0.0.9', port: 7002 },
];

let answer: () => Promise<string[]>;
const seen: SocketAddress[][] = [];
let book: AddressBook;
const open = () =>
  (book = new AddressBook(
    names,
    () => answer(),
    5_000,
    (addresses) => seen.push(addresses),
  ));
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  seen.length = 0;
});
afterEach(() => {
  book.close();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('an address book', () => {
  it('knows all addresses of a name, beside those given as such', async () => {
    answer = async () => ['10.0.0.1', 'fd00::1'];
    open();
    await pass(0);
    expect(seen).toEqual([
      [
        { ip: '10.0.0.1', port: 7001 },
        { ip: 'fd00::1', port: 7001 },
        { ip: '10.0.0.9', port: 7002 },
      ],
    ]);
  });

  it('looks again every 5 s', async () => {
    answer = async () => ['10.0.0.1'];
    open();
    await pass(0);
    answer = async () => ['10.0.0.2'];
    await pass(4_999);
    expect(seen).toHaveLength(1);
    await pass(1);
    expect(seen[1]?.[0]).toEqual({ ip: '10.0.0.2', port: 7001 });
  });

  it('keeps what it knew while the name server is away, asks each second, and says so once', async () => {
    answer = async () => ['10.0.0.1'];
    open();
    await pass(0);
    answer = () => Promise.reject(new Error('EAI_AGAIN'));
    await pass(8_000);
    expect(seen).toHaveLength(5);
    expect(seen.every(([first]) => first?.ip === '10.0.0.1')).toBe(true);
    expect(Logger.prototype.warn).toHaveBeenCalledTimes(1);
  });

  it('tells nobody after its close, and leaves no timer behind', async () => {
    answer = async () => ['10.0.0.1'];
    open();
    book.close();
    await pass(10_000);
    expect(seen).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
