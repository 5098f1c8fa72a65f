type Data = Record<string, unknown>;

/** Version 1 knew one kind of work, and carried all of it. */
const workByKind = (data: Data): Data => {
  const { campaign_id, count } = data['work'] as Data;
  return { ...data, work: { kind: 'CAMPAIGN.VOUCHERS_GENERATE', campaign_id, count } };
};

/** Steps from stored versions of task events to the newest, by event type, oldest first. */
export const taskUpcasters: Record<string, readonly ((data: Data) => Data)[]> = {
  AsyncActionEnqueued: [workByKind],
};
