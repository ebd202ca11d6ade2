import { z } from 'zod'

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const HOST_LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'

/** A host name, lower case, no trailing dot, labels up to 63, last label at least two characters (RFC 1123). */
export const HostName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(new RegExp(`^(?:${HOST_LABEL}\\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$`), 'validation.fqdn')

/** A host name that may start with a wildcard label. */
export const DomainName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(new RegExp(`^(?:\\*\\.)?(?:${HOST_LABEL}\\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$`), 'validation.domainName')

/** Like a domain name, underscores allowed, as in the target of a CNAME. */
export const Cname = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(new RegExp(`^(?:${LABEL}\\.)*${LABEL}\\.?$`), 'validation.cname')

/**
 * Owner name relative to its zone, `@`, `www`, `*`, `_dmarc`, `a.b`, or absolute with a dot at its end. An asterisk
 * stands for names at the front only; anywhere else it would be a mere letter (RFC 4592 2.1.1), which nobody means.
 */
export const RecordName = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(/^(?:\*(?=$|\.))?[^*]*$/, { error: 'validation.asteriskInside', abort: true })
  .regex(new RegExp(`^(?:@|\\*|(?:(?:\\*\\.)?${LABEL}(?:\\.${LABEL})*)\\.?)$`), 'validation.recordName')
