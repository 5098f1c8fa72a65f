import { type VariableName, environmentTable } from '@scrip/service';
import { attributeTable } from './attributes';

const defaultOf = (name: VariableName): string => {
  const found = environmentTable.find((variable) => variable.name === name);
  if (!found) throw new Error(`no variable ${name}`);
  return String(found.default);
};

const retentionDays = (): number => Number(defaultOf('SCRIP_KAFKA_RETENTION_HOURS')) / 24;

/** The part of the page that is true of all topics. `subscriber`: the example's source. */
export const guide = (subscriber: string): string => `## A subscriber

This program prints redemptions. It is \`docs/examples/subscriber.mjs\`, and a test runs it against a broker:

\`\`\`js
${subscriber.trim()}
\`\`\`

Before it does something that matters, add:

- **The position with the effect.** Store \`logposition\` per topic and partition in the transaction of the effect, and skip
  what is not beyond the stored one. Then a crash between effect and commit repeats nothing, and neither does a group that is
  set back. Positions are compared as three numbers, part by part: \`1-980-7\` comes before \`1-1002-3\`.
- **A place for what it cannot handle.** An event that fails again and again must not stop its partition: put its key aside,
  with the later events of the same key, and go on.
- **Patience with other versions.** Ignore unknown fields, unknown types and unknown attributes.

A topic is created with its first event; a client that subscribes before has to try again.

## Topics, keys and partitions

\`scrip.{service}.{aggregate}.v{major}\`; the service in the name is the only one that writes there. New topics get
${defaultOf('SCRIP_KAFKA_PARTITIONS')} partitions (\`SCRIP_KAFKA_PARTITIONS\`). The key is \`{project id}|{stream id}\`, spread
over partitions as Kafka's own clients do (murmur2). Where \`SCRIP_KAFKA_NAMESPACE\` is set, its value and a dot come before the
name of every topic.

## Messages

A value is one JSON object in UTF-8: a CloudEvent 1.0 in Kafka's structured mode, with the header \`content-type:
application/cloudevents+json\`. All attributes but \`data\` are text. Requests to brokers are compressed with gzip, which clients
undo by themselves. Messages of releases before November 2026 are in the binary mode: each attribute in a header
\`ce_{attribute}\`, and \`data\` alone in the value.

${attributeTable()}

## Order and duplicates

All events of one stream are in one partition, in the order of \`sequence\`. Nothing is promised across streams. Within a
partition log positions of one service rise.

An event is published at least once. A repetition has the same \`id\` and \`logposition\` and may come after later events:
whoever stores the last position drops it. A gap in \`sequence\` means that events were missed (retention, a restored
database): read the object anew through the API. After a service's database was restored from a backup the first part of the
position, the epoch, is higher, and everything published since is new.

## Retention

Topics keep events for ${retentionDays()} days (\`SCRIP_KAFKA_RETENTION_HOURS\`), without compaction. What is older is in the
services' event stores, which are not public: begin with the API's lists and follow the topics from there. Message sizes go up
to ${defaultOf('SCRIP_KAFKA_MESSAGE_BYTES_MAX')} bytes (\`SCRIP_KAFKA_MESSAGE_BYTES_MAX\`).

## Versions

Within a schema version only optional fields are added. A breaking change raises the schema version, the last part of
\`dataschema\`; services read older versions through upcasters, topics keep what was written. Both versions can be in one
topic. A new topic major is used only when the meaning changes; then both majors are published for 30 days. Examples of every
version ever written are files in the repository, and tests hold them readable.

## Dead letters

What a consumer group of Scrip cannot handle is put aside with its successors of the same key, repeated (1 minute, 10 minutes,
1 hour), and copied to \`{topic}.dlq.{group}\` with the headers \`dlq-error\`, \`dlq-attempts\` and \`dlq-first-seen\`. Such topics
keep their messages for 30 days. They tell about Scrip's own groups; whoever subscribes keeps his own.

## Personal data

Personal data of customers is in one topic only, encrypted per customer with a key that stays in the service; all others carry
the customer's id. Erasing a customer destroys the key. Metadata that callers put on campaigns, vouchers, orders and redemptions
travels as it was sent: personal data does not belong there.
`;
