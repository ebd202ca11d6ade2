/** A role's last word. `sentence` is for the person who started the product, when the failure is one they can mend. */
export type Died = { kind: 'died'; reason: string; sentence: string | null }

/** What a role's process tells its supervisor. */
export type FromRole = { kind: 'started' } | Died
