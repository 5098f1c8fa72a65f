import { logLevel } from 'kafkajs';
import { rankedEntry } from './kafka-logging';

const entry = (level: logLevel, message: string, error?: string) => ({
  namespace: 'Connection',
  level,
  label: '',
  log: { timestamp: '', message, ...(error === undefined ? {} : { error }) },
});

describe("kafkajs's log", () => {
  it.each([
    ['Response GroupCoordinator(key: 10, version: 2)', 'The group coordinator is not available'],
    ['Response Heartbeat(key: 12, version: 3)', 'The group is rebalancing, so a rejoin is needed'],
    ['Connection error: connect ECONNREFUSED 127.0.0.1:9092', undefined],
    ['Response CreateTopics(key: 19, version: 3)', 'Topic creation errors'],
    ['Could not create topics', 'This is not the correct controller for this cluster'],
    ['Limiting retries for the idempotent producer may invalidate EoS guarantees', undefined],
  ])('warns of nothing that is tried again: %s', (message, error) => {
    expect(rankedEntry(entry(logLevel.ERROR, message, error)).warning).toBe(false);
  });

  it('warns of what nobody tries again, with its cause', () => {
    const message = 'Response Produce(key: 0, version: 7)';
    const error = 'The request included a message larger than the max message size';
    expect(rankedEntry(entry(logLevel.ERROR, message, error))).toEqual({
      text: `Connection ${message}: ${error}`,
      warning: true,
    });
    expect(rankedEntry(entry(logLevel.INFO, 'anything')).warning).toBe(false);
  });
});
