/** Bound into every sealed private key of a certificate. */
export const CERTIFICATE_KEYS = 'certificate key'
