import fc from 'fast-check';
import { compileSchema } from './compile-schema';
import { type MetadataDefinition, type MetadataType, metadataTypes } from './definition';

const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Values that fit, by type. */
const fitting: Record<MetadataType, fc.Arbitrary<unknown>> = {
  string: fc.string(),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: fc.boolean(),
  date: day.map((text) => text.slice(0, 10)),
  datetime: day,
  image_url: fc.constantFrom('https://a.example.com/b.png', 'http://a.example.com/b.JPG?c=d'),
  geopoint: fc
    .tuple(fc.integer({ min: -90, max: 90 }), fc.integer({ min: -180, max: 180 }), fc.boolean())
    .map(([latitude, longitude, prefixed]) => `${prefixed ? 'geo:' : ''}${latitude},${longitude}`),
  object: fc.dictionary(fc.string(), fc.jsonValue()),
};

const definition = fc.record<MetadataDefinition>({
  type: fc.constantFrom(...metadataTypes),
  array: fc.boolean(),
  optional: fc.boolean(),
});

const compiled = (properties: Record<string, MetadataDefinition>, allow_defined_only = false) =>
  compileSchema({ related_object: 'order', allow_defined_only, properties }, () => undefined);

describe('any schema', () => {
  it('accepts what its definitions ask for, as a list where they say so', () => {
    const cases = definition.chain((one) =>
      fc.tuple(
        fc.constant(one),
        one.array ? fc.array(fitting[one.type], { maxLength: 5 }) : fitting[one.type],
      ),
    );
    fc.assert(
      fc.property(cases, ([one, value]) => {
        expect(compiled({ key: one }, true).check({ key: value })).toBeNull();
      }),
    );
  });

  it('answers any JSON with no fault, and names each key at most once', () => {
    const properties = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), definition);
    fc.assert(
      fc.property(
        properties,
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.boolean(),
        (some, metadata, strict) => {
          const details = compiled(some, strict).check(metadata)?.details;
          expect(details === undefined || details.length > 0).toBe(true);
          for (const key of ['a', 'b', 'c'])
            expect((details ?? '').split(`; ${key}: must be`).length).toBeLessThanOrEqual(2);
        },
      ),
    );
  });
});
