import type { ContextName } from '@scrip/contracts/registry';

/** A kind of background job. `Payload` is plain JSON: ids rather than contents, no personal data, no secrets. */
export interface JobDefinition<Payload extends object> {
  readonly context: ContextName;
  /** `kebab-case`; stored, so it never changes. */
  readonly task: string;
  /** Only a type: binds the definition to its payload. */
  readonly payload?: Payload;
}

const defined = new Map<string, JobDefinition<object>>();

/** Names a kind of job of a context. Throws `Error` when that context has it already. */
export const defineJob = <Payload extends object>(
  context: ContextName,
  task: string,
): JobDefinition<Payload> => {
  const key = `${context}.${task}`;
  if (defined.has(key)) throw new Error(`job ${key} is defined twice`);
  const definition: JobDefinition<Payload> = { context, task };
  defined.set(key, definition);
  return definition;
};

/** Kinds of jobs that the code of this process defines for a context. */
export const definedJobs = (context: ContextName): JobDefinition<object>[] =>
  [...defined.values()].filter((definition) => definition.context === context);
