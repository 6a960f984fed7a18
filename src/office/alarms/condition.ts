/** Something that a rule has found. */
export interface Condition {
  /** What it is about, the same each time it is found. */
  subject: string;
  shop_id: string;
  /** Null: it is about a whole bridge. */
  terminal: string | null;
  simulated: boolean;
  message: string;
  /** When it began (milliseconds since 1970); null: it began when it was found first. */
  since: number | null;
}
