const lanes = 256;

/** The serial lane of a project's item tasks: some projects share one. A job takes a slice of its task and goes to the end
 *  of the lane, so small tasks end in order of arrival and long ones take turns. Source: reference 07 §10. */
export const laneOf = (projectId: string): string => {
  let hash = 0;
  for (const character of projectId) hash = (hash * 31 + character.charCodeAt(0)) % lanes;
  return `tasks-${hash}`;
};
