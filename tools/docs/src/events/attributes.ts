/** What an attribute of a message tells. */
export interface AttributeMeaning {
  attribute: string;
  /** False: only where there is something to tell. */
  always: boolean;
  meaning: string;
}

/** CloudEvents attributes of every message; a test compares them with what the relay writes. */
export const attributes: readonly AttributeMeaning[] = [
  { attribute: 'specversion', always: true, meaning: '`1.0`' },
  { attribute: 'id', always: true, meaning: 'UUIDv7 of the event, the same when it is published twice' },
  { attribute: 'source', always: true, meaning: '`/scrip/{service}`' },
  { attribute: 'type', always: true, meaning: '`scrip.{service}.{EventName}`' },
  { attribute: 'subject', always: true, meaning: 'the stream: id of what the event tells about' },
  { attribute: 'time', always: true, meaning: 'when it was stored: ISO 8601 in UTC with milliseconds' },
  {
    attribute: 'dataschema',
    always: true,
    meaning: '`urn:scrip:schema:{service}:{aggregate}:{EventName}:{schema version}`',
  },
  { attribute: 'projectid', always: true, meaning: '`proj_…`' },
  {
    attribute: 'sequence',
    always: true,
    meaning: 'version of the stream: 1, 2, 3, … without gaps',
  },
  { attribute: 'logposition', always: true, meaning: '`epoch-ord-position`, what consumers store' },
  { attribute: 'partitionkey', always: true, meaning: '`{projectid}|{subject}`, equal to the message’s key' },
  {
    attribute: 'correlationid',
    always: true,
    meaning: 'id of the request or job run that caused it: `request_id` of errors, `group_id` of webhooks',
  },
  { attribute: 'causationid', always: false, meaning: 'id of the event that caused it' },
  { attribute: 'channel', always: true, meaning: '`API`, `CLIENT_API`, `USER_PORTAL` or `INTERNAL`' },
  { attribute: 'actorid', always: false, meaning: 'id of the user who caused it' },
  { attribute: 'apikeyid', always: false, meaning: 'id of the application key that caused it' },
  { attribute: 'apikeyname', always: false, meaning: 'name of that key' },
  { attribute: 'traceparent', always: false, meaning: 'W3C trace context of the request' },
  { attribute: 'datacontenttype', always: true, meaning: '`application/json`' },
  { attribute: 'data', always: true, meaning: 'what the event tells, an object: see the topics above' },
];

const row = ({ attribute, always, meaning }: AttributeMeaning): string =>
  `| \`${attribute}\` | ${always ? 'always' : 'where known'} | ${meaning} |`;

/** The attributes as a table in Markdown. */
export const attributeTable = (): string =>
  ['| Attribute | Present | Meaning |', '| - | - | - |', ...attributes.map(row)].join('\n');
