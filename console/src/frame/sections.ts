export type Section = {
  to: string;
  title: string;
  /** Follows `g` to go there. */
  key: string;
  /** Its place in the bottom bar of narrow screens; the others stand behind "More". */
  inBar: boolean;
};

/** The pages in the order of the side bar; a line parts the groups. */
export const SECTIONS: readonly (readonly Section[])[] = [
  [
    { to: '/', title: 'Overview', key: 'o', inBar: true },
    { to: '/runs', title: 'Runs', key: 'r', inBar: true },
    { to: '/replay', title: 'Replay', key: 'p', inBar: true },
  ],
  [
    { to: '/agents', title: 'Agents', key: 'a', inBar: false },
    { to: '/retrieval', title: 'Retrieval', key: 't', inBar: false },
    { to: '/memory', title: 'Memory', key: 'm', inBar: false },
    { to: '/decisions', title: 'Decisions', key: 'd', inBar: false },
  ],
  [
    { to: '/approvals', title: 'Approvals', key: 'v', inBar: true },
    { to: '/policies', title: 'Policies', key: 'b', inBar: false },
    { to: '/ledger', title: 'Ledger', key: 'l', inBar: false },
    { to: '/settings', title: 'Settings', key: 's', inBar: true },
  ],
];

export const ALL_SECTIONS = SECTIONS.flat();
