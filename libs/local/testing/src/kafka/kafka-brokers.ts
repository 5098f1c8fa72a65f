import { takeOffer } from '../offer';

/** Environment variable with the brokers that this test run uses; set by hand, it replaces those started for the run. */
export const brokersVariable = 'SCRIP_TEST_KAFKA_BROKERS';

/** Where a suite asks for brokers while that variable is not set. */
export const offerVariable = 'SCRIP_TEST_KAFKA_OFFER';

/** Brokers (`host:port`, comma-separated) of this test run's Kafka, which the first caller starts: some seconds. Topics
 *  are not made by themselves and may be deleted; suites share the cluster, so each names its own. Throws `Error` saying
 *  what is missing where there can be none. */
export const kafkaBrokers = async (): Promise<string> => {
  const known = process.env[brokersVariable];
  if (known) return known;
  const offer = process.env[offerVariable];
  if (!offer) throw new Error('Kafka exists in *.int, *.e2e and *.long specs only');
  return (process.env[brokersVariable] = await takeOffer(offer));
};
