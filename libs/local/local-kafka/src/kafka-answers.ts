import { Kafka, logLevel } from 'kafkajs';

/** Whether a cluster behind these brokers (`host:port`, comma-separated) tells of itself, that is, takes clients. Asks
 *  once, for at most `timeoutMs`. */
export const kafkaAnswers = async (brokers: string, timeoutMs = 1_000): Promise<boolean> => {
  const admin = new Kafka({
    brokers: brokers.split(','),
    clientId: 'scrip-probe',
    connectionTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    retry: { retries: 0 },
    logLevel: logLevel.NOTHING,
  }).admin();
  try {
    await admin.connect();
    return (await admin.describeCluster()).brokers.length > 0;
  } catch {
    return false; // Starting, or gone: the caller asks again or gives up.
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
};
