/** A consent that a project asks for. No project has any. Source: reference 07 §18. */
export interface ConsentResponse {
  id: string;
  name: string;
  category: string;
  object: 'consent';
}
