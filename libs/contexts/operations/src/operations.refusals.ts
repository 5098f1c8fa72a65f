import type { Refusal } from '@scrip/kernel';

/** What operations refuse with: a key that means the same everywhere. */
export type OperationsRefusalKey = 'not_found';

/** A refusal of operations. */
export type OperationsRefusal = Refusal<OperationsRefusalKey>;
