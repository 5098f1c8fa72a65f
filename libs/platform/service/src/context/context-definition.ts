import type { Type } from '@nestjs/common';
import type { ContextName } from '@scrip/contracts/registry';
import type { MigrationInterface } from 'typeorm';
import type { SealedColumn } from '../secrets/sealed-column';

/** A TypeORM migration. Its class name ends with the 13 digits of its creation time, which order migrations. */
export type MigrationClass = new () => MigrationInterface;

/** One context, as a process boots it: alone or beside others. Source: architecture §2. */
export interface ContextDefinition {
  name: ContextName;
  /** Controllers (HTTP), consumers, providers, and the binding of the context's port. */
  module: Type<unknown>;
  /** In order; those of the event store, of messaging and of the edge come before them. */
  migrations: MigrationClass[];
  /** Columns whose texts are sealed under the master key. */
  sealed?: readonly SealedColumn[];
  /** True when the context has background jobs: it gets a graphile-worker schema `<name>_jobs` and a runner. */
  jobs?: boolean;
}
