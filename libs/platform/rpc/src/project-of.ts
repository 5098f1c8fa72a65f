import type { Deadlined } from '@scrip/kernel';

/** Returns the id of the project that a call is about; null where it is not known yet, as before authentication. */
export const projectOf = (context: Deadlined): string | null => {
  const { project } = context as { project?: { id?: unknown } };
  return typeof project?.id === 'string' ? project.id : null;
};
