import type { Filters } from '@scrip/list-query';
import { projectOf } from '@scrip/testing';
import { newSegment } from './new-segment';
import type { CreateSegmentBody } from './segment.dto';

const filter: Filters = { junction: 'and', fields: { city: { $is: ['London'] } } };
const stored = { junction: 'and', city: { conditions: { $is: ['London'] } } };
const [name, customers] = ['n', ['cust_1', 'cust_2', 'cust_1']];
const refused = (property: string) => ({
  refused: 'invalid_payload',
  details: `Payload must have required property '${property}'`,
});

test.each<[string, CreateSegmentBody, object]>([
  [
    'static, each customer once',
    { name, type: 'static', customers },
    { name, segment_type: 'static', filter: null, customer_ids: ['cust_1', 'cust_2'] },
  ],
  [
    'static by its customers',
    { name, customers },
    { name, segment_type: 'static', filter: null, customer_ids: ['cust_1', 'cust_2'] },
  ],
  [
    'static and empty',
    { name, type: 'static', customers: [] },
    { name, segment_type: 'static', filter: null, customer_ids: [] },
  ],
  [
    'passive without a type',
    { name, filter, customers },
    { name, segment_type: 'passive', filter: stored, customer_ids: [] },
  ],
  [
    'auto-update',
    { name, type: 'auto-update', filter },
    { name, segment_type: 'auto-update', filter: stored, customer_ids: [] },
  ],
  ['refused: static without customers', { name, type: 'static', filter }, refused('customers')],
  ['refused: passive without a filter', { name, type: 'passive', customers }, refused('filter')],
  ['refused: nothing but a name', { name }, refused('filter')],
])('a new segment can be %s', (_, body, wanted) => {
  expect(
    newSegment(body, { project: projectOf(), now: new Date('2026-03-31'), typeOf: () => undefined }),
  ).toEqual(wanted);
});
