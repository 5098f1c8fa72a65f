import { parseTopic, topicOf } from './topic-name';

describe('topic names', () => {
  it('say service, aggregate and major version', () => {
    const name = { service: 'campaigns', aggregate: 'voucher', major: 1 };
    expect(topicOf(name)).toBe('scrip.campaigns.voucher.v1');
    expect(parseTopic('scrip.campaigns.voucher.v1')).toEqual(name);
  });

  it.each([
    'campaigns.voucher.v1',
    'scrip.campaigns.v1',
    'scrip.campaigns.voucher',
    'scrip.campaigns.voucher.v1.dlq.x',
  ])('%s is none', (topic) => {
    expect(() => parseTopic(topic)).toThrow(new TypeError(`not a topic: ${topic}`));
  });
});
