/** Where the TXT record stands that proves a name (RFC 8552 form: an underscored label of its own). */
export const proofRecordName = (name: string): string => `_site-proof.${name}`
