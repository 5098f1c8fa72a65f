import { SetMetadata } from '@nestjs/common';
import type { JsonSchema } from './json-schema';

/** The body of an answer: none (null), a type of the wire by its name, a list of such a type, or bodies by media type,
 *  files or types of the wire by their name. */
export type AnswerBody =
  | null
  | string
  | {
      list: string;
      of: string;
      counts: readonly ('total' | 'has_more' | 'more_starting_after')[];
      /** Counts that are there only where the query asks for them. */
      asked?: readonly 'total'[];
    }
  | { media: Readonly<Record<string, JsonSchema | string>> };

/** A header that an operation tells beside its successful answer. */
export interface AnswerHeader {
  /** One of `callersHeaders`: a gateway passes no others on. */
  name: string;
  /** The value for a request body and the body that answers it, also where an earlier answer is repeated; null: no header.
   *  Null in place of it: the handler sets the header itself. */
  valueOf: ((request: unknown, answer: unknown) => string | null) | null;
}

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
  /** Keys of the refusals that it may answer, of the controller's table and of those that mean the same everywhere;
   *  absent: all of the controller's table. */
  refuses?: readonly string[];
  /** A body that works, for those who try the call. */
  example?: object;
  /** Values for parameters of the path that callers choose themselves. */
  pathExample?: Readonly<Record<string, string>>;
  /** What the answer's ids are for: parameters of other operations as JSON pointers into the answer, by operation. */
  links?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  header?: AnswerHeader;
  /** The schema of a body that the handler reads itself; DTO classes tell their own. */
  body?: JsonSchema;
}

const operationMetadata = Symbol('scrip.operation');

/** Describes a handler for the OpenAPI document, and says which header its answers have. */
export const Operation = (description: OperationDescription): MethodDecorator =>
  SetMetadata(operationMetadata, description);

export const operationOf = (handler: object): OperationDescription | undefined =>
  Reflect.getMetadata(operationMetadata, handler) as OperationDescription | undefined;
