import type { Offer } from '../offer';
import { offerKafka } from './kafka-offer';
import type { KafkaSource } from './kafka-source';

const source = (name: string, brokers: string | Error, log: string[]): KafkaSource => ({
  name,
  prepare: async () => undefined,
  start: async () => {
    log.push(`${name} started`);
    if (brokers instanceof Error) throw brokers;
    return { brokers, stop: async () => void log.push(`${name} stopped`) };
  },
});

describe('offerKafka', () => {
  let offer: Offer;
  let log: string[];
  beforeEach(() => {
    log = [];
  });
  afterEach(() => offer.stop());

  const asked = async (): Promise<[number, string]> => {
    const answer = await fetch(offer.url);
    return [answer.status, await answer.text()];
  };

  it('starts a broker for the first who asks, and stops it in the end', async () => {
    offer = await offerKafka([source('container', 'a:1', log), source('local', 'b:2', log)]);
    expect(log).toEqual([]);
    expect(await Promise.all([asked(), asked()])).toEqual([
      [200, 'a:1'],
      [200, 'a:1'],
    ]);
    await offer.stop();
    expect(log).toEqual(['container started', 'container stopped']);
  });

  it('takes the next source where one fails', async () => {
    offer = await offerKafka([source('container', new Error('no space'), log), source('local', 'b:2', log)]);
    expect(await asked()).toEqual([200, 'b:2']);
  });

  it('says why there is none', async () => {
    offer = await offerKafka([
      source('container', new Error('no space'), log),
      source('local', new Error('java is not there'), log),
    ]);
    const [status, text] = await asked();
    expect(status).toBe(503);
    expect(text).toMatch(/^no Kafka for these tests.*\ncontainer: no space\nlocal: java is not there$/);
  });
});
