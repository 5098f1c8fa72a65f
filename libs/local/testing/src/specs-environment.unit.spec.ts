import { statSync } from 'node:fs';
import { createRequire } from 'node:module';

interface Environment {
  teardown(): Promise<void>;
}

const SharedRealm = createRequire(__filename)('../../../../tools/jest/environment.cjs') as new (options: {
  projectConfig: object;
}) => Environment;

const projectConfig = { fakeTimers: {}, testEnvironmentOptions: {} };

describe('the environment of a file of specs', () => {
  it('has the globals of Node, whose errors are errors', () => {
    expect(() => statSync('/absent')).toThrow(Error);
  });

  it('brings back globals, variables and listeners when the file ends', async () => {
    const realm = globalThis as Record<string, unknown>;
    const { fetch } = globalThis;
    const { PATH } = process.env;
    const listeners = process.listenerCount('SIGUSR2');

    const environment = new SharedRealm({ projectConfig });
    realm.leftBehind = 1;
    globalThis.fetch = jest.fn();
    process.env.SCRIP_LEFT_BEHIND = '1';
    process.env.PATH = '/absent';
    process.once('SIGUSR2', () => undefined);
    await environment.teardown();

    expect('leftBehind' in realm).toBe(false);
    expect(globalThis.fetch).toBe(fetch);
    expect([process.env.SCRIP_LEFT_BEHIND, process.env.PATH]).toEqual([undefined, PATH]);
    expect(process.listenerCount('SIGUSR2')).toBe(listeners);
  });
});
