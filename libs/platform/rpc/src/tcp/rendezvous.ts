const fnvPrime = 0x0100_0193;

/** 32 bits that change everywhere when one character does: FNV-1a with a final mixing. */
const hash = (text: string): number => {
  let bits = 0x811c_9dc5;
  for (let index = 0; index < text.length; index += 1)
    bits = Math.imul(bits ^ text.charCodeAt(index), fnvPrime);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
};

/** Returns the members, the one that a key belongs to first (rendezvous hashing): everybody who knows the same names finds
 *  the same order, and only the keys of a member that comes or goes change theirs. Pure. */
export const byRendezvous = <T extends { readonly name: string }>(key: string, members: readonly T[]): T[] =>
  members
    .map((member) => ({ member, weight: hash(`${member.name} ${key}`) }))
    .sort((a, b) => b.weight - a.weight || (a.member.name < b.member.name ? -1 : 1))
    .map(({ member }) => member);
