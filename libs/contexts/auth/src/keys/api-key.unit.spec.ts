import { changedApiKey, type StoredApiKey } from './api-key';

const key: StoredApiKey = {
  ...{
    id: 'eu1-1',
    kind: 'server',
    name: 'Till',
    role: 'USER',
    integration: false,
    blocked: false,
    allowed_ips: [],
  },
  ...{ created_at: new Date('2026-03-31'), last_used_at: null },
};

const issued = (changed: object) => ({
  type: 'IssueKey',
  key: { key_id: 'eu1-1', kind: 'server', name: 'Till', role: 'USER', ...changed },
});
const revoked = { type: 'RevokeKey', key_id: 'eu1-1' };

describe('a change of a key', () => {
  test.each([
    ['nothing', key, {}, [], []],
    ['the same', key, { name: 'Till', role: 'USER', blocked: false, allowed_ips: [] }, [], []],
    ['a name', key, { name: 'Desk' }, [issued({ name: 'Desk' })], ['api_key.updated']],
    ['a role', key, { role: 'VIEWER' }, [issued({ role: 'VIEWER' })], ['api_key.updated']],
    ['addresses', key, { allowed_ips: ['192.0.2.1'] }, [], ['key.restricted']],
    ['a block', key, { blocked: true }, [revoked], ['key.blocked']],
    ['the end of a block', { ...key, blocked: true }, { blocked: false }, [issued({})], ['key.admitted']],
    ['a name under a block', { ...key, blocked: true }, { name: 'Desk' }, [revoked], ['api_key.updated']],
    [
      'everything',
      key,
      { name: 'Desk', role: 'VIEWER', blocked: true, allowed_ips: ['192.0.2.1'] },
      [revoked],
      ['api_key.updated', 'key.restricted', 'key.blocked'],
    ],
  ] as const)('to %s is told and noted', (_, before, change, commands, actions) => {
    const changed = changedApiKey(before as StoredApiKey, change as object);
    expect(changed.key).toEqual({ ...before, ...change });
    expect(changed.commands).toEqual(commands);
    expect(changed.facts.map(({ action }) => action)).toEqual(actions);
  });
});
