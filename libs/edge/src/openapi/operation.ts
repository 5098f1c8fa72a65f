import { SetMetadata } from '@nestjs/common';
import type { JsonSchema } from './json-schema';

/** The body of an answer: none (null), a type of the wire by its name, a list of such a type, or files by media type. */
export type AnswerBody =
  | null
  | string
  | { list: string; of: string; counts: readonly ('total' | 'has_more' | 'more_starting_after')[] }
  | { media: Readonly<Record<string, JsonSchema>> };

/** What the OpenAPI document tells about a handler beyond what its route, its parameters and its tables say. */
export interface OperationDescription {
  /** Unique name; the client-side twin of a route gets a prefix. */
  id: string;
  /** One line: what the call does. */
  summary: string;
  /** What a caller must know besides. */
  description?: string;
  /** Bodies by status, successes and failures of an own shape. */
  answers: Readonly<Record<number, AnswerBody>>;
  /** A body that works, for those who try the call. */
  example?: object;
  /** The schema of a body that the handler reads itself; DTO classes tell their own. */
  body?: JsonSchema;
}

const operationMetadata = Symbol('scrip.operation');

/** Describes a handler for the OpenAPI document. */
export const Operation = (description: OperationDescription): MethodDecorator =>
  SetMetadata(operationMetadata, description);

export const operationOf = (handler: object): OperationDescription | undefined =>
  Reflect.getMetadata(operationMetadata, handler) as OperationDescription | undefined;
