type Metadata = Readonly<Record<string, unknown>>;

const ownValue = (container: unknown, name: string): unknown =>
  typeof container === 'object' &&
  container !== null &&
  !Array.isArray(container) &&
  Object.hasOwn(container, name)
    ? (container as Metadata)[name]
    : undefined;

/** Looks a property up in metadata: a key, else a dotted path into nested metadata. Null: there is no such value. */
export const propertyReader = (property: string): ((metadata: Metadata | undefined) => unknown) => {
  const path = property.split('.');
  if (path.length === 1) return (metadata) => ownValue(metadata, property) ?? null;
  return (metadata) => {
    const direct = ownValue(metadata, property);
    if (direct !== undefined) return direct;
    let value: unknown = metadata;
    for (const name of path) {
      value = ownValue(value, name);
      // The length of a path has no limit.
      if (value === undefined) return null;
    }
    return value;
  };
};
