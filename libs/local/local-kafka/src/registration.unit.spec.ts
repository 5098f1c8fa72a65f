import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register, runningBroker, unregister } from './registration';

describe('the registration of a broker', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scrip-registration-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is nobody where none ever ran, or the file is half written', () => {
    expect(runningBroker(folder)).toBeNull();
    writeFileSync(join(folder, 'broker.json'), '{"pid":');
    expect(runningBroker(folder)).toBeNull();
  });

  it('does not take a stranger for the broker, who has its number now', () => {
    register(folder, { pid: process.pid, port: 9092, ownerPid: null });
    expect(runningBroker(folder)).toBeNull();
  });

  it('is forgotten with its own broker, not with an earlier one', () => {
    const isRegistered = () => existsSync(join(folder, 'broker.json'));
    register(folder, { pid: 2, port: 9092, ownerPid: null });
    unregister(folder, 1);
    expect(isRegistered()).toBe(true);
    unregister(folder, 2);
    expect(isRegistered()).toBe(false);
    unregister(folder, 2);
  });
});
