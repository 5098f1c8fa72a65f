// Prints redemptions: node docs/examples/subscriber.mjs 127.0.0.1:9092
import kafkajs from 'kafkajs';

const [brokers = '127.0.0.1:9092', topic = 'scrip.qualification.redemption.v1'] = process.argv.slice(2);
const groupId = 'redemption-printer';
const { Kafka, logLevel } = kafkajs;
const kafka = new Kafka({ clientId: groupId, brokers: brokers.split(','), logLevel: logLevel.ERROR });
const consumer = kafka.consumer({ groupId });
process.once('SIGTERM', () => void consumer.disconnect());
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
await consumer.run({
  eachMessage: async ({ message }) => {
    const { type, time, logposition, data } = JSON.parse(message.value.toString());
    if (type !== 'scrip.qualification.RedemptionSucceeded') return;
    const { redemption } = data;
    if (redemption.stacked) return; // The parent of a stack; its children tell of themselves.
    console.log(time, redemption.id, redemption.voucher?.code, logposition);
  },
});
