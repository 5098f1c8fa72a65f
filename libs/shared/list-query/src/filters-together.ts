/** Characters of the filters that share a statement: a hundred long ones would make one of many megabytes. */
const charactersMax = 65_536;

/** Groups what has filters so that those of a group share a statement; one whose filter is longer stands alone. */
export const filtersTogether = <One extends { filter: unknown }>(filtered: readonly One[]): One[][] => {
  const groups: One[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const one of filtered) {
    const own = JSON.stringify(one.filter).length;
    length += own;
    if (length <= charactersMax) groups.at(-1)!.push(one);
    else {
      groups.push([one]);
      length = own;
    }
  }
  return groups;
};
