const knownClusters: readonly string[] = ['eu1', 'us1', 'as1'];
const generatedRest = /^(?:[0-9a-f]{32}|[A-Za-z0-9_-]{43})$/;

/** Whether an id or token that is unknown here was made on another cluster: it begins with that cluster's name. Only a
 *  well-known name, or the exact form of what we generate, counts, since ids set by hand may have dashes too.
 *  Source: spec 07 §1.2. */
export const isForeign = (idOrToken: string, cluster: string): boolean => {
  const [, name, rest] = /^([a-z0-9]{2,16})-(.+)$/.exec(idOrToken) ?? [];
  if (name === undefined || rest === undefined || name === cluster) return false;
  return knownClusters.includes(name) || generatedRest.test(rest);
};
