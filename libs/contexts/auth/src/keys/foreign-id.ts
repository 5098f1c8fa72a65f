const knownClusters: readonly string[] = ['eu1', 'us1', 'as1'];
const generatedRest = /^(?:[0-9a-f]{32}|[A-Za-z0-9_-]{43})$/;

/** Returns whether an id or token that is unknown here was created on another cluster, whose name it begins with.
 *  Only a well-known cluster name or the exact form of generated ids counts, because ids set by hand may contain
 *  dashes too. Source: reference 07 §1.2. */
export const isForeign = (idOrToken: string, cluster: string): boolean => {
  const [, name, rest] = /^([a-z0-9]{2,16})-(.+)$/.exec(idOrToken) ?? [];
  if (name === undefined || rest === undefined || name === cluster) return false;
  return knownClusters.includes(name) || generatedRest.test(rest);
};
