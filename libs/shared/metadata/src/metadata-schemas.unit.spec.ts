import type { AuthPort } from '@scrip/contracts/auth';
import { Fault, internalContext } from '@scrip/kernel';
import type { MetadataSchema } from '@scrip/metadata-schemas';
import { projectOf } from '@scrip/testing';
import { MetadataSchemas } from './metadata-schemas';

const text = { type: 'string', array: false, optional: true } as const;
const schemaOf = (related_object: string, properties: MetadataSchema['properties']): MetadataSchema => ({
  related_object,
  allow_defined_only: false,
  properties,
});

describe('the metadata schemas of a process', () => {
  let stored: MetadataSchema[];
  let asked: string[][];
  let away: boolean;
  let schemas: MetadataSchemas;

  beforeEach(() => {
    [stored, asked, away] = [[schemaOf('order', { note: text })], [], false];
    const auth: Pick<AuthPort, 'loadMetadataSchemas'> = {
      loadMetadataSchemas: async (_, { related_objects }) => {
        asked.push([...related_objects]);
        if (away) throw new Fault('unavailable', 'auth is away');
        return { schemas: stored.filter(({ related_object }) => related_objects.includes(related_object)) };
      },
    };
    schemas = new MetadataSchemas(auth as AuthPort);
  });

  const at = (schemaChanges?: number, id = 'proj_1') =>
    internalContext({ ...projectOf({ id }), ...(schemaChanges === undefined ? {} : { schemaChanges }) });
  const detailsAt = async (schemaChanges: number | undefined, metadata: object, id?: string) =>
    (await schemas.checkOf(at(schemaChanges, id), 'order'))(metadata as Record<string, unknown>)?.details;

  it('are asked for once, also by calls at the same time', async () => {
    const refused = "note: must be a string (actual value is '1')";
    const answers = await Promise.all([detailsAt(1, { note: 1 }), detailsAt(1, { note: 1 })]);
    expect([...answers, await detailsAt(1, { note: 1 })]).toEqual([refused, refused, refused]);
    expect(asked).toEqual([['order']]);
  });

  it('are asked for again once the project changed them, and for each project', async () => {
    await detailsAt(1, {});
    stored = [schemaOf('order', { note: { ...text, type: 'number' } })];
    expect(await detailsAt(1, { note: 1 })).toBe("note: must be a string (actual value is '1')");
    expect(await detailsAt(2, { note: 1 })).toBeUndefined();
    await detailsAt(2, {}, 'proj_2');
    expect(asked).toHaveLength(3);
  });

  it('are not asked for where the project never had one, and once where the object has none', async () => {
    expect(await detailsAt(undefined, { note: 1 })).toBeUndefined();
    expect(asked).toEqual([]);
    stored = [];
    expect(await detailsAt(1, { note: 1 })).toBeUndefined();
    expect(await detailsAt(1, { note: 1 })).toBeUndefined();
    expect(asked).toEqual([['order']]);
  });

  it('come with those that they nest, as many as an answer holds at once', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `part${index}`);
    const nested = { type: 'object', array: false, optional: true } as const;
    stored = [
      schemaOf('order', {
        ...Object.fromEntries(names.map((name) => [name, { ...nested, object_type: name }])),
        gone: { ...nested, object_type: 'gone', deleted: true },
        other: { ...nested, object_type: 'part0' },
      }),
      ...names.map((name) => schemaOf(name, { size: { ...text, type: 'number' } })),
    ];
    expect(await detailsAt(1, { part8: { size: 'x' }, other: { size: 1 } })).toBe(
      "part8.size: must be a number (actual value is 'x')",
    );
    expect(asked).toEqual([['order'], names.slice(0, 8), names.slice(8)]);
  });

  it('are asked for again after auth did not answer', async () => {
    away = true;
    await expect(detailsAt(1, {})).rejects.toThrow('auth is away');
    away = false;
    expect(await detailsAt(1, { note: 1 })).toBe("note: must be a string (actual value is '1')");
  });
});
