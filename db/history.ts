/** Who changed what when, as callbacks carry it (integration API, section 7.2). */
export interface AssembledHistory {
  serverVersion: string;
  changes: {
    /** SHA-256 of the file the changes begin with, hex. */
    documentSha256: string;
    /** `YYYY-MM-DD HH:MM:SS`, UTC. */
    created: string;
    user: { id: string; name: string };
  }[];
}
