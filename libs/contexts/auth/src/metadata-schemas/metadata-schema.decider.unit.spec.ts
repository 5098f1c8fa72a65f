import type { MetadataSchemaEvent, MetadataSchemaSnapshot } from '@scrip/contracts/auth';
import type { MetadataDefinition } from '@scrip/metadata-schemas';
import { givenFor } from '@scrip/testing';
import {
  decideMetadataSchema,
  definitionsMax,
  type Definitions,
  evolveMetadataSchema,
  type MetadataSchemaCommand,
  type MetadataSchemaState,
  schemasMax,
} from './metadata-schema.decider';

const given = givenFor<MetadataSchemaCommand, MetadataSchemaState | undefined, MetadataSchemaEvent>({
  decide: decideMetadataSchema,
  evolve: evolveMetadataSchema,
  initialState: undefined,
});

const [at, later] = ['2026-03-31T10:00:00.000Z', '2026-04-01T10:00:00.000Z'];
const text: MetadataDefinition = { type: 'string', array: false, optional: true };
const size: MetadataDefinition = { type: 'number', array: false, optional: false, gte: 1 };
const schema: MetadataSchemaSnapshot = {
  id: 'ms_1',
  related_object: 'order',
  allow_defined_only: false,
  properties: { note: text, size },
  created_at: at,
  updated_at: null,
};
const created: MetadataSchemaEvent = { type: 'MetadataSchemaCreated', data: { schema } };
const deleted: MetadataSchemaEvent = {
  type: 'MetadataSchemaDeleted',
  data: { schema_id: 'ms_1', related_object: 'order' },
};

const create = (more: { live?: number; properties?: Definitions } = {}): MetadataSchemaCommand => {
  const { id, related_object, allow_defined_only, properties } = schema;
  return {
    type: 'CreateMetadataSchema',
    id,
    related_object,
    allow_defined_only,
    properties,
    now: at,
    live: 0,
    ...more,
  };
};
const update = (more: { allow_defined_only?: boolean; properties?: Definitions }): MetadataSchemaCommand => ({
  type: 'UpdateMetadataSchema',
  id: 'ms_1',
  now: later,
  ...more,
});
const updated = (more: Partial<MetadataSchemaSnapshot>): MetadataSchemaEvent => ({
  type: 'MetadataSchemaUpdated',
  data: { schema: { ...schema, updated_at: later, ...more } },
});
const many = (count: number): Definitions =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, text]));

describe('a metadata schema (reference 07 §8)', () => {
  it('is created once, while the project has fewer than it may have', () => {
    given().when(create()).then(created);
    given(created).when(create()).then();
    given()
      .when(create({ live: schemasMax - 1 }))
      .then(created);
    given()
      .when(create({ live: schemasMax }))
      .thenRefused('invalid_payload');
  });

  it('keeps definitions that are not sent and replaces sent ones whole', () => {
    const bare: MetadataDefinition = { type: 'number', array: true, optional: true };
    given(created)
      .when(update({ properties: { size: bare } }))
      .then(updated({ properties: { note: text, size: bare } }));
    given(created)
      .when(update({ allow_defined_only: true }))
      .then(updated({ allow_defined_only: true }));
  });

  it('keeps the type of a key, also of a removed one', () => {
    const removed = updated({ properties: { note: text, size: { ...size, deleted: true } } });
    const other = { properties: { size: { ...size, type: 'string' as const } } };
    given(created).when(update(other)).thenRefused('invalid_payload');
    given(created, removed).when(update(other)).thenRefused('invalid_payload');
  });

  it('has a definition removed and restored', () => {
    const removed = updated({ properties: { note: text, size: { ...size, deleted: true } } });
    given(created)
      .when(update({ properties: { size: { ...size, deleted: true } } }))
      .then(removed);
    given(created, removed)
      .when(update({ properties: { size } }))
      .then(updated({}));
  });

  it('has at most 100 definitions, removed ones included', () => {
    given()
      .when(create({ properties: many(definitionsMax + 1) }))
      .thenRefused('invalid_payload');
    const removed = Object.fromEntries(
      Object.entries(many(definitionsMax)).map(([key, one]) => [key, { ...one, deleted: true }]),
    );
    const full: MetadataSchemaEvent = {
      type: 'MetadataSchemaCreated',
      data: { schema: { ...schema, properties: removed } },
    };
    given()
      .when(create({ properties: removed }))
      .then(full);
    given(full)
      .when(update({ properties: { other: text } }))
      .thenRefused('invalid_payload');
  });

  it('has no more definitions than a call can carry', () => {
    const long = { ...text, eq: Array.from({ length: 300 }, (_, index) => `${index}`.padStart(256, '0')) };
    given()
      .when(create({ properties: { long } }))
      .thenRefused('invalid_payload');
  });

  it('tells no update that changes nothing', () => {
    given(created).when(update({})).then();
    given(created)
      .when(update({ properties: { note: text }, allow_defined_only: false }))
      .then();
  });

  it('is gone once it is deleted', () => {
    given(created).when({ type: 'DeleteMetadataSchema', id: 'ms_1' }).then(deleted);
    given(created, deleted).when({ type: 'DeleteMetadataSchema', id: 'ms_1' }).thenRefused('not_found');
    given(created, deleted).when(update({})).thenRefused('not_found');
  });
});
