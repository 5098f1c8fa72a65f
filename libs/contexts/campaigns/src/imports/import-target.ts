/** Which import a row belongs to. */
export interface ImportTarget {
  campaign_id: string;
  /** What its vouchers are made from where the campaign has no definition that says the same: made by the first chunk that has
   *  codes. */
  definition_id: string;
}
