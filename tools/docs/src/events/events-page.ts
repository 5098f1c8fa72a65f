import { topics } from '@scrip/contracts/registry';
import { parseTopic } from '@scrip/messaging';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as babel from 'prettier/plugins/babel';
import * as estree from 'prettier/plugins/estree';
import * as markdown from 'prettier/plugins/markdown';
import { format } from 'prettier/standalone';
import { repositoryRoot } from '../types/source-program';
import { catalogue } from './catalogue';
import { type EventFixture, eventFixtures } from './event-fixtures';
import type { EventType, EventTypes } from './event-types';
import { fieldTable, shapeText } from './field-table';
import { guide } from './guide';

/** The page, and the example it shows. */
export const eventsPageFile = join(repositoryRoot, 'docs/events.md');
const subscriberFile = join(repositoryRoot, 'docs/examples/subscriber.mjs');

type TopicKey = keyof typeof topics;

const keys = Object.keys(topics) as TopicKey[];

const unionOf = (types: EventTypes, key: TopicKey) => {
  const union = types.unions.get(catalogue[key].events);
  if (!union) throw new Error(`contracts have no ${catalogue[key].events}`);
  return union;
};

const overview = (types: EventTypes): string => {
  const rows = keys.map((key) => {
    const events = unionOf(types, key).events.map(({ name }) => name);
    return `| [\`${topics[key]}\`](#${topics[key].replaceAll('.', '')}) | ${catalogue[key].stream} | ${events.join(', ')} |`;
  });
  return ['| Topic | Stream | Events |', '| - | - | - |', ...rows].join('\n');
};

const example = (topic: string, { name }: EventType, { version, data }: EventFixture): string =>
  `<details><summary>Example of ${name}, version ${version} (${topic})</summary>

\`\`\`json
${JSON.stringify(data, null, 2)}
\`\`\`

</details>`;

const eventSection = (topic: string, event: EventType, fixtures: readonly EventFixture[]): string => {
  const newest = fixtures.at(-1);
  if (!newest) throw new Error(`no fixture of ${event.name}`);
  return `### ${event.name}

${event.meaning} Schema version ${newest.version}.

${fieldTable(event.data)}

${example(topic, event, newest)}`;
};

const topicSection = (types: EventTypes, key: TopicKey): string => {
  const topic = topics[key];
  const { service } = parseTopic(topic);
  const { meaning, events } = unionOf(types, key);
  const fixtures = eventFixtures(service);
  return `## ${topic}

${meaning}

Written by \`${service}\`. Key: \`{project id}|{stream id}\`, where the stream is the ${catalogue[key].stream}.

${events.map((event) => eventSection(topic, event, fixtures.get(event.name) ?? [])).join('\n\n')}`;
};

const shapeSection = (types: EventTypes): string =>
  Object.entries(types.shapes)
    .sort(([left], [right]) => left.localeCompare(right, 'en'))
    .map(([name, schema]) => {
      const meaning = schema.description === undefined ? '' : `${String(schema.description)}\n\n`;
      return `### ${name}\n\n${meaning}${shapeText(schema)}`;
    })
    .join('\n\n');

/** `docs/events.md`, from topics, types and docstrings of `contracts`, and the golden files of the services. `types`: those of
 *  `readEventTypes()`. Throws `Error` where an event has no type, no fixture or no docstring's place. */
export const eventsPage = async (types: EventTypes): Promise<string> => {
  const page = `# Events

Every fact is published to Apache Kafka in the distributed shape of Scrip. This page is for teams that subscribe to the topics.
It is written from the sources by \`npm run docs:events\`; a test compares them.

${overview(types)}

${guide(readFileSync(subscriberFile, 'utf8'))}

${keys.map((key) => topicSection(types, key)).join('\n\n')}

## Shapes

Amounts are integers in minor units, the major value times 100 whatever the currency. An instant is ISO 8601 in UTC with
milliseconds.

${shapeSection(types)}
`;
  return format(page, {
    parser: 'markdown',
    plugins: [markdown, babel, estree as never],
    singleQuote: true,
    printWidth: 110,
  });
};
