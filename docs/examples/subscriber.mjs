// Prints redemptions: node docs/examples/subscriber.mjs 127.0.0.1:9092
import kafkajs from 'kafkajs';

const [brokers = '127.0.0.1:9092', groupId = 'redemption-printer'] = process.argv.slice(2);
const { Kafka, logLevel } = kafkajs;
const kafka = new Kafka({ clientId: groupId, brokers: brokers.split(','), logLevel: logLevel.ERROR });
const consumer = kafka.consumer({ groupId });
process.once('SIGTERM', () => void consumer.disconnect());
await consumer.connect();
await consumer.subscribe({ topics: ['scrip.qualification.redemption.v1'], fromBeginning: true });
await consumer.run({
  eachMessage: async ({ message: { headers, value } }) => {
    const attribute = (name) => headers[`ce_${name}`]?.toString();
    if (attribute('type') !== 'scrip.qualification.RedemptionSucceeded') return;
    const { redemption } = JSON.parse(value.toString());
    if (redemption.stacked) return; // The parent of a stack; its children tell of themselves.
    console.log(attribute('time'), redemption.id, redemption.voucher?.code, attribute('logposition'));
  },
});
