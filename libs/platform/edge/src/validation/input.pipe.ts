import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { validateSync } from 'class-validator';
import { inlineDtoSchema } from '../openapi/dto-schema';
import type { JsonSchema } from '../openapi/json-schema';
import { EdgeFailure } from '../failure/failure';
import { failures } from '../failure/failures';
import { fieldsOf, type InputSource } from './dto-fields';
import { instantiate } from './instantiate';
import { PageOverLimit } from './page-over-limit';
import { rulesHold } from './rules-hold';
import { Violation } from './violation';
import { sentenceOf, violationOf } from './wording';

type Class<T extends object = object> = new () => T;

/** `at`: where the instance stands in its input. */
const checkRules = (instance: object, at = ''): void => {
  if (rulesHold(instance)) return;
  const errors = validateSync(instance, { forbidUnknownValues: false });
  if (errors.length > 0) throw violationOf(errors, at);
};

const failureOf = (violation: Violation, dto: Class, source: InputSource): EdgeFailure => {
  if (source === 'query') return new EdgeFailure(failures.invalidQuery(sentenceOf(violation, dto, 'Query')));
  return new EdgeFailure(failures.invalidPayload(sentenceOf(violation, dto, 'Payload')));
};

/** Reads an input as a DTO class. Throws only `EdgeFailure`: 400 `invalid_payload`, `invalid_query_params` or
 *  `page_over_limit`, naming the first property that is wrong. Source: reference 07 §1.3. */
export const readInput = <T extends object>(dto: Class<T>, input: unknown, source: InputSource): T => {
  try {
    const instance = instantiate(dto, input === undefined ? {} : input, source);
    checkRules(instance);
    return instance;
  } catch (error) {
    if (error instanceof PageOverLimit) throw new EdgeFailure(failures.pageOverLimit(error.highestPage));
    if (error instanceof Violation) throw failureOf(error, dto, source);
    throw error;
  }
};

/** Reads a body that is a list, each element as a DTO class. Throws as `readInput`, naming the first element that is wrong
 *  (`Property [3].email must be string`). */
export const readInputs = <T extends object>(dto: Class<T>, input: unknown): T[] => [
  ...eachInput(dto, input),
];

/** As `readInputs`, one element at a time, as they are asked for. */
export function* eachInput<T extends object>(dto: Class<T>, input: unknown): Generator<T> {
  try {
    if (!Array.isArray(input)) throw new Violation('', 'must be array');
    for (const [index, element] of input.entries()) {
      const at = `[${index}]`;
      const instance = instantiate(dto, element, 'body', at);
      checkRules(instance, at);
      yield instance;
    }
  } catch (error) {
    if (error instanceof Violation) throw failureOf(error, dto, 'body');
    throw error;
  }
}

/** The schema of a body that is a list of what a DTO class reads, for `Operation`. */
export const listBody = (dto: Class): JsonSchema => ({
  type: 'array',
  items: inlineDtoSchema(dto, 'body'),
});

const isDto = (metatype: unknown): metatype is Class =>
  typeof metatype === 'function' && metatype !== Object && fieldsOf(metatype as Class).size > 0;

/** Applied to every body and query of the public API; a route may bring its own pipe for a parameter instead, then
 *  declares it with a type that is no DTO class. */
@Injectable()
export class InputPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || !isDto(metatype)) return value;
    return readInput(metatype, value, type);
  }
}
