/** What a topic's name says: whose events these are, and about what. */
export interface TopicName {
  service: string;
  aggregate: string;
  major: number;
}

/** Name of the topic that carries one aggregate's events. Source: reference 06 §9.1. */
export const topicOf = ({ service, aggregate, major }: TopicName): string =>
  `scrip.${service}.${aggregate}.v${major}`;

/** Reads `scrip.{service}.{aggregate}.v{major}`; throws `TypeError` on anything else. Source: reference 06 §9.1. */
export const parseTopic = (topic: string): TopicName => {
  const [, service, aggregate, major] = /^scrip\.([a-z-]+)\.([a-z_-]+)\.v(\d+)$/.exec(topic) ?? [];
  if (!service || !aggregate || !major) throw new TypeError(`not a topic: ${topic}`);
  return { service, aggregate, major: Number(major) };
};
