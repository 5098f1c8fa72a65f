import { AssignerProtocol, type Assignment, type PartitionAssigner } from 'kafkajs';

const name = 'ScripSticky';
const version = 0;

/** A member of a group: the topics it reads, and what it has now. */
export interface GroupMember {
  memberId: string;
  topics: readonly string[];
  owned: Assignment;
}

/** Gives each partition to one member that reads its topic. Topic by topic no member has two more than another, and who
 *  has a partition keeps it where that allows it: a moved partition costs a search for its place. Pure. */
export const assignPartitions = (
  partitionsOf: ReadonlyMap<string, readonly number[]>,
  members: readonly GroupMember[],
): Map<string, Assignment> => {
  const assigned = new Map(members.map(({ memberId }) => [memberId, {} as Assignment]));
  const load = (memberId: string, topic?: string): number => {
    const mine = assigned.get(memberId) ?? {};
    return topic === undefined ? Object.values(mine).flat().length : (mine[topic] ?? []).length;
  };
  for (const [topic, partitions] of partitionsOf) {
    const readers = members.filter(({ topics }) => topics.includes(topic));
    if (readers.length === 0) continue;
    const least = Math.floor(partitions.length / readers.length);
    let extras = partitions.length % readers.length;
    const left = new Set(partitions);
    for (const { memberId, owned } of readers) {
      const mine = [...new Set(owned[topic])].filter((partition) => left.has(partition));
      const kept = mine.slice(0, least + (extras > 0 ? 1 : 0));
      if (kept.length > least) extras -= 1;
      kept.forEach((partition) => left.delete(partition));
      if (kept.length > 0) (assigned.get(memberId) ?? {})[topic] = kept;
    }
    for (const partition of left) {
      const ids = readers.map(({ memberId }) => memberId).sort();
      const next = ids.reduce((best, id) => {
        const difference = load(id, topic) - load(best, topic) || load(id) - load(best);
        return difference < 0 ? id : best;
      });
      const mine = assigned.get(next) ?? {};
      mine[topic] = [...(mine[topic] ?? []), partition];
    }
  }
  return assigned;
};

const ownedIn = (userData: Buffer): Assignment => {
  try {
    return userData.length === 0 ? {} : (JSON.parse(userData.toString()) as Assignment);
  } catch {
    return {}; // Another release's notation: it only loses the wish to keep what it has.
  }
};

/** kafkajs's end of `assignPartitions`. `owned` tells what this member has at the moment. */
export const stickyAssigner =
  (owned: () => Assignment): PartitionAssigner =>
  ({ cluster }) => ({
    name,
    version,
    protocol: ({ topics }) => ({
      name,
      metadata: AssignerProtocol.MemberMetadata.encode({
        version,
        topics,
        userData: Buffer.from(JSON.stringify(owned())),
      }),
    }),
    async assign({ members }) {
      const known = members.map(({ memberId, memberMetadata }): GroupMember => {
        const decoded = AssignerProtocol.MemberMetadata.decode(memberMetadata);
        return { memberId, topics: decoded?.topics ?? [], owned: decoded ? ownedIn(decoded.userData) : {} };
      });
      const topics = [...new Set(known.flatMap((member) => member.topics))].sort();
      // The others may read topics that this release does not know of.
      await cluster.addMultipleTargetTopics(topics);
      const partitionsOf = new Map(
        topics.map((topic) => [
          topic,
          cluster
            .findTopicPartitionMetadata(topic)
            .map(({ partitionId }) => partitionId)
            .sort((a, b) => a - b),
        ]),
      );
      return [...assignPartitions(partitionsOf, known)].map(([memberId, assignment]) => ({
        memberId,
        memberAssignment: AssignerProtocol.MemberAssignment.encode({
          version,
          assignment,
          userData: Buffer.alloc(0),
        }),
      }));
    },
  });
