import { kafkaAnswers } from '@scrip/local-kafka';
import { kafkaBrokers } from './kafka-brokers';

describe('kafkaBrokers', () => {
  it('names one running cluster to everybody who asks', async () => {
    const [first, second] = await Promise.all([kafkaBrokers(), kafkaBrokers()]);
    expect(first).toMatch(/^[^:]+:\d+$/);
    expect(second).toBe(first);
    expect(await kafkaAnswers(first)).toBe(true);
  });
});
