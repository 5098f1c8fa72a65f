import { internalContext, noDeadline } from './request-context';

const project = {
  id: 'proj_1',
  name: 'Shop',
  timezone: 'UTC',
  currency: 'EUR',
  caseSensitiveCodes: true,
  apiVersion: 'v2018-08-01',
  webhookVersion: 'v2024-01-01',
  cluster: 'eu1',
};

describe('internalContext', () => {
  it('acts for nobody, without a deadline', () => {
    expect(internalContext(project, 'v-1')).toStrictEqual({
      requestId: 'v-1',
      project,
      channel: 'INTERNAL',
      apiKey: null,
      user: null,
      role: null,
      scopes: null,
      deadlineAt: noDeadline,
      traceparent: null,
    });
  });

  it('survives JSON', () => {
    const context = internalContext(project);
    expect(JSON.parse(JSON.stringify(context))).toStrictEqual(context);
  });

  it('gets a request id of its own when none is given', () => {
    expect(internalContext(project).requestId).toMatch(/^v-[0-9a-f]{18}$/);
  });
});
