import type { Refusal } from '@scrip/kernel';

/** What operations refuse with: keys that mean the same everywhere. */
export type OperationsRefusalKey = 'not_found' | 'unauthorized';

/** A refusal of operations. */
export type OperationsRefusal = Refusal<OperationsRefusalKey>;
