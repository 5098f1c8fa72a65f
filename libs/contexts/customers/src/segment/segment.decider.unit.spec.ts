import type { SegmentEvent, SegmentSnapshot } from '@scrip/contracts/customers';
import { givenFor } from '@scrip/testing';
import type { CreateSegment, SegmentCommand } from './segment.commands';
import { decideSegment, evolveSegment, segmentLimits, type SegmentState } from './segment.decider';

const given = givenFor<SegmentCommand, SegmentState | undefined, SegmentEvent>({
  decide: decideSegment,
  evolve: evolveSegment,
  initialState: undefined,
});

const [at, later] = ['2026-03-31T10:00:00.000Z', '2026-04-01T10:00:00.000Z'];
const filter = { junction: 'and', city: { conditions: { $is: ['London'] } } };
const other = { junction: 'and', city: { conditions: { $is: ['Leeds'] } } };

const segment = (fields: Partial<SegmentSnapshot> = {}): SegmentSnapshot => ({
  id: 'seg_1',
  name: 'Londoners',
  type: 'passive',
  filter,
  created_at: at,
  updated_at: null,
  ...fields,
});
const created = (fields: Partial<SegmentSnapshot> = {}): SegmentEvent => ({
  type: 'SegmentCreated',
  data: { segment: segment(fields) },
});
const deleted: SegmentEvent = { type: 'SegmentDeleted', data: { segment_id: 'seg_1' } };

const create = (fields: Partial<CreateSegment> = {}): SegmentCommand => ({
  type: 'CreateSegment',
  id: 'seg_1',
  name: 'Londoners',
  segment_type: 'passive',
  filter,
  customer_ids: [],
  unknown_customer_id: null,
  dynamic: 0,
  now: at,
  ...fields,
});
const update = (fields: object): SegmentCommand => ({
  type: 'UpdateSegment',
  id: 'seg_1',
  now: later,
  ...fields,
});
const remove: SegmentCommand = { type: 'DeleteSegment', id: 'seg_1' };
const ofStatic = { segment_type: 'static', filter: null } as const;
const ids = (count: number) => Array.from({ length: count }, (_, index) => `cust_${index}`);

describe('a segment (reference 07 §4)', () => {
  it('is created once', () => {
    given().when(create()).then(created());
    given(created()).when(create()).then();
    given(created(), deleted).when(create()).then();
  });

  it('has members from the beginning where it is static, 5,000 to an event', () => {
    given()
      .when(create({ ...ofStatic, customer_ids: ids(5_001) }))
      .then(
        created({ type: 'static', filter: null }),
        { type: 'SegmentMembersAdded', data: { segment_id: 'seg_1', customer_ids: ids(5_000) } },
        { type: 'SegmentMembersAdded', data: { segment_id: 'seg_1', customer_ids: ['cust_5000'] } },
      );
  });

  it('takes no source ids of customers, and says so', () => {
    given()
      .when(create({ ...ofStatic, customer_ids: ids(1), unknown_customer_id: 'a1' }))
      .thenRefused('not_found', {
        details: 'Cannot find customer with id a1: a segment takes ids (cust_…), no source ids',
      });
  });

  it('has members that exist', () => {
    given()
      .when(create({ ...ofStatic, customer_ids: ids(2), unknown_customer_id: 'cust_1' }))
      .thenRefused('not_found', {
        resourceId: 'cust_1',
        resourceType: 'customer',
        details: 'Cannot find customer with id cust_1',
      });
  });

  it('has a filter while fewer than 100 of its project have one', () => {
    const { dynamic } = segmentLimits;
    given()
      .when(create({ dynamic: dynamic - 1 }))
      .then(created());
    given().when(create({ dynamic })).thenRefused('invalid_payload', {
      details: 'A project can have at most 100 passive and auto-update segments',
    });
    given()
      .when(create({ ...ofStatic, dynamic }))
      .then(created({ type: 'static', filter: null }));
  });

  it('changes its name, and its filter while it is passive', () => {
    given(created())
      .when(update({ filter: other }))
      .thenState({ segment: segment({ filter: other, updated_at: later }), deleted: false });
    for (const type of ['static', 'auto-update'] as const) {
      given(created({ type }))
        .when(update({ filter: other }))
        .thenRefused('invalid_payload', {
          details: 'Property .filter can be changed in passive segments only',
        });
      given(created({ type }))
        .when(update({ name: 'Others' }))
        .thenState({ segment: segment({ type, name: 'Others', updated_at: later }), deleted: false });
    }
  });

  it('stays as it is where nothing changes', () => {
    given(created())
      .when(update({ name: 'Londoners', filter }))
      .then();
    given(created()).when(update({})).then();
  });

  it('is deleted once, for good', () => {
    given(created()).when(remove).then(deleted);
    for (const command of [remove, update({ name: 'x' })])
      given(created(), deleted).when(command).thenRefused('not_found', { resourceId: 'seg_1' });
  });

  it('has to be there', () => {
    for (const command of [remove, update({ name: 'x' })]) {
      given().when(command).thenRefused('not_found', {
        resourceId: 'seg_1',
        resourceType: 'segment',
        details: 'Cannot find segment with id seg_1',
      });
    }
  });
});
