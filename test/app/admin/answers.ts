/** What the admin port answers, all of it together: each answer has some of it. */
export interface AdminBody {
  readonly error: string;
  readonly time: AdminTime;
  readonly accounts: Readonly<Record<'main' | 'other', AdminAccount>>;
  readonly keys: readonly object[];
  readonly locks: readonly object[];
  readonly faults: readonly object[];
  readonly fault: object;
  readonly webSockets: number;
  readonly id: string;
  readonly counts: {
    readonly requests: number;
    readonly keys: Readonly<Record<string, { readonly total: number }>>;
  };
}

interface AdminTime {
  readonly mode: string;
  readonly scale: number;
  readonly nowMs: number;
  readonly behindMs: number;
}

interface AdminAccount {
  readonly openOrders: Readonly<Record<string, readonly object[]>>;
  readonly balances: readonly { readonly currency: string; readonly available: string }[];
  readonly timedCancelsFired: number;
  readonly timedCancelsDue: Readonly<Record<string, number>>;
}
